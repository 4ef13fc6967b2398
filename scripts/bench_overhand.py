"""How much of the order survives `shuffle=minimal`: what a program can infer from its own cards.

usage: scripts/bench_overhand.py [--deals N] [--packets K ...] [--json]

Owns the best inference that we could write, and the measuring of it. A hand of four players and
32 cards is simulated: the pack lies in a known order, every player shuffles in turn, the pack is
cut in public and dealt. The observers know the order, the cut, their own shuffles and their own
cards with their places in the deal. (Where a card lay between two shuffles nobody sees, because a
gathered pack is locked before it is shuffled.) They guess each card that they cannot see. Two
methods:

* `weighed` draws every unknown shuffle but the last, and finds all last ones that put the
  observers' cards where they lie. The draws that fit are independent samples of the posterior.
* `walked` walks from one set of cuts to the next (Metropolis), drawn towards those that fit, and
  keeps those that fit best so far. They are no independent samples; but it works with eight known
  cards too, where independent draws hardly ever fit.

By chance is the best guess after one thorough shuffle: nothing is known beyond elimination.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from p2p304.rules.presets import preset  # noqa: E402
from p2p304.table.overhand import moved  # noqa: E402

Order = tuple[int, ...]
"""The new place of the card at every place."""
MOST_LISTED = 40_000
"""Last shuffles that `weighed` lists; of more it lists so many drawn ones."""

ENOUGH = 2_000
"""Samples from which guesses hardly change any more."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A pack dealt after a minimal shuffle. ``shuffles`` in their order (the dealer's first),
    ``lies`` the card at every place after the cut (a card is its place in the gathered pack),
    ``cut`` the public offset, ``to`` the shuffler who gets the card of every place, and ``early``
    how many places belong to the first batch."""

    shuffles: tuple[Order, ...]
    lies: tuple[int, ...]
    cut: int
    to: tuple[int, ...]
    early: int


def an_order(chance: random.Random, count: int, packets: int) -> Order:
    """One overhand shuffle, with a fast source of randomness."""
    return moved((0, *sorted(chance.sample(range(1, count), packets - 1)), count))


def dealt(chance: random.Random, packets: int, name: str = "pagat") -> Deal:
    """A hand of this preset's size, dealt as the table deals it."""
    rules = preset(name)
    count = len(rules.pack.cards)
    shuffles = tuple(an_order(chance, count, packets) for _ in range(rules.seats))
    cut = chance.randrange(count)
    lies = [0] * count
    for card in range(count):
        lies[(through(shuffles, card) - cut) % count] = card
    turn = (*range(1, rules.seats), 0)
    to = tuple(seat for size in rules.batches for seat in turn for _ in range(size))
    return Deal(shuffles, tuple(lies), cut, to, rules.batches[0] * rules.seats)


def through(orders: Sequence[Order], place: int) -> int:
    for order in orders:
        place = order[place]
    return place


@dataclass(frozen=True, slots=True)
class Known:
    """What observers know: their shuffles (None: another's), their cards by final place before
    the cut, and the pack's size."""

    orders: tuple[Order | None, ...]
    cards: tuple[tuple[int, int], ...]
    count: int


def known_to(deal: Deal, who: Sequence[int], batches: int) -> Known:
    count = len(deal.lies)
    dealt_out = deal.early if batches == 1 else len(deal.to)
    orders = tuple(order if n in who else None for n, order in enumerate(deal.shuffles))
    cards = tuple((deal.lies[p], (p + deal.cut) % count)
                  for p in range(dealt_out) if deal.to[p] in who)  # fmt: skip
    return Known(orders, cards, count)


# The two methods: both yield where every card may lie at the end


def weighed(known: Known, packets: int, draws: int, chance: random.Random) -> Iterator[Order]:
    """Independent samples of all cards' final places, given what is known; at most `ENOUGH`."""
    return islice(_weighed(known, packets, draws, chance), ENOUGH)


def _weighed(known: Known, packets: int, draws: int, chance: random.Random) -> Iterator[Order]:
    last = max(n for n, order in enumerate(known.orders) if order is None)
    tail = [order for order in known.orders[last + 1 :] if order is not None]
    back = {through(tail, place): place for place in range(known.count)}
    wanted = [back[place] for _, place in known.cards]
    listed = list(_some_orders(known.count, packets, chance))
    fitting: dict[tuple[int, ...], list[Order]] = defaultdict(list)
    for order in listed:
        before = {after: place for place, after in enumerate(order)}
        fitting[tuple(before[place] for place in wanted)].append(order)
    for _ in range(draws):
        head = [order or an_order(chance, known.count, packets) for order in known.orders[:last]]
        there = tuple(through(head, card) for card, _ in known.cards)
        for order in fitting.get(there, ()):
            ways = (*head, order, *tail)
            yield tuple(through(ways, card) for card in range(known.count))
        if last == sum(order is not None for order in known.orders[:last]):
            return  # nothing was drawn: every draw would be the same


def _some_orders(count: int, packets: int, chance: random.Random) -> Iterator[Order]:
    if math.comb(count - 1, packets - 1) <= MOST_LISTED:
        for cuts in combinations(range(1, count), packets - 1):
            yield moved((0, *cuts, count))
    else:
        for _ in range(MOST_LISTED):
            yield an_order(chance, count, packets)


