"""A hand played to its end without a player who is gone: sound, and the same for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

import pytest

from p2p304.log.entry import parse_entry, sign_entry, sign_receipt
from p2p304.log.transcript import read_blocks
from p2p304.offline.audit import audit
from p2p304.rules.core.actions import Announce, Play
from p2p304.rules.play.claims import may_be_due, may_claim
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.variants.absence import LONG
from p2p304.rules.variants.options import OptionsError
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.absence_voter import PARTING
from p2p304.table.gathering.exchange.begin_record import JOURNAL
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.table.state import events
from p2p304.table.state.table import TableState
from p2p304.table.transition import absent_seat
from p2p304.table.transition.phases import duty
from p2p304.table.transition.replay import Replay
from p2p304.wire.canonical import decode
from p2p304.wire.effects import Persist, Send
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet
from tests.support.table.crashes import Memo
from tests.support.table.crashes_left import left_world, over, play_on, played_out, stop_once_left
from tests.support.table.leaving_games import MOMENTS, RULES, first_moment, left, states, whole

EVERY = 131
ALL_TURNED_UP = 33
"""A seed in whose first trick with its card thrown away the trump maker must turn up all."""
E = TypeVar("E")


@pytest.fixture(scope="module", autouse=True)
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


def told(net: simnet.Net, number: int, kind: type[E]) -> list[E]:
    return [event for event in net.told[number] if isinstance(event, kind)]


def gone_from(table: TableMachine) -> tuple[int, int]:
    """Who is gone, and from which place on."""
    assert table.chain.without is not None
    return table.chain.without.absent, table.chain.without.seq


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda name: name)
def test_a_hand_is_played_to_its_end_whenever_somebody_leaves(moment: str) -> None:
    net = left(MOMENTS[moment])
    absent, _ = gone_from(net.tables[0])
    net.run(600)
    assert net.finished and len(set(net.transcripts)) == 1
    assert not [e for all_told in net.told for e in all_told if isinstance(e, events.Fault)]
    report = audit(net.transcripts[0])
    assert report.sound and report.complete and report.parts == 3
    assert report.without == simnet.NICKS[absent]
    for number in range(4):
        (parted,) = told(net, number, events.Parted)
        assert parted.away == "playout" and parted.absent == simnet.NICKS[absent]
    lies_open_and_writes_nothing(net, moment == "count")


def test_where_a_cut_turns_up_all_cards_the_absent_trump_makers_own_is_opened_too() -> None:
    """It has thrown away a card of its own, and another player's face-down card is a trump."""
    rules = preset("catsatcards").override({"away": "playout"})
    net = simnet.make_closed(ALL_TURNED_UP, rules=rules)
    net.run()
    place, maker = next(
        (place, state.player_on(state.hand.maker))
        for place, replayed in enumerate(Replay(net.transcripts[0]))
        if (state := replayed.state).hand is not None
        and state.hand.maker is not None
        and has_thrown_away(state.hand)
    )
    net = simnet.make_closed(ALL_TURNED_UP, rules=rules)
    net.part(maker, place + 1)
    net.run(600)
    report = audit(net.transcripts[0])
    assert net.finished and len(set(net.transcripts)) == 1
    assert report.sound and report.complete and report.parts == 3
    announced = [e.action for e in told(net, 0, events.Acted) if isinstance(e.action, Announce)]
    assert any(len(action.revealed) > 1 for action in announced)


def has_thrown_away(hand: Hand) -> bool:
    """Whether the trump maker has to announce, and has a card from hand face down in the trick."""
    if hand.phase is not Phase.ANNOUNCE or hand.maker is None:
        return False
    play = hand.tricks[-1].by(hand.maker)
    return play is not None and play.down and not play.indicator and len(hand.to_inspect) > 0


def test_five_play_out_the_hand_of_a_sixth() -> None:
    rules = preset("six-24").override({"away": "playout"})
    net = simnet.make_closed(3, rules=rules)
    net.part(0, 60)
    net.run(600)
    report = audit(net.transcripts[0])
    assert net.finished and len(set(net.transcripts)) == 1
    assert report.sound and report.complete and report.parts == 5


