"""Cards as bits, so that sets of cards are integers.

Responsible for the numbering: twelve bits for each suit, a stronger card on a higher bit, suits as
numbers from 0. It contains no rule.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2p304.rules.core.cards import RANKS, Card, Suit, card

WIDTH = 12
SUITS = tuple(Suit)
ALL_SUITS = 0b1111
_ONES = (1 << WIDTH) - 1
SUIT_CARDS = tuple(_ONES << (WIDTH * number) for number in range(len(SUITS)))
"""All the bits of a suit, by the suit's number."""

_BIT = {
    card(rank + suit.value): 1 << (WIDTH * number + len(RANKS) - place)
    for number, suit in enumerate(SUITS)
    for place, rank in enumerate(RANKS)
}
_CARD = {bit: one for one, bit in _BIT.items()}
SUIT_NUMBER = {suit: number for number, suit in enumerate(SUITS)}


def bit(one: Card) -> int:
    """The bit of a card."""
    return _BIT[one]


def bits(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    total = 0
    for one in cards:
        total |= _BIT[one]
    return total


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
