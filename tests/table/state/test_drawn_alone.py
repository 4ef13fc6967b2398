"""A card is drawn to a hand of which everybody knows all cards, as king and queen of every suit
may have been shown: nothing is left to hide where it lies, and nothing to be re-ordered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.rules.core.actions import Action, Marriage
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.presets import preset
from p2p304.table.machine.table_machine import TableMachine
from tests.support.table import simnet


def lowest(view: View) -> Action:
    return next(action for action in legal(view) if not isinstance(action, Marriage))


def table_for_two() -> simnet.Net:
    net = simnet.make(3, hands=1, rules=preset("online-2").override({"marriages": "on"}))
    net.choosers = [lowest] * 2
    return net


def second_trick() -> int:
    """The place at which somebody leads to the second trick."""

    def leads(table: TableMachine) -> bool:
        state = table.state
        if state is None or state.hand is None or state.deal is None:
            return False
        hand, deal = state.hand, state.deal
        waits = deal.batch or deal.to_relock or hand.trick is not None
        return hand.phase is Phase.PLAY and hand.completed_count == 1 and not waits

    net = table_for_two()
    net.run(until=lambda: leads(net.tables[0]))
    return net.tables[0].chain.next_seq


def shown(net: simnet.Net, seat: int, hidden: int) -> None:
    """Everybody knows all cards of this seat but so many."""
    holder = next(table for table in net.tables if table.seat == seat)
    state = holder.state
    assert state is not None
    deal = state.open_deal
    held = deal.holdings[seat]
    secrets = holder.me.secrets
    kept = [n for n, slot in enumerate(held.hand) if slot is not None][:hidden]
    hand = tuple(
        slot if slot is None or n in kept else replace(slot, card=secrets.read(deal, held, slot))
        for n, slot in enumerate(held.hand)
    )
    for table in net.tables:
        own = table.state
        assert own is not None
        after = own.open_deal.with_holding(seat, replace(held, hand=hand))
        table.replica.state = own.with_deal(after)


@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_a_card_drawn_to_an_open_hand_is_played_on(hidden: int) -> None:
    net = table_for_two()
    net.come_to(second_trick())
    shown(net, 0, hidden)
    for table in net.tables:
        table.replica.blocked_from = None
    net.run()
    assert net.finished
    assert not any(table.stopped for table in net.tables) and not any(net.evidence)
    records = [table.state.last_record for table in net.tables if table.state is not None]
    assert records[0] == records[1] and records[0] is not None and records[0].number == 1
