"""The referee deals what the batches say, to the seat that they are for."""

from __future__ import annotations

import pytest

from p2p304.rules.core.phase import Phase
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.reference.random_hands import walk


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seed", range(3))
def test_batches_are_dealt_from_the_top_of_each_hand(name: str, seed: int) -> None:
    kept, done = walk(seed, preset(name))
    options, whole = kept.hand.options, [set(cards) for cards in kept.dealt]
    referee = Referee(options, kept.hand.dealer, kept.dealt, kept.undealt)
    first = [set(cards[: options.batches[0]]) for cards in kept.dealt]
    assert referee.held == first
    for action in done:
        referee.act(action)
        if referee.hand.phase is Phase.BID4:
            assert referee.held == first
        if referee.hand.phase is Phase.BID8:
            for held, cards in zip(referee.held, whole, strict=True):
                lying = {c for c in cards if c is referee.indicator}
                assert held | lying == cards
