"""Cards, packs, their order and points.

Responsible for the text names (``JS``, ``TD``) and the printed order. It contains no rule of
play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Suit(Enum):
    """The four suits; the value is the letter used in text."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def word(self) -> str:
        return self.name.lower()


class Card:
    """One card: ``suit``, ``rank`` (a letter of ``J9ATKQ87632``), ``name`` such as ``JS``;
    ``bit`` is a power of two of its own, for sets of cards as integers: a suit's bits lie together,
    a stronger card's higher.

    There is one object for each card (see `card`), so identity is equality.
    """

    __slots__ = ("bit", "name", "rank", "suit")
    name: str
    rank: str
    suit: Suit
    bit: int

    def __init__(self, rank: str, suit: Suit, number: int) -> None:
        self.rank, self.suit, self.name, self.bit = rank, suit, rank + suit.value, 1 << number

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (self.name,)

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self


RANKS = "23J9ATKQ876"
"""From the highest down, as far as a pack has them; 2 and 3 lead in the Tamil packs."""
POINTS: Mapping[str, int] = {"J": 30, "9": 20, "A": 11, "T": 10, "K": 3, "Q": 2, "3": 50, "2": 100}
CARDS = {
    rank + suit.value: Card(rank, suit, len(RANKS) * number + place)
    for number, suit in enumerate(Suit)
    for place, rank in enumerate(reversed(RANKS))
}
"""Every card of any pack, by name."""


class UnknownCard(ValueError):
    """A text that names no card."""


def card(name: str) -> Card:
    """The card with this exact name; ``10D`` is read as ``TD``. Raises UnknownCard."""
    found = CARDS.get(f"T{name[2:]}" if name.startswith("10") else name)
    if found is None:
        raise UnknownCard(f"{name[:8]!r} is not a card")
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """The cards of a game in printed order, and by name; ``strength`` orders a suit, ``points``
    count, in all ``total``."""

    cards: tuple[Card, ...]
    named: Mapping[str, Card] = field(repr=False)
    strength: Mapping[Card, int] = field(repr=False)
    points: Mapping[Card, int] = field(repr=False)
    total: int


def _pack(ranks: str) -> Pack:
    cards = tuple(CARDS[rank + suit.value] for suit in Suit for rank in ranks)
    strength = {c: len(RANKS) - RANKS.index(c.rank) for c in cards}
    points = {c: POINTS.get(c.rank, 0) for c in cards}
    return Pack(cards, {c.name: c for c in cards}, strength, points, sum(points.values()))


PACKS: Mapping[int | str, Pack] = {
    24: _pack("J9ATKQ"),
    32: _pack("J9ATKQ87"),
    36: _pack("J9ATKQ876"),
    "36-threes": _pack("3J9ATKQ87"),
    40: _pack("23J9ATKQ87"),
}
"""Packs by what options call them: how many cards, and for Tamil 504 which."""


def by_suit(cards: frozenset[Card] | set[Card], pack: Pack) -> list[Card]:
    """Cards as a hand is held: by suit (S H D C), the strongest first."""
    order = list(Suit)
    return sorted(cards, key=lambda c: (order.index(c.suit), -pack.strength[c]))