def lies_open_and_writes_nothing(net: simnet.Net, last: bool) -> None:
    """``last``: it left when only cards played face down were to be opened."""
    absent, place = gone_from(net.tables[0])
    blocks = list(read_blocks(net.transcripts[0]))
    assert blocks[place - 1].parts is not None and not blocks[place - 1].receipts
    for block in blocks[place:]:
        assert block.entry.entry.author != absent and len(block.receipts) == 2
        assert absent not in {receipt.author for receipt in block.receipts}
    opened = told(net, 0, events.LaidOpen)
    state = net.tables[0].state
    assert state is not None and state.last_record is not None
    tricks = state.last_record.hand.tricks
    played = {p.card for t in tricks for p in t.plays if p.seat == opened[0].seat}
    shown = {card for event in opened for card in event.cards}
    assert shown and len(shown) <= 8 and len(shown - played) <= (8 if last else 1)


def test_what_the_empty_seat_plays_is_its_lowest_legal_card() -> None:
    net = left(MOMENTS["play, another"])
    net.run(600)
    seat = told(net, 0, events.LaidOpen)[0].seat
    held = set(told(net, 0, events.LaidOpen)[0].cards)
    points, strength = RULES.pack.points, RULES.pack.strength
    followed = 0
    for event in told(net, 0, events.Acted):
        play = event.hand.tricks[-1].by(seat) if event.hand.tricks else None
        mine = isinstance(event.action, Play) and event.action.seat == seat
        if mine and play is not None and play.card is None:
            break  # which card lies face down cannot be told from here
        if not mine or play is None or play.card not in held:
            continue
        led = event.hand.tricks[-1].led
        same = [c for c in held if c.suit is led]
        if play.card.suit is led and same and event.hand.tricks[-1].leader != seat:
            followed += 1
            assert play.card is min(same, key=lambda c: (points[c], strength[c]))
        held.discard(play.card)
    assert followed


def trick_over(state: TableState) -> int | None:
    """Who has the floor leaves just after a trick, when another player may still think of Caps."""
    due = duty(state)
    return None if due is None or thinker(state, due.player) is None else due.player


def thinker(state: TableState, but: int) -> int | None:
    hand = state.hand
    if hand is None or hand.trick is not None or not hand.tricks or hand.phase is not Phase.PLAY:
        return None
    writes = (hand.turn, hand.tricks[-1].plays[-1].seat)
    seats = (seat for seat in range(state.seats) if seat not in writes and may_be_due(hand, seat))
    return next((p for p in map(state.player_on, seats) if p != but), None)


@dataclass(frozen=True)
class Trick:
    """A game up to the last card of a trick, by ``author`` at ``place``, after which ``player``
    may think while ``absent`` is gone."""

    net: simnet.Net
    author: int
    player: int
    absent: int
    place: int

    @property
    def thinking(self) -> TableMachine:
        return self.net.tables[self.player]

    def play(self, players: Iterable[int]) -> None:
        """That card; all but these ``players`` have parted before it."""
        for player in players:
            self.net.tables[player].replica.blocked_from = self.place + 1
        self.net.run(
            1.0,
            until=lambda: all(table.chain.next_seq == self.place + 1 for table in self.net.tables),
        )


def at_a_trick() -> Trick:
    absent, place, seed = first_moment(trick_over)
    player = thinker(states(seed)[place], absent)
    assert player is not None
    net = whole(seed)
    net.come_to(place)
    net.tables[player]._pending_claim.pause = 2 * LONG
    due = net.tables[0].replica.due
    assert due is not None
    return Trick(net, due.player, player, absent, place)


def test_a_receipt_held_back_is_written_down_before_the_others_are_parted_from() -> None:
    """Else the journal would lack the last entry of the log that goes on."""
    trick = at_a_trick()
    trick.play(range(4))
    assert trick.thinking.chain.receipt_of(trick.place, trick.player) is None
    trick.net.agree(trick.absent, trick.place + 1)
    record = next(
        e.data for e in trick.thinking.effects() if isinstance(e, Persist) and e.name == JOURNAL
    )
    written = decode(record)
    assert trick.thinking.replica.is_parted
    assert isinstance(written, dict) and isinstance(written["entry"], bytes)
    assert parse_entry(written["entry"]).entry.seq == trick.place
    assert written["receipt"] is not None


