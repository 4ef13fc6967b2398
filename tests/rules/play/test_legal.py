"""What is listed as legal in play is what the checks allow of everything that could be done."""

from __future__ import annotations

import contextlib
import random

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Suit
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import word
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View, check_all, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.reference.random_hands import dealt


def everything(view: View) -> list[Action]:
    seat, cards = view.seat, sorted(view.held, key=lambda card: card.name)
    found: list[Action] = [
        Play(seat, card, down, card is view.indicator) for card in cards for down in (False, True)
    ]
    marriages = [acts.Marriage(seat, suit) for suit in Suit]
    return [*found, acts.Reveal(seat), acts.Double(seat), *marriages]


def is_allowed(view: View, action: Action) -> bool:
    try:
        check_all(view, action)
    except RuleBroken:
        return False
    return True


def call_caps(referee: Referee, seat: int, chance: random.Random) -> None:
    """Call Caps, if that is allowed, with the cards in any order; it binds, true or false."""
    order = sorted(referee.view(seat).held, key=lambda card: card.name)
    chance.shuffle(order)
    with contextlib.suppress(RuleBroken):
        referee.act(acts.Caps(seat, tuple(order)))


@pytest.mark.parametrize("name", PRESETS)
def test_all_that_is_allowed_is_legal_also_after_a_call_of_caps(name: str) -> None:
    options, bound = preset(name), 0
    for seed in range(12):
        chance = random.Random(seed)
        referee = dealt(options, chance, seed % options.seats)
        while (seat := referee.hand.turn) is not None:
            if referee.hand.phase is Phase.PLAY and chance.random() < 0.1:
                call_caps(referee, seat, chance)
            view = referee.view(seat)
            able = legal(view)
            if referee.hand.phase is Phase.PLAY:
                allowed = [action for action in everything(view) if is_allowed(view, action)]
                assert sorted(allowed, key=word) == list(able)
                bound += view.hand.caps is not None and view.hand.caps.seat == seat
            low = [one for one in able if not isinstance(one, acts.Bid) or one.amount < 250]
            referee.act(chance.choice(low or able))
    assert (bound > 0) is (options.caps != "off")
