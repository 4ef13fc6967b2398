"""A node that is started with a journal older than what it has signed signs nothing a second time:
the others hold what it lacks, and it waits for the word of each of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from p2p304.log.entry import parse_receipt
from p2p304.offline.audit import audit
from p2p304.rules.variants.absence import LONG, OVERDUE
from p2p304.rules.variants.presets import preset
from p2p304.table.exchange.journal_records import PlaceRecord, read_journal
from p2p304.table.exchange.sync import parse_have
from p2p304.table.gathering.exchange.begin_record import NotAJournal
from p2p304.table.node.node import Node
from p2p304.table.state.events import Fault, Overdue, Waiting, YourTurn
from p2p304.wire.canonical import encode
from p2p304.wire.effects import Effect, Send
from p2p304.wire.framing import FrameKind
from tests.support.table.crashes import Memo, World
from tests.support.table.crashes_caps import Stacked, called, claims


@pytest.fixture(scope="module")
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


@dataclass
class Backups(World):
    """Players who would choose something else after every start; for every length of a journal it
    is known which secrets were on disk then."""

    mood: Callable[[int], int] = lambda starts: starts
    kept: dict[tuple[int, int], dict[bytes, bytes]] = field(default_factory=dict)

    def carry_out(self, number: int, node: Node, effect: Effect) -> None:
        super().carry_out(number, node, effect)
        disk = self.disks[number]
        self.kept[number, len(disk.latest())] = dict(disk.secrets)


def cut(world: Backups, number: int, records: int) -> None:
    """Put back a stopped player's folder as it was so many records ago, but not before its
    first."""
    disk = world.disks[number]
    kept = disk.latest()
    del kept[max(1, len(kept) - records) :]
    disk.secrets = dict(world.kept[number, len(kept)])


def nothing_twice(world: World) -> None:
    """The hand ends sound, everybody has signed one thing for every place, nobody is named."""
    world.run(40.0)
    assert world.finished, (world.now, world.starts)
    assert all(len(kept) == 1 for kept in world.signed.values())
    assert not [e for told in world.told for e in told if isinstance(e, Fault)]
    transcripts = {disk.transcript for disk in world.disks}
    assert len(transcripts) == 1 and audit(transcripts.pop()).sound


@pytest.mark.parametrize("lost", [1, 2, 5, 1000])
@pytest.mark.parametrize("number", range(4))
def test_what_a_journal_has_lost_is_learnt_from_the_others(
    memo: Memo, number: int, lost: int
) -> None:
    """In the draw, in the bidding and in play."""
    rng = random.Random(f"{number} {lost}")
    world = Backups()
    for _ in range(3):
        world.run(rng.uniform(0.02, 0.12))
        if world.nodes[number] is not None and world.disks[number].records:
            world.stop(number)
            cut(world, number, lost)
    nothing_twice(world)


def test_all_four_journals_lose_their_ends(memo: Memo) -> None:
    """Where nobody has it any more, a move may be made anew: nothing was settled with it."""
    world = Backups()
    world.run(0.15)
    for number in range(4):
        world.stop(number)
        cut(world, number, number)
    nothing_twice_in_the_end(world)


def nothing_twice_in_the_end(world: World) -> None:
    world.run(40.0)
    assert world.finished
    assert not [e for told in world.told for e in told if isinstance(e, Fault)]
    assert len({disk.transcript for disk in world.disks}) == 1


def between(world: World, liar: int, target: int, change: Callable[[Send], Send | None]) -> None:
    """What ``liar`` sends to ``target`` goes through ``change`` (None: it is lost)."""
    send, key = world._send, world.identities[target].public

    def changed(source: int, effect: Send) -> None:
        if source == liar and effect.peer in (None, key):
            other = change(effect)
            if other is None:
                return
            effect = other
        send(source, effect)

    world._send = changed  # type: ignore[method-assign]


def only_receipts(world: World, back: int) -> Callable[[Send], Send | None]:
    """Sends no entries, and says that it has no more than it is asked for."""

    def change(effect: Send) -> Send | None:
        if effect.kind is FrameKind.ENTRY:
            return None
        node = world.nodes[back]
        if effect.kind is FrameKind.SYNC and node is not None and node.table is not None:
            have = parse_have(effect.payload)
            there = min(have.next_seq, node.table.chain.next_seq)
            said = encode({"have": there, "receipts": []})
            return Send(effect.peer, effect.kind, said)
        return effect

    return change


@pytest.mark.parametrize("number", [0, 2])
@pytest.mark.parametrize("lost", [1, 3])
def test_a_peer_that_says_it_has_no_more_makes_nobody_sign_again(
    memo: Memo, number: int, lost: int
) -> None:
    """One of the others answers with receipts alone; the word of the two honest ones is awaited."""
    world = Backups()
    liar = (number + 1) % 4
    for seconds in (0.07, 0.1, 0.13):
        world.run(seconds)
        world.stop(number)
        cut(world, number, lost)
        if world.starts[number] == 1:
            between(world, liar, number, only_receipts(world, number))
    nothing_twice(world)


@pytest.mark.parametrize("mood", range(2))
def test_what_somebody_keeps_for_a_place_not_reached_is_learnt_too(memo: Memo, mood: int) -> None:
    """A liar withholds its receipt from two players, who therefore keep the next entry for later;
    its author loses that entry, and would write another one."""
    number = 2
    for begin in range(40, 160, 3):
        world = Backups(mood=lambda starts: 10 * mood + starts)
        world.run(begin / 1000)
        withheld = [True]
        for behind in (0, 1):
            between(world, 3, behind, without_receipts(withheld))
        world.run(0.02)
        if ahead(world, number, 0) and ahead(world, number, 1):
            break
    else:
        pytest.fail("nobody writes while another is behind")
    world.stop(number)
    cut(world, number, 1)
    between(world, 3, number, only_receipts(world, number))
    world.run(0.35)
    withheld[:] = []
    nothing_twice(world)


def without_receipts(withheld: list[bool]) -> Callable[[Send], Send | None]:
    def change(effect: Send) -> Send | None:
        return None if withheld and effect.kind is FrameKind.RECEIPT else effect

    return change


def ahead(world: World, number: int, behind: int) -> bool:
    """Whether this player has chosen a move which the other one keeps for a place to come."""
    author, other = world.nodes[number], world.nodes[behind]
    if author is None or author.table is None or other is None or other.table is None:
        return False
    last = author.table.chain.entries[-1].entry
    chosen = last.author == number and last.kind in ("say", "play", "down")
    return chosen and other.table.chain.next_seq == last.seq and len(other.table._lookahead) > 0


def test_nothing_is_signed_while_somebody_has_not_spoken(memo: Memo) -> None:
    """Not for others' entries, not at its own turn; and the player reads for whom it waits."""
    world = Backups()
    world.run(0.1)
    world.leave(3)
    world.run(0.5)
    for number in range(3):
        world.leave(number)
        cut(world, number, 1)
    before = {place: set(kept) for place, kept in world.signed.items()}
    for number in range(3):
        world.start(number)
    world.run(8.0)
    assert world.signed == before
    asked = [e for told in world.told[:3] for e in told[-20:] if isinstance(e, YourTurn)]
    waits = [[e for e in told if isinstance(e, Waiting)] for told in world.told[:3]]
    assert not asked or all(e.view is not None for e in asked)
    assert all(told and "Dilan" in told[-1].nicks for told in waits)
    world.start(3)
    nothing_twice_in_the_end(world)


