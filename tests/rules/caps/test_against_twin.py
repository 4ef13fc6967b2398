"""The solver against the naive twin: endings of full hands, and whole hands of small packs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2p304.rules.caps import could_call, find_order, knowledge
from p2p304.rules.core import cards
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.options import Options
from tests.support.reference import caps_plain, caps_twin
from tests.support.reference.caps_hands import (
    PAGAT,
    Moment,
    all_orders,
    moments,
    placings,
    play,
    strong_deal,
)

SMALL = {"three tricks": ("J9A", (2, 1)), "four tricks": ("J9AT", (2, 2)), "full": (None, (4, 4))}


@pytest.fixture(params=SMALL)
def options(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Options:
    """The full game, and games with packs so small that the twin can follow from early on."""
    ranks, deal = SMALL[request.param]
    if ranks is None:
        return PAGAT
    monkeypatch.setitem(cards.PACKS, 4 * len(ranks), cards._pack(ranks))
    return replace(PAGAT, pack_name=4 * len(ranks), deal="+".join(map(str, deal)))


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


def test_the_two_twins_agree(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for moment in endings(options, range(500, 512), 24):
        arguments = (moment.hand, moment.seat, moment.cards, moment.known, moment.indicator)
        for world in caps_twin.worlds(*arguments):
            slow = caps_twin.surviving(world, moment.seat)
            assert caps_plain.surviving(world, moment.seat) == slow
            compared += 1
    assert compared > 20


def test_solver_and_twin_agree_on_endings(options: Options) -> None:
    counted: Counter[tuple[bool, bool]] = Counter()
    for moment in endings(options, range(25), 24):
        counted[moment.hand.has_open_trumps, agree(moment)] += 1
    assert counted[True, True] > 5 and counted[True, False] > 5, counted


def test_solver_and_plain_twin_agree_on_many(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps_twin, "surviving", caps_plain.surviving)
    counted: Counter[tuple[bool, bool]] = Counter()
    for moment in endings(options, range(2000, 2032), 200):
        counted[moment.hand.has_open_trumps, agree(moment)] += 1
    assert counted[True, True] > 20 and counted[True, False] > 20, counted


def test_solver_and_twin_agree_while_trumps_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trump unknown to the asker, hidden discards, the trump maker's own knowledge."""
    monkeypatch.setitem(cards.PACKS, 12, cards._pack("J9A"))
    monkeypatch.setattr(caps_twin, "surviving", caps_plain.surviving)
    options = replace(PAGAT, pack_name=12, deal="2+1")
    counted: Counter[tuple[bool, bool]] = Counter()
    for moment in endings(options, range(1000, 1140), 120):
        if not moment.hand.has_open_trumps:
            counted[moment.seat == moment.hand.maker, agree(moment)] += 1
    for maker in (True, False):
        assert counted[maker, True] and counted[maker, False], counted
