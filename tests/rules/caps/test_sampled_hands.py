"""Whole hands, which no twin can follow: sampled worlds and lines against the solver's word."""

from __future__ import annotations

import random
from collections.abc import Iterator

from p2p304.rules.caps import could_call, find_order, knowledge
from p2p304.rules.caps.knowledge import Knowledge
from p2p304.rules.core.cards import Card
from p2p304.rules.records.referee import Referee
from tests.support.reference.caps_hands import PAGAT, Moment, moments, play, strong_deal
from tests.support.reference.caps_sampling import sampled_worlds, wins


def early(seeds: range) -> Iterator[tuple[Moment, Referee, Knowledge]]:
    """Moments with three tricks and more to play."""
    for seed in seeds:
        rng = random.Random(seed)
        deal = strong_deal(rng, PAGAT, rng.choice([0.3, 1.0]))
        for referee in play(rng, Referee(PAGAT, rng.randrange(4), deal)):
            for m in moments(referee):
                if len(m.cards) > 2:
                    yield m, referee, knowledge(m.hand, m.seat, m.cards, m.known, m.indicator)


def natural(moment: Moment, referee: Referee) -> list[tuple[Card, ...]]:
    """Orders that a player would think of: high cards first, trumps first, suit by suit."""
    strength = moment.hand.options.pack.strength
    trump = (moment.hand.indicator or referee.indicator or next(iter(moment.cards))).suit
    keys = [
        lambda c: (-strength[c], c.name),
        lambda c: (c.suit is not trump, -strength[c], c.name),
        lambda c: (c.suit is not trump, c.suit.value, -strength[c]),
    ]
    return [tuple(sorted(moment.cards, key=key)) for key in keys]


def test_an_order_found_never_loses_in_sampled_worlds_and_lines() -> None:
    rng = random.Random(1)
    found = lines = 0
    for moment, referee, known in early(range(12)):
        order = find_order(known)
        if order is None:
            continue
        found += 1
        for world in sampled_worlds(rng, moment, referee, 4):
            for hostile in (True, False):
                assert wins(rng, world, moment.seat, order, hostile), (moment, order)
                lines += 1
    assert found > 5 and lines > 40, (found, lines)


def test_where_no_order_is_said_to_do_the_natural_ones_are_mostly_seen_to_lose() -> None:
    rng = random.Random(2)
    refused = beaten = 0
    for moment, referee, known in early(range(100, 102)):
        if find_order(known) is not None:
            continue
        for order in natural(moment, referee)[:1]:
            assert not could_call(known, order)
            refused += 1
            tries = sampled_worlds(rng, moment, referee, 30)
            beaten += any(not wins(rng, w, moment.seat, order, True) for w in tries)
    assert refused > 20 and beaten > 0.9 * refused, (beaten, refused)
