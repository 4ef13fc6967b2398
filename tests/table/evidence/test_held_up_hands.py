"""Whoever sees the seats first and dislikes them may also stay, or send others ahead: the ways to
lose the first hand of a drawn table, and whom each of them notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from p2p304.crypto.signing import SigningKey
from p2p304.log.entry import parse_receipt, sign_entry
from p2p304.log.faults import Refused
from p2p304.rules.core.actions import Pass
from p2p304.rules.play.view import legal
from p2p304.rules.variants.absence import LONG, OVERDUE, LeaverCause
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.table.agreement.bot_mark import bot_mark
from p2p304.table.evidence.left_draws import check_draw
from p2p304.table.node.node import Node
from p2p304.table.state import events
from p2p304.wire.effects import Effect, Send
from p2p304.wire.framing import FrameKind
from tests.support.table.crashes import Memo, World
from tests.support.table.gathering_bus import Bus
from tests.table.evidence.test_left_draws import give_up, noted, state_of, table_of, until_opened

LIAR, OTHERS = 3, (0, 1, 2)
ALL_KINDS = (FrameKind.ENTRY, FrameKind.RECEIPT, FrameKind.PART)


@pytest.fixture(scope="module", autouse=True)
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


class Slow(World):
    """Nodes that send what they write some ``seconds`` late, or never; a player who ``thinks``
    answers no question of its own program."""

    late: Mapping[int, float] = MappingProxyType({})
    kinds: tuple[FrameKind, ...] = ALL_KINDS
    thinks: bool = False

    def carry_out(self, number: int, node: Node, effect: Effect) -> None:
        seconds = self.late.get(number, 0.0)
        if not (seconds and isinstance(effect, Send) and effect.kind in self.kinds):
            super().carry_out(number, node, effect)
        elif seconds < float("inf"):
            self.at(seconds, lambda: World.carry_out(self, number, node, effect))

    def _choose(self, number: int, node: Node, event: events.YourTurn) -> None:
        if not self.thinks:
            super()._choose(number, node, event)


def key(world: World, number: int) -> bytes:
    return world.identities[number].public


def drawn(**options: object) -> Slow:
    """A table just after its draw."""
    world = Slow(rules=preset("pagat").override(options))
    until_opened(world, 4)
    world.run(0.01)
    assert state_of(world).seating and noted(world, 0) == set()
    return world


def thinking() -> Slow:
    """A table where an honest player, not the liar, is asked to bid, and thinks."""
    world = drawn()
    world.thinks = True
    world.run(2)
    due = table_of(world, 0).replica.due
    assert due is not None and not due.by_itself
    return world


def floor_of(world: World) -> int:
    due = table_of(world, 0).replica.due
    assert due is not None
    return world.index[table_of(world, 0).terms.keys[due.player]]


def test_whoever_leaves_while_another_thinks_is_noted_though_all_leave_at_once() -> None:
    """Nobody waits for the liar, and the others give up within a second."""
    world = thinking()
    honest = floor_of(world)
    liar, *others = sorted(range(4), key=lambda number: number == honest)
    world.run(5)
    world.leave(liar)
    for number in others:
        world.run(0.3)
        assert key(world, liar) in give_up(world, number)


def test_it_does_not_take_longer_where_the_table_has_been_quiet_for_long() -> None:
    world = thinking()
    honest = floor_of(world)
    liar, watcher, _, _ = sorted(range(4), key=lambda number: number == honest)
    world.run(130)
    world.leave(liar)
    world.run(3.1)
    assert noted(world, watcher) == {key(world, liar)}


def test_those_who_go_because_one_has_gone_are_not_noted() -> None:
    """Else the liar could keep its victims from drawing with each other."""
    world = drawn()
    world.leave(LIAR)
    for number in OTHERS[:2]:
        world.run(10)
        give_up(world, number)
    world.run(10)
    for number in OTHERS:
        assert noted(world, number) == {key(world, LIAR)}


def test_a_friend_who_goes_first_and_comes_back_covers_nobody() -> None:
    world = drawn()
    world.leave(1)
    world.run(1)
    world.leave(LIAR)
    world.run(5)
    assert noted(world, 0) == {key(world, 1)}
    world.start(1)
    world.run(5)
    assert noted(world, 0) == {key(world, 1), key(world, LIAR)}


@pytest.mark.parametrize("liars", [(LIAR,), (LIAR, 1)])
def test_whoever_stays_and_keeps_the_first_hand_from_going_on_is_noted(
    liars: tuple[int, ...],
) -> None:
    """Two who withhold their receipts together are both noted: it is not asked who is alone."""
    world = drawn()
    world.late = dict.fromkeys(liars, float("inf"))
    world.run(LONG + 5)
    found = give_up(world, 0)
    late = {key(world, number) for number in liars}
    assert found <= late and len(found) > 0
    if len(liars) == 1:
        assert found == late


def test_whoever_stays_is_noted_after_five_minutes_even_if_nobody_gives_up() -> None:
    world = drawn()
    world.late = {LIAR: float("inf")}
    world.run(OVERDUE - 40)
    assert noted(world, 0) == set()
    world.run(50)
    for number in OTHERS:
        assert noted(world, number) == {key(world, LIAR)}


def test_small_delays_add_up() -> None:
    """Every entry and receipt comes 50 s late: never overdue, never a minute at a time."""
    world = drawn()
    world.late = {LIAR: 50.0}
    world.run(OVERDUE + 60)
    for number in OTHERS:
        assert not [e for e in world.told[number] if isinstance(e, events.Overdue)]
        assert noted(world, number) == {key(world, LIAR)}


def test_receipts_that_are_repeated_hide_nobody_who_holds_up_the_draw() -> None:
    """The last to open says again every second what it has said: the wait is as long as before."""
    world = Slow()
    until_opened(world, 3)
    world.late, world.kinds = {LIAR: float("inf")}, (FrameKind.ENTRY,)
    world.run(0.01)
    said = [raw for found in world.signed.values() for raw in found if is_receipt_of(LIAR, raw)]
    for _ in range(6):
        world.run(1)
        for number in OTHERS:
            node = world.nodes[number]
            assert node is not None
            node.receive(key(world, LIAR), FrameKind.RECEIPT, said[-1], world.now)
            world.drain(number)
    for number in OTHERS:
        assert noted(world, number) == {key(world, LIAR)}


def is_receipt_of(player: int, raw: bytes) -> bool:
    try:
        return parse_receipt(raw).author == player
    except Refused:
        return False


def test_a_slow_thinker_who_goes_on_loses_nothing() -> None:
    """Four minutes for one bid are not noted; six are, until the hand is over."""
    world = thinking()
    honest = floor_of(world)
    watcher = next(number for number in range(4) if number != honest)
    world.run(OVERDUE - 60)
    assert noted(world, watcher) == set()
    world.run(120)
    assert noted(world, watcher) == {key(world, honest)}
    world.thinks = False
    node = world.nodes[honest]
    assert node is not None and node.table is not None
    world._choose(honest, node, events.YourTurn(node.table.view))
    world.drain(honest)
    world.run(120)
    assert world.finished and all(
        table_of(world, number).replica.has_kept_draw for number in range(4)
    )


@pytest.mark.parametrize("away", ["replace", "playout"])
def test_whoever_is_parted_from_in_the_first_hand_stays_noted(away: str) -> None:
    """Also where the hand is played out, or paid, and so is over without that player. It stays
    connected, and where a turn is limited the others part from it before five minutes."""
    world = Slow(rules=preset("pagat").override({"away": away, "timer": 30}))
    until_opened(world, 4)
    while (deal := state_of(world).deal) is None or deal.shuffled < 4:
        world.run(0.001)
    world.late = {LIAR: float("inf")}
    world.run(125)
    for number in OTHERS:
        node = world.nodes[number]
        assert node is not None and noted(world, number) == set()
        node.propose_parting(world.now)
        world.drain(number)
    tables = [table_of(world, number) for number in range(4)]
    world.run(30)
    for number in OTHERS:
        assert noted(world, number) == {key(world, LIAR)}
        assert tables[number].replica.is_parted and not tables[number].replica.has_kept_draw
    assert tables[LIAR].replica.is_parted and noted(world, LIAR) == set(), "nobody notes itself"


def test_a_false_opening_is_noted_beside_what_it_is() -> None:
    """The liar need not leave: an opening that is none stops the table, too."""
    world = Slow()
    world.late, world.kinds = {LIAR: float("inf")}, (FrameKind.ENTRY,)
    until_opened(world, 3)
    world.run(0.01)
    chain = table_of(world, 0).chain
    raw = sign_entry(
        world.identities[LIAR],
        chain.table,
        chain.next_seq,
        chain.head,
        LIAR,
        "draw",
        {"nonce": bytes(32)},
    ).raw
    world.leave(LIAR)
    for number in OTHERS:
        node = world.nodes[number]
        assert node is not None
        node.receive(key(world, LIAR), FrameKind.ENTRY, raw, world.now)
        world.drain(number)
        assert table_of(world, number).stopped is not None
        assert noted(world, number) == {key(world, LIAR)}
        assert not table_of(world, number).replica.has_kept_draw


def test_a_liar_whose_own_draw_is_out_and_a_friend_who_tells_it_the_seats() -> None:
    """The friend opens last and withholds it; the liar leaves, then the friend."""
    world = Slow()
    until_opened(world, 3)
    world.late = {LIAR: float("inf")}
    world.leave(2)
    world.run(5)
    assert noted(world, 0) == {key(world, LIAR), key(world, 2)}


def test_an_own_restart_forgets_nobody_who_is_gone() -> None:
    world = thinking()
    honest = floor_of(world)
    liar, watcher, _, _ = sorted(range(4), key=lambda number: number == honest)
    world.leave(liar)
    world.stop(watcher)
    world.run(60)
    assert noted(world, watcher) == {key(world, liar)}


def test_a_hand_that_does_not_count_does_not_keep_the_draw() -> None:
    """A liar and a friend who pass cannot end the time in which leaving is noted by it alone."""

    class Passing(Slow):
        def _choose(self, number: int, node: Node, event: events.YourTurn) -> None:
            node.act(next(a for a in legal(event.view) if isinstance(a, Pass)), self.now)

    world = Passing()
    while not [e for e in world.told[0] if isinstance(e, events.HandOver)]:
        world.run(0.05)
    (over, *_) = (e for e in world.told[0] if isinstance(e, events.HandOver))
    assert over.result.void and not table_of(world, 0).replica.has_kept_draw
    world.leave(LIAR)
    world.run(10)
    assert noted(world, 0) == {key(world, LIAR)}


def test_where_seats_are_chosen_nobody_is_noted() -> None:
    for before, stays in ((3, 0.0), (4, 0.03)):
        world = Slow(rules=preset("pagat").override({"seating": "chosen"}))
        until_opened(world, before)
        world.run(stays)
        world.leave(LIAR)
        world.run(OVERDUE + 60)
        for number in OTHERS:
            assert give_up(world, number) == set()


def test_a_founder_that_changes_between_chosen_and_drawn_seats_gains_no_draw(
    tmp_path: Path,
) -> None:
    """A table of chosen seats that is played to its end drops no note of a drawn one."""
    bus = Bus(4)
    store, liar = DataFolder(tmp_path / "home"), bus.nodes[LIAR].key.public
    store.note_leaver(liar, b"\x01" * 32, LeaverCause.LEFT)
    store.forget_leavers(b"\x02" * 32)
    bus.nodes[1].meeting.early_leavers = store.early_leavers()
    bus.gather(seconds=20)
    assert not any(node.table for node in bus.nodes)


def test_a_bot_is_no_scapegoat_and_no_way_back() -> None:
    """The owner's bot goes, and its owner is noted; a bot of that owner draws no seats either."""
    world = drawn()
    replica = table_of(world, 0).replica
    owner, bot = world.identities[LIAR], replica.terms.players[1]
    marked = replace(bot, bot=bot_mark(owner, bot.key))
    players = tuple(marked if player is bot else player for player in replica.terms.players)
    replica.terms = replace(replica.terms, players=players)
    world.leave(world.index[bot.key])
    world.run(10)
    assert noted(world, 0) == {owner.public}
    elsewhere = replace(marked, bot=bot_mark(SigningKey.from_seed(bytes(32)), bot.key))
    check_draw(replace(replica.terms, players=(elsewhere,)), {owner.public: LeaverCause.LOST})
    with pytest.raises(Refused, match="A06"):
        check_draw(replace(replica.terms, players=(marked,)), {owner.public: LeaverCause.LOST})


def test_nobody_notes_an_own_bot() -> None:
    """It is sent home when its owner leaves."""
    world = drawn()
    replica = table_of(world, 0).replica
    bot = next(player for player in replica.terms.players if world.index[player.key] == 1)
    marked = replace(bot, bot=bot_mark(world.identities[0], bot.key))
    players = tuple(marked if player is bot else player for player in replica.terms.players)
    replica.terms = replace(replica.terms, players=players)
    table_of(world, 0)._draw.note(bot.key, LeaverCause.LATE)
    world.leave(1)
    world.run(1)
    assert give_up(world, 0) == set()


def test_the_wait_after_an_own_start_is_not_charged_to_whoever_is_next() -> None:
    """The liar does not say what it has, so that the node waits for it before all else."""
    world = thinking()
    honest = floor_of(world)
    liar, watcher, _, _ = sorted(range(4), key=lambda number: number == honest)
    world.late, world.kinds = {liar: float("inf")}, (FrameKind.SYNC,)
    world.stop(watcher)
    world.run(OVERDUE + 40)
    assert noted(world, watcher) == set()