def walked(known: Known, packets: int, steps: int, chance: random.Random) -> Iterator[Order]:
    """Samples of all cards' final places from a walk over the unknown shuffles' cuts."""
    count, unknown = known.count, [n for n, order in enumerate(known.orders) if order is None]
    cuts = {n: sorted(chance.sample(range(1, count), packets - 1)) for n in unknown}
    ways = [order or moved((0, *cuts[n], count)) for n, order in enumerate(known.orders)]
    fits = best = _fits(ways, known)
    for step in range(steps):
        warmth = 0.35 if step > steps // 5 else 1.2 - 0.85 * step / (steps // 5)
        n = chance.choice(unknown)
        place = chance.randrange(packets - 1)
        old, before = cuts[n], ways[n]
        near = chance.random() < 0.5
        there = old[place] + chance.choice((-2, -1, 1, 2)) if near else chance.randrange(1, count)
        if there in old or not 0 < there < count:
            continue
        cuts[n] = sorted((*old[:place], *old[place + 1 :], there))
        ways[n] = moved((0, *cuts[n], count))
        now = _fits(ways, known)
        if now >= fits or chance.random() < math.exp((now - fits) / warmth):
            fits = now
        else:
            cuts[n], ways[n] = old, before
        best = max(best, fits)
        if fits == best and step % 10 == 0 and step > steps // 5:
            yield tuple(through(ways, card) for card in range(count))


def _fits(ways: Sequence[Order], known: Known) -> int:
    return sum(through(ways, card) == place for card, place in known.cards)


# What is guessed


@dataclass(frozen=True, slots=True)
class Guessed:
    """Shares of right guesses: ``named``, the very card at each place dealt to another;
    ``held``, which of the others' hands (or the rest of the pack) holds each unseen card."""

    named: float
    held: float


def guessed(deal: Deal, who: Sequence[int], batches: int, samples: Iterator[Order]
            ) -> Guessed | None:  # fmt: skip
    """Guess every hidden card by its most frequent place; None without a sample."""
    count = len(deal.lies)
    at_place: dict[int, Counter[int]] = defaultdict(Counter)
    with_whom: dict[int, Counter[int]] = defaultdict(Counter)
    out = deal.early if batches == 1 else len(deal.to)
    others = [p for p in range(count) if p >= out or deal.to[p] not in who]
    hand_of = {p: (deal.to[p] if p < out else -1) for p in others}
    for order in samples:
        for card, final in enumerate(order):
            place = (final - deal.cut) % count
            if place in hand_of:
                at_place[place][card] += 1
                with_whom[card][hand_of[place]] += 1
    if not at_place:
        return None
    places = [p for p in others if p < out]
    named = [at_place[p].most_common(1)[0][0] == deal.lies[p] for p in places]
    held = [with_whom[deal.lies[p]].most_common(1)[0][0] == hand_of[p] for p in others
            if with_whom[deal.lies[p]]]  # fmt: skip
    return Guessed(statistics.mean(named), statistics.mean(held))


def by_chance(deal: Deal, who: Sequence[int], batches: int) -> Guessed:
    """The best guess where the pack was shuffled thoroughly."""
    out = deal.early if batches == 1 else len(deal.to)
    hidden = [p for p in range(len(deal.lies)) if p >= out or deal.to[p] not in who]
    sizes = Counter(deal.to[p] if p < out else -1 for p in hidden)
    return Guessed(1 / len(hidden), max(sizes.values()) / len(hidden))


SITUATIONS: tuple[tuple[str, tuple[int, ...], int], ...] = (
    ("one player, first batch", (1,), 1),
    ("one player, all cards", (1,), 2),
    ("two partners, first batch", (1, 3), 1),
    ("three of four, first batch", (0, 1, 2), 1),
)


def measured(
    packets: int, deals: int, effort: float = 1.0, seed: int = 304,
    situations: Sequence[tuple[str, tuple[int, ...], int]] = SITUATIONS,
) -> dict[str, dict[str, float]]:  # fmt: skip
    """Mean shares of right guesses in every situation, beside those by chance."""
    told: dict[str, dict[str, float]] = {}
    for what, who, batches in situations:
        chance = random.Random(f"{seed} {what} {packets}")
        found, plain = [], []
        for _ in range(deals):
            deal = dealt(chance, packets)
            known = known_to(deal, who, batches)
            few = len(known.cards) <= 4 or len(who) == 3
            samples = (weighed(known, packets, int(100_000 * effort), chance) if few
                       else walked(known, packets, int(300_000 * effort), chance))  # fmt: skip
            one = guessed(deal, who, batches, samples)
            plain.append(by_chance(deal, who, batches))
            found.append(one or plain[-1])
        told[what] = {
            "named": statistics.mean(one.named for one in found),
            "named_by_chance": statistics.mean(one.named for one in plain),
            "held": statistics.mean(one.held for one in found),
            "held_by_chance": statistics.mean(one.held for one in plain),
        }
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--packets", type=int, nargs="+", default=[3, 4, 5, 6, 8])
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    figures = {packets: measured(packets, chosen.deals) for packets in chosen.packets}
    if chosen.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    for packets, told in figures.items():
        for what, one in told.items():
            sys.stdout.write(
                f"{packets} packets, {what}: names {one['named']:.1%} of the cards dealt "
                f"(by chance {one['named_by_chance']:.1%}), knows who holds {one['held']:.1%} "
                f"(by chance {one['held_by_chance']:.1%})\n"
            )


if __name__ == "__main__":
    main()
