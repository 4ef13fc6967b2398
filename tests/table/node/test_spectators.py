"""Spectators see what is public and settled, when the table's rules say, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2p304.log.faults import Refused
from p2p304.log.transcript import MAGIC, encode_block, read_blocks
from p2p304.offline.audit import audit
from p2p304.rules.variants.absence import LONG
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.limits import WATCH
from p2p304.table.agreement.terms import parse_terms
from p2p304.table.node.node import Node
from p2p304.table.node.spectator_machine import SpectatorMachine
from p2p304.table.node.spectators import (
    BATCH,
    MOST,
    WAIT_TO_WATCH,
    Spectators,
    parse_watch,
    watch_bytes,
)
from p2p304.table.state import events
from p2p304.table.state.events import PublicEvent, SpectatorCame
from p2p304.table.transition.replay import Replay, Replayed
from p2p304.wire.effects import Effect, HangUp, Send
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet
from tests.support.table.crashes import Memo, World

EVE = b"E" * 32
ENDING = preset("pagat").override({"away": "replace"})


@pytest.fixture(scope="module", autouse=True)
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


class Watched(World):
    """A hand with a link to a spectator, over which everything comes."""

    watcher: SpectatorMachine | None = None

    def carry_out(self, number: int, node: Node, effect: Effect) -> None:
        if self.watcher is not None and isinstance(effect, Send) and effect.peer == EVE:
            self.watcher.receive(b"p", effect.kind, effect.payload, self.now)
        else:
            super().carry_out(number, node, effect)


def watched(watch: str, until: float = 60.0) -> tuple[World, SpectatorMachine, list[int]]:
    """A hand, seen through player 1 by a spectator who asks again and again; and how far each
    answer went compared with what was settled then."""
    watcher, behind = SpectatorMachine(), []
    world = Watched(watch=watch)
    world.watcher = watcher
    watcher.link_up(EVE, "Eve", "h", 1, 0.0)

    def look() -> None:
        node = world.nodes[1]
        if node is not None and node.table is not None:
            node.receive(EVE, FrameKind.WATCH, watch_bytes(watcher_have(watcher)), world.now)
            world.drain(1)
            behind.append(node.table.chain.next_seq - watcher_have(watcher))
        world.at(0.002, look)

    world.at(0.0, look)
    world.run(until)
    for _ in range(20):
        look()
    return world, watcher, behind


def watcher_have(watcher: SpectatorMachine) -> int:
    return sum(1 for _ in read_blocks(watcher.transcript))


def test_a_table_that_was_left_for_another_is_not_called_false() -> None:
    blocks = []
    for rules in (ENDING, preset("pagat")):
        world = World(watch="now", rules=rules)
        world.run(0.02)
        node = world.nodes[1]
        assert node is not None and node.table is not None
        blocks.append([encode_block(node.table.chain.block(seq)) for seq in (0, 1)])
    watcher = SpectatorMachine()
    watcher.receive(b"p", FrameKind.BLOCK, blocks[0][0], 0.0)
    watcher.receive(b"p", FrameKind.BLOCK, blocks[1][1], 0.0)
    assert watcher.fault is not None and "another table" in watcher.fault


def test_who_watches_sees_the_whole_hand_and_verifies_it() -> None:
    world, watcher, _ = watched("now")
    assert [e for e in world.told[1] if isinstance(e, SpectatorCame)] == [SpectatorCame("")]
    assert watcher.fault is None and watcher.is_over
    assert watcher.transcript == world.disks[1].transcript
    assert audit(watcher.transcript).sound
    # After the end it takes no other table of the same player for this one, and asks no more.
    seen = watcher.transcript
    watcher.effects()
    watcher.receive(b"p", FrameKind.BLOCK, seen[-8:], 99.0)
    watcher.link_up(b"p", "", "h", 1, 99.0)
    watcher.handle_timer(200.0)
    assert watcher.fault is None and watcher.transcript == seen and watcher.effects() == []


@pytest.mark.parametrize("away", ["replace", "playout"])
def test_who_watches_sees_how_a_table_was_ended(away: str) -> None:
    """Whoever has seen the last entry settled sees its block once more, signed to be the last of
    the table, or the last before the hand is played out."""
    rules = ENDING.override({"away": away})
    world, watcher, late = Watched(watch="now", rules=rules), SpectatorMachine(), SpectatorMachine()
    world.watcher = watcher
    node = world.nodes[1]
    while not (
        node
        and node.table
        and node.table.replica.due
        and node.table.replica.due.player == 2
        and node.table.chain.is_settled
        and node.table.chain.next_seq > 12
    ):
        world.run(0.001)
    world.vanish(2)
    world.run(LONG + 5)
    show(world, watcher)
    assert watcher_have(watcher) == node.table.chain.next_seq and not watcher.is_over
    for number in (0, 1, 3):
        world.nodes[number].propose_parting(world.now)  # type: ignore[union-attr]
        world.drain(number)
        world.run(3)
    show(world, watcher)
    gallery = Spectators(node.table)
    gallery.update()
    while not late.is_over:
        gallery.receive(EVE, watch_bytes(watcher_have(late)))
        for block in shown(gallery):
            late.receive(b"p", FrameKind.BLOCK, block, 0.0)
    for each in (watcher, late):
        assert each.fault is None and each.is_over
        assert each.transcript == world.disks[1].transcript


def test_who_lacks_a_hand_at_a_parting_gets_it_while_the_node_gathers_anew() -> None:
    world, watcher = Watched(watch="hand", rules=ENDING, hands=2), SpectatorMachine()
    world.watcher, node = watcher, world.nodes[1]
    while not (
        node
        and node.table
        and node.table.replica.due
        and node.table.replica.due.player == 2
        and node.table.chain.is_settled
        and node.table.chain.next_seq > 60
    ):
        world.run(0.001)
    show(world, watcher)
    assert watcher_have(watcher) < node.table.chain.next_seq - BATCH
    world.vanish(2)
    world.run(LONG + 5)
    for number in (0, 1, 3):
        world.nodes[number].propose_parting(world.now)  # type: ignore[union-attr]
        world.drain(number)
        world.run(3)
    gathering = world.nodes[1]
    assert gathering is not None and gathering.table is None
    gathering.receive(b"F" * 32, FrameKind.WATCH, watch_bytes(0), world.now)
    assert [e for e in gathering.effects() if isinstance(e, HangUp)] == [
        HangUp(b"F" * 32, WAIT_TO_WATCH)
    ]
    show(world, watcher)
    assert watcher.fault is None and watcher.is_over
    assert watcher.transcript == world.disks[1].transcript


def show(world: World, watcher: SpectatorMachine) -> None:
    """Everything that player 1 has to show."""
    for _ in range(20):
        node = world.nodes[1]
        assert node is not None
        node.receive(EVE, FrameKind.WATCH, watch_bytes(watcher_have(watcher)), world.now)
        world.drain(1)


@pytest.mark.parametrize(("watch", "least"), [("trick", 4), ("hand", 40)])
def test_a_delay_is_kept_until_the_end(watch: str, least: int) -> None:
    _, watcher, behind = watched(watch)
    assert watcher.fault is None and watcher.is_over
    assert max(behind) >= least


@pytest.mark.parametrize("watch", ["trick", "hand"])
def test_what_is_past_is_shown_as_soon_as_it_is_settled(watch: str) -> None:
    net = simnet.make_closed(3, 2, watch=watch)
    gallery, blocks, shown_at = Spectators(net.tables[1]), list[bytes](), [0]
    for place in range(1, 80):
        net.come_to(place)
        gallery.update()
        blocks += all_shown(gallery, len(blocks))
        shown_at.append(len(blocks))
        # A node that has just been started again shows as much.
        again = Spectators(net.tables[1])
        again.update()
        assert all_shown(again, 0) == blocks
    assert net.transcripts[1].startswith(MAGIC + b"".join(blocks))
    replayed = list(Replay(net.transcripts[1]))
    begun, over = (place_after(kind, replayed) for kind in (events.HandBegan, events.HandOver))
    leads = [n for n in range(begun, over - 1) if tricks(replayed[n]) > tricks(replayed[n - 1])]
    assert len(leads) == 8
    assert shown_at[begun - 1 : begun + 1] == [0, begun]  # the draw
    assert shown_at[over] == over  # the hand with its result
    for lead, following in zip([begun, *leads], [*leads, over - 1], strict=True):
        past = lead if watch == "trick" else begun
        assert set(shown_at[lead + 1 : following + 1]) == {past}


def all_shown(gallery: Spectators, have: int) -> list[bytes]:
    """The blocks from this place on that a spectator gets by asking."""
    blocks = list[bytes]()
    while True:
        gallery.receive(EVE, watch_bytes(have + len(blocks)))
        if not (more := shown(gallery)):
            return blocks
        blocks += more


def place_after(kind: type[PublicEvent], replayed: list[Replayed]) -> int:
    """The place after the first entry with such an event."""
    return next(one.seq for one in replayed if any(type(e) is kind for e in one.events)) + 1


def tricks(after: Replayed) -> int:
    return 0 if after.state.hand is None else len(after.state.hand.tricks)


def test_a_table_that_lets_nobody_watch_shows_nothing() -> None:
    world = World()
    world.run()
    node = world.nodes[1]
    assert node is not None
    node.receive(EVE, FrameKind.WATCH, watch_bytes(0), world.now)
    sent = [e for e in node.effects() if isinstance(e, Send | HangUp) and e.peer == EVE]
    assert [type(e) for e in sent] == [HangUp]


@pytest.mark.parametrize(("watch", "why"), [("", "admits no spectators"), ("now", "have joined")])
def test_a_table_that_gathers_says_at_once_why_it_cannot_be_watched(watch: str, why: str) -> None:
    world = World(watch=watch)
    node = world.nodes[0]
    assert node is not None and node.table is None
    node.receive(EVE, FrameKind.WATCH, watch_bytes(0), 0.0)
    (closed,) = (e for e in node.effects() if isinstance(e, HangUp))
    assert closed.peer == EVE and why in str(closed)


def test_there_is_room_for_so_many() -> None:
    world = World(watch="now")
    world.run()
    node = world.nodes[1]
    assert node is not None and node.table is not None
    gallery = Spectators(node.table)
    for number in range(MOST + 1):
        gallery.receive(number.to_bytes(32, "big"), watch_bytes(0))
    assert sum(isinstance(effect, HangUp) for effect in gallery.effects()) == 1


def shown(gallery: Spectators) -> list[bytes]:
    return [e.payload for e in gallery.effects() if isinstance(e, Send)]


def test_nothing_is_sent_twice_and_no_more_than_a_slow_spectator_takes() -> None:
    world = World(watch="now")
    world.run()
    node = world.nodes[1]
    assert node is not None and node.table is not None
    gallery = Spectators(node.table)
    gallery.update()
    gallery.receive(EVE, watch_bytes(0))
    first = shown(gallery)
    gallery.update()
    gallery.receive(EVE, watch_bytes(0))
    assert len(first) == BATCH and shown(gallery) == []
    gallery.receive(EVE, watch_bytes(3))
    more = shown(gallery)
    assert len(more) == 3 and not set(more) & set(first)
    gallery.on_link_down(EVE)
    gallery.receive(EVE, watch_bytes(0))
    assert shown(gallery) == first


@pytest.mark.parametrize("raw", [b"", b"\x80", b"\x81\xa4have\xff", b"\x81\xa4have\x01\x00"])
def test_a_malformed_question_is_refused(raw: bytes) -> None:
    with pytest.raises(Refused, match="W08"):
        parse_watch(raw)


def test_what_the_agreement_says_of_spectators_is_signed() -> None:
    world = World()
    world.run()
    node = world.nodes[0]
    assert node is not None and node.table is not None
    terms = node.table.terms
    assert "watch" not in terms.to_value()
    for watch in WATCH:
        other = replace(terms, watch=watch)
        assert parse_terms(other.to_value()) == other and other.table != terms.table
    with pytest.raises(Refused, match="A01"):
        parse_terms({**terms.to_value(), "watch": "always"})


def test_a_false_block_is_told() -> None:
    world, watcher = World(watch="now"), SpectatorMachine()
    world.run()
    data = world.disks[0].transcript
    block = bytearray(data[len(MAGIC) : len(MAGIC) + 4 + int.from_bytes(data[8:12], "big")])
    block[-5] ^= 1
    watcher.receive(b"p", FrameKind.BLOCK, bytes(block), 0.0)
    assert watcher.fault is not None and Replay(data) is not None
