"""Words for seats and hands that are the same in every language, and what is said about names.

Responsible for these words. Knows no state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from p2p304.rules.core.cards import Card, Pack, Suit, by_suit
from p2p304.rules.core.phrases import say

SEATS = ("South", "East", "North", "West")
RANKS = {"T": "10"}


def seat_word(seat: int, seats: int = 4) -> str:
    return SEATS[seat] if seats == 4 else f"seat {seat + 1}"


def hand_line(
    cards: Iterable[Card], pack: Pack, translate: Callable[[str], str] = lambda text: text
) -> str:
    """Describe a hand by suit, the strongest first: ``S: J 9 A H: 10 7``. Where a suit's word in
    this language does not begin with its letter, the word stands before it."""
    held = by_suit(set(cards), pack)
    parts = []
    for suit in Suit:
        ranks = [RANKS.get(c.rank, c.rank) for c in held if c.suit is suit]
        if ranks:
            word = translate(suit.word)
            is_clear = word.upper().startswith(suit.value)
            name = suit.value if is_clear else f"{word} {suit.value}"
            parts.append(f"{name}: {' '.join(ranks)}")
    return "   ".join(parts) or "-"


ASK_NAME = say("What is your name? The other players see it. You can change it later.")
AWAITS_REMATCH = say("Waiting for {nick} to open the table again.")
NO_NAME = say(
    "That cannot be a name. A name has 1 to 32 letters, digits or spaces, and no brackets, colons, "
    "full stops or commas."
)
