"""Words for seats and hands that are the same in every language, and what is said about names.

Responsible for these words. Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2p304.rules.core.cards import Card, Pack, Suit, by_suit
from p2p304.rules.core.phrases import say

SEATS = ("South", "East", "North", "West")
RANKS = {"T": "10"}


def seat_word(seat: int, seats: int = 4) -> str:
    return SEATS[seat] if seats == 4 else f"seat {seat + 1}"


def hand_line(cards: Iterable[Card], pack: Pack) -> str:
    """Describe a hand by suit, the strongest first: ``S: J 9 A H: 10 7``."""
    held = by_suit(set(cards), pack)
    parts = []
    for suit in Suit:
        ranks = [RANKS.get(c.rank, c.rank) for c in held if c.suit is suit]
        if ranks:
            parts.append(f"{suit.value}: {' '.join(ranks)}")
    return "   ".join(parts) or "-"


ASK_NAME = say("What is your name? The other players see it. You can change it later.")
AWAITS_REMATCH = say("Waiting until the player who opened the last table opens it again.")
NO_NAME = say(
    "That cannot be a name. A name has 1 to 32 letters, digits or spaces, and no brackets, colons, "
    "full stops or commas."
)
