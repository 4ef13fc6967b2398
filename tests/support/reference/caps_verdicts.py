"""The verdicts on both sides alone, as the tests ask for them."""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.rules.core.cards import Card
from p2p304.rules.play.caps_judgement import Claim, Verdict, rulings
from p2p304.rules.state.hand import Hand


def verdicts(
    hand: Hand, hands: Sequence[frozenset[Card]], claim: Claim | None, mode: str
) -> tuple[Verdict | None, ...]:
    return tuple(None if one is None else one.verdict for one in rulings(hand, hands, claim, mode))
