"""Counts over many games: who was dealt which cards, beside what honest deals would bring.

Responsible for the counting and for the bands. A band holds for every way in which the unseen hands
may have been dealt: a hand is seen or not for reasons that lie in its cards (a first hand worth
less than 15 points is dealt again), so the seen hands by themselves are no fair sample. Tests of
the counts are uniformity.py's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, floor, sqrt
from statistics import NormalDist

from p2p304.offline.fairness.deals import Cards, TableDeals
from p2p304.offline.fairness.honest_deals import (
    Deal,
    Figure,
    longest_figures,
    longest_suit,
    neighbours,
    neighbours_figure,
    squares_figure,
    suit_squares,
    weighed,
)
from p2p304.rules.core.cards import Card
from p2p304.rules.core.seats import names

LEVEL = 0.001
"""Of so many honest collections at most one is called conspicuous."""
SHARE = LEVEL / 4
"""What bands and tests may each use of it. The other half is a margin for small collections, where
the curves of large numbers are a little too thin."""
FEWEST = 10
"""Nothing is judged before every seat has dealt so often."""
FEWEST_EXPECTED = 20
"""A count has no band if honest deals bring fewer than this."""
MOST_PLAYERS = 12


@dataclass(slots=True)
class Holder:
    """A seat, a place or a player: how many hands it was dealt, how many of them were seen, and
    their cards."""

    name: str
    dealt: int = 0
    seen: int = 0
    cards: Counter[Card] = field(default_factory=Counter)

    def note(self, cards: frozenset[Card] | None) -> None:
        self.dealt += 1
        if cards is not None:
            self.seen += 1
            self.cards.update(cards)

    @property
    def unseen(self) -> int:
        return self.dealt - self.seen

    def count(self, weights: Mapping[Card, int]) -> int:
        return sum(weights[card] * times for card, times in self.cards.items())


@dataclass(slots=True)
class Collection:
    """All deals of one pack to one number of seats. ``holders`` are by kind: ``place`` (from the
    dealer's right to the dealer), ``seat`` and ``player`` (by key)."""

    deal: Deal
    games: set[str] = field(default_factory=set)
    tables: int = 0
    whole: Holder = field(default_factory=lambda: Holder("all"))
    holders: dict[str, dict[str, Holder]] = field(default_factory=dict)
    squares: int = 0
    neighbours: int = 0
    longest: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        seats = self.deal.seats
        places = [f"{n + 1}" for n in range(seats - 1)] + ["dealer"]
        self.holders = {
            "place": {name: Holder(name) for name in places},
            "seat": {name: Holder(name) for name in names(seats)},
            "player": {},
        }

    def note_table(self, table: TableDeals) -> None:
        self.games.add(table.preset)
        self.tables += 1
        for key, nick in zip(table.keys, table.nicks, strict=True):
            self.holders["player"].setdefault(key, Holder(nick))
        for hand in table.hands:
            self.note_hand(hand.dealer, hand.cards, table.keys)

    def note_hand(self, dealer: int, cards: Cards | None, keys: tuple[str, ...]) -> None:
        self.whole.note(None if cards is None else frozenset())
        by_place, by_seat = (list(self.holders[kind].values()) for kind in ("place", "seat"))
        seats = self.deal.seats
        for seat in range(seats):
            held = None if cards is None else cards[seat]
            by_place[(seat - dealer - 1) % seats].note(held)
            by_seat[seat].note(held)
            self.holders["player"][keys[seat]].note(held)
        if cards is not None:
            self.squares += suit_squares(cards)
            self.neighbours += neighbours(self.deal, cards)
            self.longest.update(map(longest_suit, cards))

    @property
    def players(self) -> list[Holder]:
        """The players with the most hands."""
        found = self.holders["player"].values()
        return sorted(found, key=lambda one: -one.dealt)[:MOST_PLAYERS]


def collections(tables: Iterable[TableDeals]) -> list[Collection]:
    """Count the tables, those of one pack and number of seats together."""
    found: dict[Deal, Collection] = {}
    for table in tables:
        deal = Deal(table.pack, table.seats)
        found.setdefault(deal, Collection(deal)).note_table(table)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Count:
    """One count: ``of`` what (``jacks``), ``by`` which kind of holder, and its ``holder``.

    ``mean`` is what the seen hands would hold on average, were they a fair sample; ``least`` and
    ``most`` are the band, or None for too few hands.
    """

    of: str
    by: str
    holder: str
    count: int
    mean: float
    least: int | None = None
    most: int | None = None

    @property
    def is_outside(self) -> bool:
        return (
            self.least is not None
            and self.most is not None
            and not (self.least <= self.count <= self.most)
        )


def is_judged(seats: int, holder: Holder) -> bool:
    """Whether this many hands are enough for a band or a test."""
    return holder.dealt >= FEWEST * seats


def counts(all_of_them: Iterable[Collection]) -> list[list[Count]]:
    """Return the counts of each collection with their bands, which hold all together."""
    raw = [(one.deal.seats, list(_raw(one))) for one in all_of_them]
    judged = sum(_has_band(seats, row[3], row[4]) for seats, rows in raw for row in rows)
    width = NormalDist().inv_cdf(1 - SHARE / (2 * max(1, judged)))
    return [[_count(seats, *row, width) for row in rows] for seats, rows in raw]


def _raw(one: Collection) -> Iterator[tuple[str, str, int, Holder, Figure]]:
    for of, weights in one.deal.measures.items():
        figure = weighed(one.deal, weights)
        for kind, holders in one.holders.items():
            for holder in one.players if kind == "player" else holders.values():
                yield of, kind, holder.count(weights), holder, figure
    share = Figure(1 / one.deal.seats, (one.deal.seats - 1) / one.deal.seats**2, 0, 1)
    for card in one.deal.cards:
        for holder in one.holders["seat"].values():
            yield card.name, "seat", holder.cards[card], holder, share
    for length, figure in longest_figures(one.deal).items():
        row = Holder(str(length), one.whole.dealt, one.whole.seen)
        yield "longest suit", "length", one.longest[length], row, figure
    yield "suit squares", "deal", one.squares, one.whole, squares_figure(one.deal)
    yield "neighbours", "deal", one.neighbours, one.whole, neighbours_figure(one.deal)


def _has_band(seats: int, holder: Holder, figure: Figure) -> bool:
    return is_judged(seats, holder) and figure.mean * holder.dealt >= FEWEST_EXPECTED


def _count(
    seats: int, of: str, by: str, count: int, holder: Holder, figure: Figure, width: float
) -> Count:
    mean = figure.mean * holder.seen
    if not _has_band(seats, holder, figure):
        return Count(of, by, holder.name, count, mean)
    middle, spread = figure.mean * holder.dealt, width * sqrt(figure.variance * holder.dealt)
    least = ceil(middle - spread - holder.unseen * figure.most)
    most = floor(middle + spread - holder.unseen * figure.least)
    top = floor(figure.most * holder.seen)
    return Count(of, by, holder.name, count, mean, max(0, least), min(top, most))
