"""What a hand is worth, against the words of SPEC.md."""

from __future__ import annotations

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC
from p2p304.rules.core.seats import side
from p2p304.rules.play.settlement import result_of
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
