"""A bot agrees later than others to part from a player on its own side, and all are told so."""

from __future__ import annotations

import pytest

from p2p304.rules.variants.absence import LONG
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.bot_mark import bot_mark
from p2p304.table.node.node import Node
from p2p304.table.state import events
from p2p304.table.state.table import TableState
from tests.support.table.gathering_bus import Bus

BOTS = (1, 2)


def begun(bots: tuple[int, ...] = BOTS) -> Bus:
    """Four players, some of them bots of the first, in the middle of the bidding."""
    bus = Bus(4)
    for number in bots:
        node = bus.nodes[number]
        node.meeting.guests.bot = bot_mark(bus.nodes[0].key, node.key.public)
    bus.nodes[0].meeting.found("Friday", preset("pagat").override({"away": "replace"}), 1)
    for guest in range(1, 4):
        bus.link(guest, 0)
        bus.nodes[guest].meeting.join(bus.nodes[0].key.public, bus.now)
    bus.until(lambda: all(map(is_dealt, bus.nodes)), 60)
    return bus


def is_dealt(node: Node) -> bool:
    state = None if node.table is None else node.table.state
    return state is not None and state.deal is not None and state.deal.dealt > 0


def state_of(bus: Bus) -> TableState:
    table = bus.nodes[0].table
    assert table is not None and table.state is not None
    return table.state


def numbers(bus: Bus) -> list[int]:
    """By player of the agreement: the node."""
    return [bus.index[player.key] for player in state_of(bus).terms.players]


def leave(bus: Bus, absent: int) -> None:
    """This player's node is gone for a minute."""
    node = numbers(bus)[absent]
    for other in set(range(4)) - {node}:
        bus.links.discard(frozenset({node, other}))
        bus.nodes[other].link_down(bus.nodes[node].key.public, bus.now)
        bus.nodes[node].link_down(bus.nodes[other].key.public, bus.now)
    bus.nodes[node].handle_timer = lambda now: None  # type: ignore[method-assign]
    end = bus.now + LONG + 1
    bus.until(lambda: bus.now >= end, 100)


def wished(bus: Bus, absent: int, by: list[int]) -> list[events.PartingProposed]:
    """What one of those who stay hears while these players agree, one after the other."""
    for player in by:
        bus.nodes[numbers(bus)[player]].propose_parting(bus.now)
        bus.step()
    told = bus.told[numbers(bus)[by[0]]]
    return [event for event in told if isinstance(event, events.PartingProposed)]


def test_partners_are_those_who_win_and_lose_together() -> None:
    state = state_of(begun())
    for player in range(4):
        (partner,) = state.partners_of(player)
        assert state.partners_of(partner) == (player,)
        assert (state.seat_of(player) - state.seat_of(partner)) % 4 == 2


@pytest.mark.parametrize("of_a_bot", [True, False])
def test_the_others_are_told_when_only_a_bot_partner_has_not_agreed(of_a_bot: bool) -> None:
    bus = begun()
    state = state_of(bus)
    bots = [player for player, known in enumerate(state.terms.players) if known.bot is not None]
    absent = next(
        player for player in range(4) if (state.partners_of(player)[0] in bots) is of_a_bot
    )
    (partner,) = state.partners_of(absent)
    others = [player for player in range(4) if player not in (absent, partner)]
    leave(bus, absent)
    told = wished(bus, absent, others)
    assert [event.bots for event in told[:-1]] == [()] * (len(told) - 1) and len(told) >= 2
    nick = state.terms.players[partner].nick
    assert told[-1].bots == ((nick,) if of_a_bot else ())
    assert set(told[-1].ready) == {state.terms.players[player].nick for player in others}


def test_of_a_players_own_bots_nobody_is_told_that_they_wait() -> None:
    """They agree at once if the player has said that it leaves."""
    bus = begun((1, 2, 3))
    owner = numbers(bus).index(0)
    (partner,) = state_of(bus).partners_of(owner)
    leave(bus, owner)
    others = [player for player in range(4) if player not in (owner, partner)]
    told = wished(bus, owner, others)
    assert len(told[-1].ready) == 2 and told[-1].bots == ()
