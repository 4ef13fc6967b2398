"""A hand as a value: who applies an action to it, or copies it, has another one."""

from __future__ import annotations

from dataclasses import fields

import pytest

from p2p304.rules.core.actions import HALF_COURT
from p2p304.rules.play import engine, transitions
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.variants.presets import preset
from tests.support.reference.random_hands import walk


def _facts(hand: Hand) -> tuple[str, list[object], tuple[object, ...]]:
    return repr(hand), list(hand.history), hand.tricks


def test_a_hand_begins_with_nothing_said_or_played() -> None:
    hand = Hand.start(preset("pagat"), 3)
    begun = {item.name for item in fields(hand) if getattr(hand, item.name)}
    assert begun == {"options", "dealer", "phase", "auction", "playing", "next_seat"}
    assert (hand.turn, hand.phase) == (0, Phase.BID4)


def test_half_court_is_played_with_the_first_cards_alone() -> None:
    hand = Hand.start(preset("six-24").override({"half_court": "on"}), 3)
    assert hand.tricks_due == 4
    hand.bid = HALF_COURT
    assert hand.tricks_due == 3


@pytest.mark.parametrize("name", ["pagat", "half-court", "maharashtra", "tamil-304", "online-2"])
@pytest.mark.parametrize("seed", range(4))
def test_an_action_leaves_the_hand_before_it_as_it_was(name: str, seed: int) -> None:
    referee, _ = walk(seed, preset(name))
    hand = referee.hand.restarted()
    for action in referee.hand.history:
        was, copy = _facts(hand), hand.copied()
        after = engine.apply(hand, action)
        engine.change(copy, transitions.check(copy, action), action)
        assert _facts(hand) == was
        assert _facts(copy) == _facts(after) and copy == after
        hand = after
    assert hand == referee.hand


@pytest.mark.parametrize("seed", range(4))
def test_a_referee_alone_comes_to_the_same_hand(seed: int) -> None:
    """Whether hands before are kept or changed in place makes no difference."""
    kept, done = walk(seed, preset("catsatcards"))
    alone = type(kept)(kept.hand.options, kept.hand.dealer, kept.dealt, kept.undealt, alone=True)
    only = alone.hand
    for action in done:
        alone.act(action)
    assert alone.hand is only and alone.hand == kept.hand
    assert alone.true_cards == kept.true_cards
