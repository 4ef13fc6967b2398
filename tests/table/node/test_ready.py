"""Between hands: a person is asked before every new deal, not only before every other one."""

from __future__ import annotations

from functools import partial

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.play.view import View, legal
from p2p304.table.state.events import HandOver, NextHand
from tests.support.table import simnet


def passing(view: View) -> Action:
    return next((a for a in legal(view) if isinstance(a, acts.Pass)), legal(view)[0])


def test_a_person_is_asked_before_every_deal() -> None:
    net = simnet.make(1, hands=4)
    net.choosers = [passing] * 4
    person = net.tables[0]
    person.turns.is_patient = True

    def asked() -> list[int]:
        return [event.number for event in net.told[0] if isinstance(event, NextHand)]

    for number in (2, 3, 4):
        due = list(range(2, number + 1))
        net.run(seconds=30, until=partial(lambda wanted: asked() == wanted, due))
        assert asked() == due
        assert sum(isinstance(event, HandOver) for event in net.told[0]) == number - 1
        person.ready(net.now)