def test_who_is_ready_to_part_has_written_down_the_entry_before() -> None:
    """Else a stop would take it back to an earlier place, where it could be ready once more."""
    trick = at_a_trick()
    trick.play(range(4))
    leaving = PlayerAbsence(trick.thinking)
    trick.thinking.link_down(trick.net.keys[trick.absent], trick.net.now - LONG)
    leaving.propose_parting(trick.net.now)
    first, *rest = [e.name for e in leaving.effects() if isinstance(e, Persist)]
    assert (first, rest) == (JOURNAL, [PARTING])
    assert trick.thinking.chain.receipt_of(trick.place, trick.player) is not None


def test_who_has_parted_gives_no_receipt_for_what_comes_after() -> None:
    """Neither one held back nor a new one: an entry that all have receipted would be settled for
    the absent one, and parted from by the others."""
    trick = at_a_trick()
    free = (trick.author, trick.absent, trick.player)
    bound = ({0, 1, 2, 3} - set(free)).pop()
    trick.play(free)
    trick.thinking.replica.blocked_from = trick.place
    trick.thinking.handle_timer(trick.net.now + 3 * LONG)
    for player in (trick.player, bound):
        table = trick.net.tables[player]
        sent = [e for e in table.effects() if isinstance(e, Send) and e.kind is FrameKind.RECEIPT]
        taken = table.chain.next_seq > trick.place
        assert not taken or table.chain.receipt_of(trick.place, player) is None
        assert not sent


@pytest.mark.parametrize("seq", [6, 9, 10])
def test_before_a_card_is_unlocked_there_is_nothing_to_play_out(seq: int) -> None:
    """Also once all have shuffled, and once the pack is cut: nobody can know a card."""
    net = whole(3)
    net.part(2, seq)
    for number, table in enumerate(net.tables):
        net.collect(number)
        assert table.replica.is_ended and not table.chain.next_seq > seq
        assert table.chain.entries[-1].entry.kind == ("cut" if seq == 10 else "shuffle")
        assert [e.away for e in told(net, number, events.Parted)] == ["playout"]
    assert not told(net, 0, events.HandOver)
    report = audit(net.transcripts[0])
    assert report.sound and report.complete and report.tokens == (11, 11)


def test_what_was_written_before_the_parting_contradicts_nothing() -> None:
    """One who stays has written an entry for the place before learning of the parting, and writes
    another one there now: under the table's new name, so that nobody can call it a fork."""
    place = next(n for n, s in enumerate(states(3)) if s.hand and s.hand.phase is Phase.PLAY) + 1
    net = whole(3)
    net.come_to(place)
    author = next(
        n for n, t in enumerate(net.tables) if t.replica.due and t.replica.due.player == n
    )
    early = net.tables[author]
    assert early.replica.due is not None and early.state is not None
    action = net.choosers[author](early.view)
    early.replica.blocked_from = None
    early.act(action, net.now)
    old = early.chain.entries[place].raw
    early.effects()
    net.agree((author + 2) % 4, place)
    assert old not in [entry.raw for entry in early.chain.entries]
    for number, table in enumerate(net.tables):
        if number != author:
            table.receive(net.keys[author], FrameKind.ENTRY, old, net.now)
    net.run(600)
    assert net.finished and len(set(net.transcripts)) == 1
    new = early.chain.entries
    assert any(entry.entry.author == author and entry.entry.seq >= place for entry in new)
    faults = {e.finding for each in net.told for e in each if isinstance(e, events.Fault)}
    assert {(f.check, f.player) for f in faults} == {("L01", None)}


