"""Means and spreads of honest deals, against deals counted one by one."""

from __future__ import annotations

from itertools import product
from math import perm, prod
from random import Random
from statistics import fmean, pvariance

import pytest

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


@pytest.mark.parametrize("deal", [Deal(32, 4), Deal(36, 6), Deal(40, 8), Deal("36-threes", 6)])
def test_means_and_spreads_are_those_of_many_deals(deal: Deal) -> None:
    random, count = Random(304), 2_500
    found: dict[str, list[float]] = {}
    figures = {"squares": squares_figure(deal), "neighbours": neighbours_figure(deal)}
    figures |= {of: weighed(deal, weights) for of, weights in deal.measures.items()}
    figures |= {f"longest {n}": one for n, one in longest_figures(deal).items()}
    for _ in range(count):
        pack = random.sample(deal.cards, len(deal.cards))
        hands = [frozenset(pack[seat :: deal.seats]) for seat in range(deal.seats)]
        row: dict[str, float] = {
            "squares": suit_squares(hands),
            "neighbours": neighbours(deal, hands),
            **{of: sum(w[c] for c in hands[0]) for of, w in deal.measures.items()},
        }
        longest = [longest_suit(hand) for hand in hands]
        row |= {f"longest {n}": longest.count(n) for n in longest_figures(deal)}
        for name, value in row.items():
            found.setdefault(name, []).append(value)
    assert found.keys() == figures.keys()
    for name, values in found.items():
        figure: Figure = figures[name]
        assert figure.least <= min(values) <= max(values) <= figure.most, name
        assert abs(fmean(values) - figure.mean) <= 4 * (figure.variance / count) ** 0.5 + 1e-9, name
        if figure.variance > 0.1:
            assert pvariance(values) == pytest.approx(figure.variance, rel=0.15), name


def test_the_chances_of_the_longest_suit_sum_to_all_hands() -> None:
    for deal in (Deal(24, 6), Deal(32, 2), Deal(32, 4), Deal(32, 8), Deal(36, 6), Deal(40, 8)):
        assert sum(one.mean for one in longest_figures(deal).values()) == pytest.approx(deal.seats)


@pytest.mark.parametrize("deal", [Deal(32, 4), Deal(36, 6), Deal(24, 6)])
def test_neighbours_pair_by_pair(deal: Deal) -> None:
    """The spread once more, from every pair of pairs and every way to seat their cards."""
    count, size = len(deal.cards), deal.size

    def chance(first: int, second: int) -> float:
        cards = sorted({first, first + 1, second, second + 1})
        ways = 0
        for seats in product(range(deal.seats), repeat=len(cards)):
            at = dict(zip(cards, seats, strict=True))
            if at[first] == at[first + 1] and at[second] == at[second + 1]:
                ways += prod(perm(size, seats.count(seat)) for seat in set(seats))
        return ways / perm(count, len(cards))

    near = {gap: chance(0, gap) for gap in (0, 1, 2)}
    pairs = range(count - 1)
    square = sum(near[min(2, abs(a - b))] for a in pairs for b in pairs)
    figure = neighbours_figure(deal)
    assert figure.mean == pytest.approx((count - 1) * near[0])
    assert figure.variance == pytest.approx(square - figure.mean**2)
