"""Cards as bits, so that sets of cards are integers.

Responsible for sets of cards by their bits, for suits as numbers from 0, and for counting places
against cards: each place takes cards of certain suits only, so that Hall's condition over sets of
suits decides whether the unseen cards can be placed at all. It contains no rule.
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
_S, _H, _D, _C = SUIT_CARDS


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


def is_placeable(counts: tuple[int, int, int, int], places: dict[int, int]) -> bool:
    """Whether cards, so many of each suit, fill ``places`` (set of suits to number of cards, in
    all as many as there are cards): no set of suits has more places confined to it than cards."""
    confined = [(suits, n) for suits, n in places.items() if suits != ALL_SUITS]
    if not confined:
        return True
    unions = {0}
    for suits, _ in confined:
        unions |= {suits | union for union in unions}
    spades, hearts, diamonds, clubs = counts
    for union in unions:
        left = (spades if union & 1 else 0) + (hearts if union & 2 else 0)
        left += (diamonds if union & 4 else 0) + (clubs if union & 8 else 0)
        for suits, n in confined:
            if not suits & ~union:
                left -= n
        if left < 0:
            return False
    return True


def suit_counts(pool: int) -> tuple[int, int, int, int]:
    """How many cards of each suit."""
    return (
        (pool & _S).bit_count(),
        (pool & _H).bit_count(),
        (pool & _D).bit_count(),
        (pool & _C).bit_count(),
    )