def test_a_claim_that_the_journal_has_lost_still_binds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The receipt with a call of Caps comes back from the others; without it, the program would
    give one without a claim (L10)."""
    stacked = Stacked(monkeypatch)
    Memo(monkeypatch)
    world = called(stacked)
    again = type(world)(stop_at=(world.claimed_at + 3, True), seed=world.seed)
    stopped = again.stop

    def stop_and_lose(number: int) -> None:
        stopped(number)
        again.disks[number].latest().pop()

    monkeypatch.setattr(again, "stop", stop_and_lose)
    nothing_twice(again)
    assert claims(again) == ["caps"] and sum(again.starts) == 5


def test_a_record_for_the_last_place_once_more_stands_for_the_one_before(memo: Memo) -> None:
    world = World()
    world.run(0.1)
    records = world.disks[1].latest()
    places = read_journal(records).past
    seq = next(n for n in reversed(range(len(places))) if places[n].receipt is not None)
    without = PlaceRecord(places[seq].entry, None, places[seq].before).encode()
    upto = records[: seq + 1]
    twice = read_journal([*upto, without, records[seq + 1]]).past
    assert twice == places[: seq + 1]
    receipt = twice[-1].receipt
    assert receipt is not None and parse_receipt(receipt).seq == seq
    with pytest.raises(NotAJournal):
        read_journal([*records[: seq + 2], records[seq]])


class Shunned(World):
    """From ``since`` on, one player tells the one who came back nothing true of what it has."""

    since, liar, back = float("inf"), 1, 2
    lie: str = "more"

    def _send(self, source: int, effect: Send) -> None:
        key = self.identities[self.back].public
        if source != self.liar or self.now < self.since or effect.peer not in (None, key):
            super()._send(source, effect)
            return
        for other in (0, 3) if effect.peer is None else ():
            to = self.identities[other].public
            super()._send(source, Send(to, effect.kind, effect.payload))
        if self.lie == "more" and effect.kind is FrameKind.SYNC:
            have = parse_have(effect.payload).next_seq + 1
            said = encode({"have": have, "receipts": []})
            super()._send(source, Send(key, effect.kind, said))

    def link(self, one: int, two: int) -> None:
        if self.lie != "no link" or self.now < self.since or {one, two} != {self.liar, self.back}:
            super().link(one, two)


@pytest.mark.parametrize("lie", ["more", "nothing", "no link"])
def test_one_liar_does_not_make_the_one_who_came_back_late(memo: Memo, lie: str) -> None:
    """It waits for the word of everybody, but not for ever for that of one: else the others would
    part from it, and its side would lose the hand."""
    world = Shunned()
    world.run(0.07)
    world.stop(world.back)
    world.since, world.lie = world.now, lie
    world.run(OVERDUE + 20)
    for number in (0, 2, 3):
        assert not [e for e in world.told[number] if isinstance(e, Overdue | Fault)]
    node = world.nodes[world.back]
    assert node is not None and node.table is not None and not node.table.waits.silent
    assert all(len(kept) == 1 for kept in world.signed.values())


def test_an_old_ready_holds_nobody_who_has_signed_since(memo: Memo) -> None:
    """The journal loses more places than a late word is answered for; its own *ready* is older
    still. What it has signed since, which the others hold, shows that it was let go."""
    world = Backups(rules=preset("pagat").override({"away": "replace"}))
    world.run(0.06)
    world.leave(2)
    world.run(LONG + 5)
    node = world.nodes[0]
    assert node is not None and node.table is not None
    place = node.table.chain.next_seq
    node.propose_parting(world.now)
    world.drain(0)
    world.run(3)
    world.start(2)
    world.run(0.018)
    world.stop(0)
    cut(world, 0, 8)
    assert len(read_journal(world.disks[0].latest()).past) == place
    nothing_twice(world)
