"""What honest deals do: exact means and spreads, and the least and most that one hand can add.

Responsible for the arithmetic of a pack that is dealt out evenly in a uniformly random order. It
knows no game and no file. A *figure* is a number that a dealt hand adds to a count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from math import comb, perm, prod

from p2p304.rules.core.cards import PACKS, POINTS, Card, Suit

VALUABLE = 20
"""Points from which on a rank is counted by itself: jacks and nines, and threes and twos."""
RANK_WORDS = {"J": "jacks", "9": "nines", "3": "threes", "2": "twos"}


@dataclass(frozen=True, slots=True)
class Figure:
    """Mean and variance of a figure for one hand, and its bounds."""

    mean: float
    variance: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Deal:
    """How a pack is dealt out: to ``seats`` seats, the same number of cards to each."""

    pack: int | str
    seats: int

    @property
    def cards(self) -> tuple[Card, ...]:
        return PACKS[self.pack].cards

    @property
    def size(self) -> int:
        return len(self.cards) // self.seats

    @property
    def measures(self) -> dict[str, Mapping[Card, int]]:
        """What is counted of a seat's cards: each valuable rank, and the points."""
        ranks = dict.fromkeys(c.rank for c in self.cards if POINTS.get(c.rank, 0) >= VALUABLE)
        found: dict[str, Mapping[Card, int]] = {
            RANK_WORDS[rank]: {c: int(c.rank == rank) for c in self.cards} for rank in ranks
        }
        return {**found, "points": PACKS[self.pack].points}


def weighed(deal: Deal, weights: Mapping[Card, int]) -> Figure:
    """Return what the cards of one seat weigh together."""
    values, size = sorted(weights[c] for c in deal.cards), deal.size
    count = len(values)
    mean = sum(values) / count
    spread = sum((value - mean) ** 2 for value in values) / count
    variance = size * spread * (count - size) / (count - 1)
    return Figure(size * mean, variance, sum(values[:size]), sum(values[-size:]))


def suit_squares(cards: Iterable[frozenset[Card]]) -> int:
    """Return the squares of all suits' lengths, over all seats: the more one-sided the hands, the
    larger."""
    return sum(n * n for held in cards for n in Counter(c.suit for c in held).values())


@lru_cache(maxsize=16)
def squares_figure(deal: Deal) -> Figure:
    """Return `suit_squares` of one deal.

    The mean of a product of falling factorials of cells is the product of those of the margins over
    that of the pack, since every order of the pack is equally likely.
    """
    size, suit, count, seats = deal.size, len(deal.cards) // 4, len(deal.cards), deal.seats

    def mean(rows: tuple[int, ...], columns: tuple[int, ...]) -> float:
        rising = prod(perm(size, r) for r in rows) * prod(perm(suit, c) for c in columns)
        return rising / perm(count, sum(rows))

    single = mean((1,), (1,)) + mean((2,), (2,))
    fourth = sum(times * mean((n,), (n,)) for n, times in ((1, 1), (2, 7), (3, 6), (4, 1)))
    both = tuple(product((1, 2), repeat=2))
    row = sum(mean((a + b,), (a, b)) for a, b in both)
    column = sum(mean((a, b), (a + b,)) for a, b in both)
    apart = sum(mean((a, b), (a, b)) for a, b in both)
    cells = 4 * seats
    square = cells * (fourth + 3 * row + (seats - 1) * column + 3 * (seats - 1) * apart)
    whole = cells * single
    most = sum(n * n for n in (min(size, suit), max(0, size - suit)))
    return Figure(whole, square - whole**2, seats * size * size / 4, seats * most)


def neighbours(deal: Deal, cards: Iterable[frozenset[Card]]) -> int:
    """Return how many cards lie in one hand with the next card of the printed order."""
    seat = {card: number for number, held in enumerate(cards) for card in held}
    order = deal.cards
    return sum(seat[a] == seat[b] for a, b in pairwise(order))


@lru_cache(maxsize=16)
def neighbours_figure(deal: Deal) -> Figure:
    """Return `neighbours` of one deal: pairs that share a card apart from those that do not."""
    size, count, seats = deal.size, len(deal.cards), deal.seats
    pairs = count - 1
    one = (size - 1) / (count - 1)
    three = one * (size - 2) / (count - 2)
    same = seats * perm(size, 4) + seats * (seats - 1) * perm(size, 2) ** 2
    four = same / perm(count, 4)
    touching = 2 * (pairs - 1)
    square = pairs * one + touching * three + (pairs * (pairs - 1) - touching) * four
    return Figure(pairs * one, square - (pairs * one) ** 2, 0, count - seats)


def longest_suit(cards: frozenset[Card]) -> int:
    return max(Counter(card.suit for card in cards).values())


@lru_cache(maxsize=16)
def longest_figures(deal: Deal) -> dict[int, Figure]:
    """Return, for every length of the longest suit, how many hands of one deal have it."""
    size, suit, count, seats = deal.size, len(deal.cards) // 4, len(deal.cards), deal.seats
    splits = [s for s in product(range(min(size, suit) + 1), repeat=len(Suit)) if sum(s) == size]
    alone: dict[int, float] = {}
    together: dict[int, float] = {}
    for sorted_split, times in Counter(tuple(sorted(s)) for s in splits).items():
        length = max(sorted_split)
        chance = times * prod(comb(suit, n) for n in sorted_split) / comb(count, size)
        alone[length] = alone.get(length, 0.0) + chance
        second = sum(
            prod(comb(suit - a, b) for a, b in zip(sorted_split, other, strict=True))
            for other in splits
            if max(other) == length
        ) / comb(count - size, size)
        together[length] = together.get(length, 0.0) + chance * second
    return {
        length: Figure(
            seats * p,
            seats * p * (1 - p) + seats * (seats - 1) * (together[length] - p * p),
            0,
            seats,
        )
        for length, p in sorted(alone.items())
    }
