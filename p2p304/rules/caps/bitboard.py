"""Cards as bits, so that sets of cards are integers.

Responsible for sets of cards by their bits, and for suits as numbers from 0. It contains no rule.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2p304.rules.core.cards import CARDS, RANKS, Card, Suit

WIDTH = len(RANKS)
ALL_SUITS = 0b1111
_ONES = (1 << WIDTH) - 1
SUIT_CARDS = tuple(_ONES << (WIDTH * number) for number in range(len(Suit)))
"""All the bits of a suit, by the suit's number."""

_CARD = {one.bit: one for one in CARDS.values()}
SUIT_NUMBER = {suit: number for number, suit in enumerate(Suit)}


def bits(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    return sum(one.bit for one in cards)


def card_of(one: int) -> Card:
    """The card of a single bit; raises KeyError."""
    return _CARD[one]


def suit_of(one: int) -> int:
    """The number of the suit of a single bit."""
    return (one.bit_length() - 1) // WIDTH


def each(cards: int) -> list[int]:
    """The single bits of a set, the highest first."""
    out = []
    while cards:
        top = 1 << (cards.bit_length() - 1)
        out.append(top)
        cards ^= top
    return out
