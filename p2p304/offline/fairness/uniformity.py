"""Tests of the counts: does a uniformly random pack explain them?

Responsible for the statistics and for the correction for many tests. It needs scipy (the extra
``fairness``), which is loaded here alone. Each statistic is the least that it can be, whatever the
unseen hands held: so a test raises no alarm because of the hands that players choose to reject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from p2p304.offline.fairness.counts import SHARE, Collection, Holder, is_judged
from p2p304.offline.fairness.honest_deals import (
    Deal,
    Figure,
    neighbours_figure,
    squares_figure,
    weighed,
)
from p2p304.rules.core.cards import Card


@dataclass(frozen=True, slots=True)
class Tails:
    """The chance that chance alone goes so far: chi-square with its degrees of freedom, and a
    normal value to either side."""

    chi_square: Callable[[int, float], float]
    two_sided: Callable[[float], float]


@dataclass(frozen=True, slots=True)
class UniformityTest:
    """One test: its name, its p-value, and that corrected for all tests made together."""

    name: str
    p: float
    corrected: float = 1.0

    @property
    def has_found(self) -> bool:
        return self.corrected < SHARE


def scipy_tails() -> Tails | None:
    """Return the distributions that the tests need, or None without scipy."""
    try:
        from scipy.special import chdtrc, ndtr
    except ImportError:
        return None
    return Tails(lambda df, x: float(chdtrc(df, x)), lambda z: float(2 * ndtr(-abs(z))))


def uniformity_tests(all_of_them: Sequence[Collection], tails: Tails) -> list[list[UniformityTest]]:
    """Test each collection; the correction is for all of them together."""
    found = [list(_tests(one, tails)) for one in all_of_them]
    fixed = iter(holm([p for each in found for _, p in each]))
    return [[UniformityTest(name, p, next(fixed)) for name, p in each] for each in found]


def holm(values: Sequence[float]) -> list[float]:
    """Correct p-values by Holm's method.

    It bounds the chance of even one false alarm, however the tests hang together; these do, since
    they read the same cards. Benjamini and Hochberg bound the share of false alarms among all
    alarms, which is little help to the one player who is suspected falsely.
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    fixed, worst = [1.0] * len(values), 0.0
    for rank, place in enumerate(order):
        worst = max(worst, min(1.0, (len(values) - rank) * values[place]))
        fixed[place] = worst
    return fixed


def _tests(one: Collection, tails: Tails) -> Iterator[tuple[str, float]]:
    if not is_judged(one.deal.seats, one.whole):
        return
    deal, whole = one.deal, one.whole
    for kind in ("place", "seat"):
        holders = one.holders[kind].values()
        yield f"cards by {kind}", _cards(deal, holders, tails)
        for of, weights in deal.measures.items():
            yield f"{of} by {kind}", _measure(deal, weights, holders, tails)
    for player in one.players:
        if is_judged(deal.seats, player):
            for of, weights in deal.measures.items():
                figure = weighed(deal, weights)
                gap = _gap(player.count(weights), player, figure)
                z = gap / sqrt(figure.variance * player.dealt)
                yield f"{of} of {player.name}", tails.two_sided(z)
    for name, count, figure in (
        ("lengths of suits", one.squares, squares_figure(deal)),
        ("neighbours in one hand", one.neighbours, neighbours_figure(deal)),
    ):
        z = _gap(count, whole, figure) / sqrt(figure.variance * whole.dealt)
        yield name, tails.two_sided(z)


def _gap(count: float, holder: Holder, figure: Figure) -> float:
    """Return how far the count of all hands must be from its mean, whatever the unseen held."""
    middle = figure.mean * holder.dealt
    low = count + holder.unseen * figure.least
    high = count + holder.unseen * figure.most
    return max(0.0, low - middle, middle - high)


def _measure(
    deal: Deal, weights: Mapping[Card, int], holders: Iterable[Holder], tails: Tails
) -> float:
    """Compare how much each seat was dealt. The seats' sums are fixed together, which leaves one
    degree of freedom less than seats."""
    figure, sums = weighed(deal, weights), 0.0
    for holder in holders:
        sums += _gap(holder.count(weights), holder, figure) ** 2 / max(1, holder.dealt)
    return tails.chi_square(deal.seats - 1, sums / figure.variance * (deal.seats - 1) / deal.seats)


def _cards(deal: Deal, holders: Iterable[Holder], tails: Tails) -> float:
    """Compare every card at every seat: rows and columns of this table are fixed."""
    count, sums = len(deal.cards), 0.0
    share = Figure(deal.size / count, 0, 0, 1)
    for holder in holders:
        for card in deal.cards:
            gap = _gap(holder.cards[card], holder, share)
            sums += gap**2 / max(1, holder.dealt) / share.mean
    freedom = (count - 1) * (deal.seats - 1)
    return tails.chi_square(freedom, sums * (count - 1) / count)
