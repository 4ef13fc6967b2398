"""Words that every explanation needs.

Responsible for what a seat is called. It contains no rule.
"""

from __future__ import annotations

from p2p304.rules.core.seats import Seat, names
from p2p304.rules.state.hand import Hand

Remark = tuple[str, str]
"""A sentence and the rule it goes by; no rule where the sentence only tells what came of it."""
_FOUR = ("South", "East", "North", "West")


def seat_word(hand: Hand, seat: Seat) -> str:
    """``East``, or ``Player 3`` at a table not of four."""
    count = hand.options.seats
    return _FOUR[seat] if count == len(_FOUR) else f"Player {names(count)[seat]}"
