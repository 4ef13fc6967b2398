"""The solver against the naive twin: endings of full hands, and whole hands of small packs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import caps_twin
import pytest
from caps_hands import PAGAT, Moment, all_orders, moments, placings, play, strong_deal

from p2p304.rules import cards
from p2p304.rules.caps import could_call, find_order, knowledge
from p2p304.rules.options import Options
from p2p304.rules.referee import Referee

SMALL = {"three tricks": ("J9A", (2, 1)), "four tricks": ("J9AT", (2, 2)), "full": (None, (4, 4))}


@pytest.fixture(params=SMALL)
def options(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Options:
    """The full game, and games with packs so small that the twin can follow from early on."""
    ranks, deal = SMALL[request.param]
    if ranks is None:
        return PAGAT
    monkeypatch.setitem(cards.PACKS, 4 * len(ranks), cards._pack(ranks))  # type: ignore[arg-type]
    return replace(PAGAT, cards=4 * len(ranks), deal=deal)


def endings(options: Options, seeds: range, limit: int) -> Iterator[Moment]:
    """Moments of random hands with at most so many placings of the unseen cards."""
    for seed in seeds:
        rng = random.Random(seed)
        hands = strong_deal(rng, options, rng.choice([0.3, 1.0, 2.0]))
        for referee in play(rng, Referee(options, rng.randrange(4), hands)):
            if len(referee.hand.tricks) >= options.tricks - 2:
                yield from (m for m in moments(referee) if placings(m) <= limit)


def agree(moment: Moment) -> bool:
    """Solver and twin say the same of every order; whether there is one."""
    hand, seat = moment.hand, moment.seat
    known = knowledge(hand, seat, moment.cards, moment.known, moment.indicator)
    expected = caps_twin.orders(hand, seat, moment.cards, moment.known, moment.indicator)
    found = find_order(known)
    assert (found in expected) if found is not None else not expected, (moment, expected)
    for order in all_orders(moment.cards):
        assert could_call(known, order) == (order in expected), (moment, order)
    return bool(expected)


def test_solver_and_twin_agree_on_endings(options: Options) -> None:
    counted: Counter[tuple[bool, bool]] = Counter()
    for moment in endings(options, range(60), 24):
        counted[moment.hand.trumps_open, agree(moment)] += 1
    assert counted[True, True] > 10 and counted[True, False] > 10, counted
    assert counted[False, True] > 0 or counted[False, False] > 0, counted
