"""How much of the order survives `shuffle=minimal`: what a program can infer from its own cards.

usage: scripts/dev bench-overhand [--deals N] [--packets K ...] [--thorough]
(a line of JSON for each situation; some minutes)

Owns the deals that are tried and the measuring; the inference is in `overhand_inference.py`. A hand
is simulated: the pack lies in a known order, every player shuffles in turn, the pack is cut in
public and dealt. The observers know the order, the cut, their own shuffles and their own cards with
their places in the deal. (Where a card lay between two shuffles nobody sees, because a gathered
pack is locked before it is shuffled.) They guess each card that they cannot see.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2p304.rules.variants.presets import preset
from scripts.benchmarks.overhand_inference import (
    Effort,
    Known,
    Order,
    Posterior,
    an_order,
    chained,
    posterior,
)

EFFORT = Effort()
DOUBT = 0.01
"""Share of plain chance that is mixed into a posterior before its bits are counted."""


# A deal, and what some players know of it


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


def dealt(
    chance: random.Random, packets: int, name: str = "pagat", thorough: int | None = None
) -> Deal:
    """A hand of this preset's size, dealt as the table deals it. One player may shuffle
    thoroughly."""
    rules = preset(name)
    count = len(rules.pack.cards)
    shuffles = tuple(
        tuple(chance.sample(range(count), count))
        if seat == thorough
        else an_order(chance, count, packets)
        for seat in range(rules.seats)
    )
    cut = chance.randrange(count)
    lies = [0] * count
    for card, place in enumerate(chained(count, shuffles)):
        lies[(place - cut) % count] = card
    turn = (*range(1, rules.seats), 0)
    to = tuple(seat for size in rules.batches for seat in turn for _ in range(size))
    return Deal(shuffles, tuple(lies), cut, to, rules.batches[0] * rules.seats)


def known_to(deal: Deal, who: Sequence[int], batches: int) -> Known:
    count = len(deal.lies)
    stretches: list[list[Order]] = [[]]
    for seat, order in enumerate(deal.shuffles):
        if seat in who:
            stretches[-1].append(order)
        else:
            stretches.append([])
    own = [p for p in range(given(deal, batches)) if deal.to[p] in who]
    return Known(
        tuple(chained(count, orders) for orders in stretches),
        tuple(deal.lies[p] for p in own),
        tuple((p + deal.cut) % count for p in own),
        count,
    )


def given(deal: Deal, batches: int) -> int:
    """Cards that this many batches give to the players; at most all."""
    return deal.early if batches == 1 else len(deal.to)


# The inference


# What is guessed


@dataclass(frozen=True, slots=True)
class Guessed:
    """``named``: share of the others' cards whose very place was told. ``held``: share of right
    cards when as many cards are named for each hand as it has. ``bits``: what is not known about
    a place, as the mean of -log2 of the true card's probability."""

    named: float
    held: float
    bits: float


def guessed(
    deal: Deal, who: Sequence[int], batches: int, found: Posterior, chance: random.Random
) -> Guessed:
    count, out = len(deal.lies), given(deal, batches)
    others = [p for p in range(out) if deal.to[p] not in who]
    hidden = [card for p, card in enumerate(deal.lies) if p >= out or deal.to[p] not in who]
    chance.shuffle(hidden)  # equal chances are decided by the draw
    named, bits = [], []
    in_hand = {seat: dict.fromkeys(hidden, 0.0) for seat in sorted({deal.to[p] for p in others})}
    for p in others:
        at = {card: found[card][(p + deal.cut) % count] for card in hidden}
        named.append(max(at, key=at.__getitem__) == deal.lies[p])
        bits.append(-math.log2((1 - DOUBT) * at[deal.lies[p]] + DOUBT / len(hidden)))
        for card, likely in at.items():
            in_hand[deal.to[p]][card] += likely
    right = 0
    for seat, likely_of in in_hand.items():
        hand = {deal.lies[p] for p in others if deal.to[p] == seat}
        best = sorted(likely_of, key=likely_of.__getitem__, reverse=True)
        right += len(hand & set(best[: len(hand)]))
    return Guessed(statistics.mean(named), right / len(others), statistics.mean(bits))


def by_chance(deal: Deal, who: Sequence[int], batches: int) -> Guessed:
    """What is guessed after one thorough shuffle by somebody else: all is equally likely."""
    out = given(deal, batches)
    hidden = len(deal.lies) - sum(deal.to[p] in who for p in range(out))
    hand = out // len(deal.shuffles)
    return Guessed(1 / hidden, hand / hidden, math.log2(hidden))


SITUATIONS: dict[str, tuple[str, tuple[int, ...], int]] = {
    "one player, first batch": ("pagat", (0,), 1),
    "one player, all cards": ("pagat", (0,), 2),
    "two partners, first batch": ("pagat", (0, 2), 1),
    "two partners, all cards": ("pagat", (0, 2), 2),
    "three of four, first batch": ("pagat", (0, 1, 2), 1),
    "one of two players": ("online-2", (0,), 1),
}
"""The game, who tell each other all (these seats, then the next ones), and batches dealt so far."""


def measured(
    packets: int,
    deals: int,
    effort: Effort = EFFORT,
    seed: int = 304,
    situations: Iterable[str] = tuple(SITUATIONS),
    thorough: bool = False,
) -> dict[str, dict[str, float]]:
    """Mean of every figure in every situation, its standard error, and the figure by chance.

    ``thorough``: one of the others has shuffled thoroughly, and the observers do not know it."""
    told: dict[str, dict[str, float]] = {}
    for what in situations:
        game, seats, batches = SITUATIONS[what]
        players = preset(game).seats
        all_of: dict[str, list[float]] = {"named": [], "held": [], "bits": []}
        for number in range(deals):
            chance = random.Random(f"{seed} {what} {packets} {thorough} {number}")
            who = tuple((seat + number) % players for seat in seats)
            other = (seats[-1] + 1 + number) % players
            deal = dealt(chance, packets, game, other if thorough else None)
            found = posterior(known_to(deal, who, batches), packets, chance, effort)
            one = guessed(deal, who, batches, found, chance)
            for figure, values in all_of.items():
                values.append(getattr(one, figure))
        plain = by_chance(deal, who, batches)
        told[what] = {}
        for figure, values in all_of.items():
            told[what][figure] = statistics.mean(values)
            told[what][figure + "_error"] = statistics.stdev(values) / math.sqrt(deals)
            told[what][figure + "_by_chance"] = getattr(plain, figure)
    return told


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/dev bench-overhand", description=__doc__)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--packets", type=int, nargs="+", default=[3, 5, 8])
    parser.add_argument("--thorough", action="store_true")
    chosen = parser.parse_args()
    for packets in chosen.packets:
        for what in SITUATIONS:
            told = measured(packets, chosen.deals, situations=[what], thorough=chosen.thorough)
            figures = {name: round(value, 4) for name, value in told[what].items()}
            sys.stdout.write(json.dumps({"packets": packets, "who": what, **figures}) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
