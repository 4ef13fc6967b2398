"""Words for cards, bids and seats, the same in narration, choices and help.

Responsible for these words. Knows no state.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2p304.rules.core.actions import PCC
from p2p304.rules.core.cards import Card, Pack, Suit, by_suit

SEATS = ("South", "East", "North", "West")
RANKS = {"T": "10"}


def seat_word(seat: int, seats: int = 4) -> str:
    return SEATS[seat] if seats == 4 else f"seat {seat + 1}"


def bid_word(bid: int) -> str:
    return "Partner Close Caps" if bid == PCC else str(bid)


def card_word(card: Card) -> str:
    """Return ``JS`` as in the record: letters are the same on every terminal."""
    return card.name


def suit_word(suit: Suit) -> str:
    return suit.word


def hand_line(cards: Iterable[Card], pack: Pack) -> str:
    """Describe a hand by suit, the strongest first: ``S: J 9 A H: 10 7``."""
    held = by_suit(set(cards), pack)
    parts = []
    for suit in Suit:
        ranks = [RANKS.get(c.rank, c.rank) for c in held if c.suit is suit]
        if ranks:
            parts.append(f"{suit.value}: {' '.join(ranks)}")
    return "   ".join(parts) or "(no cards)"


def tokens_word(count: int) -> str:
    return "1 token" if count == 1 else f"{count} tokens"
