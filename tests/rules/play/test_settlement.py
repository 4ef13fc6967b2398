"""What a hand is worth, against the words of SPEC.md."""

from __future__ import annotations

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Play
from p2p304.rules.core.cards import card
from p2p304.rules.core.phrases import verbatim
from p2p304.rules.core.seats import side
from p2p304.rules.play.counting import indicator_of
from p2p304.rules.play.settlement import Charge, broken_off_result, result_of
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import won_and_lost
from p2p304.rules.variants.presets import preset
from tests.support.reference.random_hands import walk


@pytest.mark.parametrize("wrong", ["instead", "additive"])
def test_a_call_too_early_costs_two_and_one_that_fails_five(wrong: str) -> None:
    """With ``additive`` the trump maker's side pays for a failed bid beside the two."""
    quiet = preset("pagat").override({"caps": "off"})
    seen = set()
    for seed in range(40):
        hand = walk(seed, quiet)[0].hand.copied()
        if hand.result is None or hand.result.void or hand.bid == PCC:
            continue
        hand.options = quiet.override({"caps": "grace", "wrong_caps": wrong})
        for caller in range(4):
            for settled in (0, 7):
                hand.caps, hand.caps_after = acts.Caps(caller, ()), settled
                winners = [t.winner for t in hand.tricks[settled:] if t.winner is not None]
                fails = any(side(winner) != side(caller) for winner in winners)
                pays_bid = side(caller) == side(hand.maker or 0) and not hand.result.made
                cost = 5 if fails else 2
                if wrong == "additive" and pays_bid and not fails:
                    cost += won_and_lost(quiet, hand.bid)[1]
                paid = result_of(hand).tokens
                assert (paid[side(caller)], paid[1 - side(caller)]) == (-cost, cost)
                seen.add((fails, pays_bid))
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("doubled", "offender", "cost"), [(0, 0, 5), (0, 1, 4), (1, 1, 5), (1, 0, 5), (None, 1, 3)]
)
def test_a_violation_after_a_double_costs_what_the_double_may_and_two(
    doubled: int | None, offender: int, cost: int
) -> None:
    hand = Hand.start(preset("tamil-304"), 3)
    hand.maker, hand.bid, hand.doubled = 0, 160, doubled
    charge = Charge(verbatim("a violation"), verbatim("a violation"))
    paid = broken_off_result(hand, offender, charge).tokens
    assert (paid[offender], paid[1 - offender]) == (-cost, cost)


def test_an_indicator_that_was_never_shown_is_the_last_card_that_its_owner_opens() -> None:
    hand = Hand.start(preset("pagat"), 3)
    hand.maker, hand.opened = 1, {0: (card("JS"),), 1: (card("7D"), card("8C"), card("TS"))}
    assert indicator_of(hand) is card("TS")
    hand.plays = (Play(0, card("JH")), Play(1, card("9S"), True, indicator=True))
    assert indicator_of(hand) is card("9S")