def test_who_is_gone_can_neither_write_nor_receipt() -> None:
    net = left(MOMENTS["play"])
    absent, place = gone_from(net.tables[0])
    key, here = net.tables[absent].me.key, net.tables[(absent + 1) % 4]
    chain, due = here.chain, here.replica.due
    assert due is not None and here.state is not None and due.kinds == ("stand_in",)
    name = chain.table_at(place)
    body = {"word": "pass"}
    late = sign_entry(key, name, place, chain.head, absent, "say", body)  # type: ignore[arg-type]
    here.receive(net.keys[absent], FrameKind.ENTRY, late.raw, net.now)
    assert here.stopped is not None and here.stopped.finding.check == "S01"
    assert here.stopped.finding.player == absent

    net = left(MOMENTS["play"])
    writer = next(t for t in net.tables if t.chain.next_seq == place + 1)
    others = [t for t in net.tables if t is not writer and t.me.player != absent]
    entry = writer.chain.entries[place]
    false = sign_receipt(key, name, place, entry.link, absent, None)
    others[0].receive(net.keys[writer.me.player], FrameKind.ENTRY, entry.raw, net.now)
    others[0].receive(net.keys[absent], FrameKind.RECEIPT, false.encode(), net.now)
    assert [e.finding.check for e in others[0].events() if isinstance(e, events.Fault)] == ["L09"]
    assert absent not in {r.author for r in others[0].chain.receipts_at(place)}


def test_nobody_claims_any_more() -> None:
    net = left(MOMENTS["play"])
    state = net.tables[0].state
    assert state is not None and state.hand is not None and may_claim(state.hand) == ()
    before = states(3)[-1].last_record
    assert before is not None and before.hand.options.caps != "off"


def test_the_partner_of_who_plays_alone_stays_hidden() -> None:
    """Partner Close Caps: the idle hand is never opened, and nothing has to be done for it."""
    state = next(
        s
        for s in states(3)
        if s.hand and s.hand.phase is Phase.PLAY and s.hand.turn != ((s.hand.maker or 0) + 2) % 4
    )
    hand = state.open_hand.copied()
    assert hand.maker is not None
    idle = (hand.maker + 2) % 4
    hand.playing = tuple(seat for seat in range(4) if seat != idle)
    alone = absent_seat.begin(replace(state, hand=hand), state.player_on(idle))
    assert absent_seat.due(alone) is None and absent_seat.follow(alone) is None
    due = duty(alone)
    assert due is not None and due.seat != idle


@pytest.mark.parametrize(
    ("name", "change"), [("online-4", {}), ("pagat", {"open_trump": "off"}), ("online-2", {})]
)
def test_only_games_with_open_trump_and_cards_face_down_are_played_out(
    name: str, change: dict[str, str]
) -> None:
    with pytest.raises(OptionsError):
        preset(name).override({**change, "away": "playout"})


# With nodes that come and go ---------------------------------------------------------------------


@pytest.mark.parametrize("at", [0.05, 0.09])
def test_who_comes_back_follows_the_hand_that_is_played_out_without_them(at: float) -> None:
    world = left_world(at)
    world.run(0.02)
    world.start(2)
    play_on(world)
    world.run(5)
    back = world.nodes[2]
    assert world.disks[2].transcript == played_out(world)
    assert back is not None and back.is_finished
    assert [e.absent for e in world.told[2] if isinstance(e, events.PlayingOut)] == ["Chitra"]


def test_whoever_stops_while_a_hand_is_played_out_comes_back_to_it() -> None:
    """A few of the points that scripts/dev crash-points tries one by one."""
    world = left_world()
    played_out(world)
    for at in range(5, world.points, EVERY):
        stop_once_left((at, bool(at % 2)))


def test_a_second_player_who_goes_is_waited_for() -> None:
    world = left_world(0.07)
    world.run(0.02)
    world.leave(3)
    world.run(LONG + 5)
    node = world.nodes[0]
    assert node is not None and not over(world)
    with pytest.raises(LookupError, match="already continues without"):
        node.propose_parting(world.now)
    world.start(3)
    play_on(world)
    played_out(world)


def test_a_body_says_what_its_writer_gave() -> None:
    net = left(MOMENTS["play"])
    absent, place = gone_from(net.tables[0])
    waits = net.tables[absent]
    writer = next(t for t in net.tables if t.chain.next_seq == place + 1)
    opening = absent_seat.due(waits.state) if waits.state is not None else None
    parts = writer.chain.entries[place].entry.body["parts"]
    assert opening is not None and isinstance(parts, list) and len(parts) == len(opening.locked)
