"""Leaving a draw gains no second draw: it is told, noted, and the next seats are chosen.

The attack: the last player to open its nonce computes the seats before the others can, leaves
where it dislikes them, and sits down again with the same players.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.log.faults import Refused
from p2p304.rules.variants.absence import LONG, OVERDUE, LeaverCause
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.terms import Terms, seating_and_dealer
from p2p304.table.evidence.left_draws import DrawWatch, check_draw
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.state import events, gathering_events
from p2p304.table.state.table import TableState
from p2p304.wire.effects import Outbox
from tests.support.table import simnet
from tests.support.table.crashes import World
from tests.support.table.gathering_bus import Bus


def noted(world: World, number: int) -> set[bytes]:
    """Whom a player was told to have held up the table early."""
    told = [e for e in world.told[number] if isinstance(e, events.DrawLeft)]
    assert len(told) == len({e.key for e in told}), "told once"
    return {event.key for event in told}


def table_of(world: World, number: int) -> TableMachine:
    node = world.nodes[number]
    assert node is not None and node.table is not None
    return node.table


def give_up(world: World, number: int) -> set[bytes]:
    """The player leaves as `Session.close` does it; whom that node has noted by then."""
    node = world.nodes[number]
    assert node is not None
    node.give_up(world.now)
    world.told[number] += node.events()
    world.leave(number)
    return noted(world, number)


def until_opened(world: World, count: int) -> None:
    """Run until player 3 holds so many nonces of the draw."""
    for _ in range(10_000):
        node = world.nodes[3]
        state = None if node is None or node.table is None else node.table.state
        if state is not None and len(state.nonces) == count:
            return
        world.run(0.0005)
    raise AssertionError("the draw never came so far")


def left_by_the_last() -> World:
    world = World()
    until_opened(world, 3)
    world.leave(3)
    world.run(20)
    return world


def test_the_last_to_open_knows_the_seats_first_and_is_noted_where_it_leaves() -> None:
    world = World()
    until_opened(world, 3)
    node = world.nodes[3]
    assert node is not None and node.table is not None and node.table.state is not None
    own = node.table.me.secrets.nonce
    seats, _ = seating_and_dealer(node.table.terms, (*node.table.state.nonces, own))
    assert sorted(seats) == [0, 1, 2, 3]
    world.leave(3)
    world.run(20)
    for number in range(3):
        assert noted(world, number) == {world.identities[3].public}


def test_the_same_players_get_no_second_draw_and_may_choose_their_seats() -> None:
    leaver = left_by_the_last().identities[3].public
    drawn, chosen = Bus(4), Bus(4)
    last = drawn.nodes[3].key.public
    for bus in (drawn, chosen):
        for node in bus.nodes[:3]:
            node.meeting.early_leavers = {last: LeaverCause.LEFT}
    drawn.gather(seconds=20)
    assert not any(node.table for node in drawn.nodes)
    for told in drawn.told[:3]:
        assert [
            e
            for e in told
            if isinstance(e, gathering_events.TurnedAway) and "chosen" in str(e.sentence)
        ]
    rules = preset("pagat").override({"seating": "chosen"})
    chosen.nodes[0].meeting.found("Friday", rules, 1)
    for guest in range(1, 4):
        chosen.link(guest, 0)
        chosen.nodes[guest].meeting.join(chosen.nodes[0].key.public, chosen.now)
    chosen.until(lambda: all(node.table for node in chosen.nodes), 60)
    assert all(node.table for node in chosen.nodes)
    assert leaver != last


def test_one_who_remembers_is_enough() -> None:
    """The friend of the player who left, and one who lost its notes, agree; the third does not."""
    bus = Bus(4)
    bus.nodes[2].meeting.early_leavers = {bus.nodes[3].key.public: None}
    bus.gather(seconds=20)
    assert not any(node.table for node in bus.nodes)


def test_a_friend_who_withholds_its_receipt_is_noted_too() -> None:
    """So that the one who computes the seats is never the one who is waited for."""
    world = World()
    until_opened(world, 2)
    world.leave(1)
    world.run(20)
    assert world.identities[1].public in noted(world, 0)


def test_leaving_after_the_draw_counts_until_the_first_hand_is_over() -> None:
    world = World()
    until_opened(world, 4)
    world.run(0.03)
    world.leave(3)
    world.run(20)
    for number in range(3):
        assert noted(world, number) == {world.identities[3].public}


def test_a_table_where_nobody_leaves_notes_nobody() -> None:
    world = World()
    world.run(600)
    assert world.finished and not any(noted(world, number) for number in range(4))


def state_of(world: World, number: int = 0) -> TableState:
    table = table_of(world, number)
    assert table.state is not None
    return table.state


def test_only_draws_of_seats_are_refused() -> None:
    world = World()
    until_opened(world, 1)
    terms = state_of(world).terms
    keys = dict.fromkeys(terms.keys, LeaverCause.LATE)
    with pytest.raises(Refused, match="A06"):
        check_draw(terms, keys)
    by_cards = replace(terms, rules=terms.rules.override({"seating": "draw"}))
    with pytest.raises(Refused, match="A06"):
        check_draw(by_cards, keys)
    check_draw(terms, {bytes(32): LeaverCause.LATE})
    check_draw(_chosen(terms), keys)


def _chosen(terms: Terms) -> Terms:
    return replace(terms, rules=terms.rules.override({"seating": "chosen"}))


def test_a_player_who_gives_up_notes_those_who_have_kept_it_waiting_for_a_minute() -> None:
    net = simnet.make(1)
    net.come_to(2)
    table = net.tables[0]
    late, out = net.keys[2], Outbox[events.Event]()
    watch = DrawWatch(table.replica, net.keys[0], out)
    watch.give_up((late,), 100.0, {}, 99.9 + LONG)
    assert out.events() == []
    watch.give_up((late,), 100.0, {}, 100.0 + LONG)
    (told,) = out.events()
    assert isinstance(told, events.DrawLeft) and told.key == late
    assert told.cause is LeaverCause.LATE


@pytest.mark.parametrize("linked", [True, False])
def test_a_slow_player_who_is_connected_is_not_told_as_one_who_left(linked: bool) -> None:
    net = simnet.make(1)
    net.come_to(2)
    out = Outbox[events.Event]()
    watch = DrawWatch(net.tables[0].replica, net.keys[0], out)
    gone = {} if linked else {net.keys[1]: 100.0, net.keys[2]: 100.0}
    watch.note_absent((net.keys[2],), 100.0, gone, 100.0 + OVERDUE)
    (told,) = out.events()
    assert isinstance(told, events.DrawLeft) and told.key == net.keys[2]
    assert told.cause is (LeaverCause.LATE if linked else LeaverCause.LOST)


def test_a_player_who_has_said_goodbye_is_told_as_one_who_left() -> None:
    net = simnet.make(1)
    net.come_to(2)
    out = Outbox[events.Event]()
    watch = DrawWatch(net.tables[0].replica, net.keys[0], out)
    watch.on_link_down(net.keys[1], said=True)
    watch.note_absent((net.keys[1],), 100.0, {net.keys[1]: 100.0}, 100.0 + OVERDUE)
    (told,) = out.events()
    assert isinstance(told, events.DrawLeft) and told.cause is LeaverCause.LEFT


def test_a_goodbye_counts_until_the_player_is_back() -> None:
    net = simnet.make(1)
    net.come_to(2)
    out = Outbox[events.Event]()
    watch = DrawWatch(net.tables[0].replica, net.keys[0], out)
    watch.on_link_down(net.keys[1], said=True)
    watch.on_link_up(net.keys[1])
    watch.on_link_down(net.keys[1], said=False)
    watch.note_absent((net.keys[1],), 100.0, {net.keys[1]: 100.0}, 100.0 + OVERDUE)
    (told,) = out.events()
    assert isinstance(told, events.DrawLeft) and told.cause is LeaverCause.LOST


@pytest.mark.parametrize("cause", [None, *LeaverCause])
def test_the_refusal_says_what_is_known_of_the_cause(cause: LeaverCause | None) -> None:
    terms = simnet.make(1).tables[0].terms
    with pytest.raises(Refused) as refused:
        check_draw(terms, {terms.keys[2]: cause})
    sentence = refused.value.finding.sentence
    assert sentence.startswith("you can't draw seats with Chitra, ")
    assert ("left" in sentence) == (cause in (None, LeaverCause.LEFT))
    assert "stopped" not in sentence or cause is LeaverCause.FAULT
