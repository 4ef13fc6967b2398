"""What can be inferred of a pack after overhand shuffles, from some cards whose places are known.

Owns the inference; what it is tried on is `benchmarks/overhand.py`. At most three shuffles are
unknown:

* Of the first and of the last one all ways are listed, or many are drawn.
* `joined` finds the ways of the two between which one more shuffle can fit.
* `between` counts all ways of that shuffle, by dynamic programming over the packets' ends.

All ways are equally likely, so the counts are the posterior: exact where all ways were listed and
weighed, and otherwise an estimate from the drawn ones. Nobody can guess better than by the exact
one. A test holds it against trying all shuffles of small packs.
"""

from __future__ import annotations

import math
import random
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, permutations

from p2p304.table.player.overhand import new_places

Order = tuple[int, ...]
"""The new place of the card at every place."""
Places = tuple[int, ...]
"""The places of the observers' cards, always in the same order of cards."""
Posterior = list[list[float]]
"""How probable it is that a card (first index) lies at a final place (second index)."""


@dataclass(frozen=True, slots=True)
class Effort:
    """``lists``: ways of a shuffle that are listed, or drawn where there are more; the next number
    is tried until ``enough`` pairs of a first and a last shuffle agree. About ``pairs`` of these
    are weighed."""

    lists: tuple[int, ...] = (400, 1_500, 4_000)
    enough: int = 8_000
    pairs: int = 700


@dataclass(frozen=True, slots=True)
class Known:
    """What observers know: ``stretches``, the shuffles before, between and after the unknown
    ones, each stretch as one order; their ``cards`` and the ``ends`` where these lie before the
    cut; and the pack's size."""

    stretches: tuple[Order, ...]
    cards: Places
    ends: Places
    count: int


def an_order(chance: random.Random, count: int, packets: int) -> Order:
    """One overhand shuffle, with a fast source of randomness."""
    return new_places((0, *sorted(chance.sample(range(1, count), packets - 1)), count))


def chained(count: int, orders: Iterable[Order]) -> Order:
    """One order that does what these do one after another."""
    places = tuple(range(count))
    for order in orders:
        places = tuple(order[place] for place in places)
    return places


def inverse(order: Order) -> Order:
    back = [0] * len(order)
    for place, after in enumerate(order):
        back[after] = place
    return tuple(back)


def posterior(known: Known, packets: int, chance: random.Random, effort: Effort) -> Posterior:
    """Where every card may lie before the cut; all zero if nothing was found that fits."""
    count, stretches = known.count, known.stretches
    heads, tails = [stretches[0]], [stretches[-1]]
    layers: dict[int, list[tuple[int, int]]] = {}
    for most in effort.lists:
        if len(stretches) == 4:
            heads = listed(stretches[0], stretches[1], packets, most, chance)
            tails = listed(stretches[2], stretches[3], packets, most, chance)
        ends = [tuple(map(tail.index, known.ends)) for tail in tails]
        if len(stretches) == 3:
            heads = list(aimed(known, ends[0], packets))
        starts = [tuple(head[card] for card in known.cards) for head in heads]
        layers = layered(starts, ends, count, packets)
        if (
            len(stretches) < 4
            or len(heads) < most
            or sum(map(len, layers.values())) >= effort.enough
        ):
            break  # all ways are listed, or enough agree
    found = [[0.0] * count for _ in range(count)]
    for n, m, share in weighed(layers, starts, ends, count, packets, effort.pairs, chance):
        card_at, tail = inverse(heads[n]), tails[m]
        for (first, after), ways in between(starts[n], ends[m], count, packets).items():
            for place in range(first, after):
                found[card_at[place]][tail[place - first + count - after]] += share * ways
    total = sum(found[0])
    return [[ways / total for ways in row] for row in found] if total else found


def layered(
    starts: Sequence[Places], ends: Sequence[Places], count: int, packets: int
) -> dict[int, list[tuple[int, int]]]:
    """Pairs of starts and ends that agree, by the packets that a shuffle between them needs."""
    layers: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for n, m in joined(starts, ends, count):
        needed = len({place - end for place, end in zip(starts[n], ends[m], strict=True)})
        if needed <= packets:
            layers[needed].append((n, m))
    return layers


def weighed(
    layers: dict[int, list[tuple[int, int]]],
    starts: Sequence[Places],
    ends: Sequence[Places],
    count: int,
    packets: int,
    most: int,
    chance: random.Random,
) -> Iterator[tuple[int, int, float]]:
    """All pairs, or about ``most`` drawn ones, and for how many pairs each stands. The fewer
    packets are needed, the more shuffles fit; so each layer is drawn from by its size and by what
    its first pairs weigh."""
    if sum(map(len, layers.values())) <= most:
        for pairs in layers.values():
            yield from ((n, m, 1.0) for n, m in pairs)
        return
    first = max(1, most // 40)
    drawn = {n: chance.sample(pairs, min(len(pairs), most)) for n, pairs in layers.items()}
    spread = {
        needed: len(layers[needed])
        * math.sqrt(
            statistics.mean(
                sum(between(starts[n], ends[m], count, packets).values()) ** 2
                for n, m in pairs[:first]
            )
        )
        for needed, pairs in drawn.items()
    }
    for needed, pairs in drawn.items():
        taken = pairs[: max(first, round(most * spread[needed] / (sum(spread.values()) or 1)))]
        yield from ((n, m, len(layers[needed]) / len(taken)) for n, m in taken)


def listed(
    before: Order, then: Order, packets: int, most: int, chance: random.Random
) -> list[Order]:
    """Every shuffle, between two known stretches; drawn ones if there are more than ``most``."""
    count = len(before)
    if math.comb(count - 1, packets - 1) <= most:
        ways = [
            new_places((0, *cuts, count)) for cuts in combinations(range(1, count), packets - 1)
        ]
    else:
        ways = [an_order(chance, count, packets) for _ in range(most)]
    return [tuple([then[way[place]] for place in before]) for way in ways]


def aimed(known: Known, ends: Places, packets: int) -> Iterator[Order]:
    """Every first shuffle after which one more may bring the observers' cards to ``ends``,
    between the known stretches: packet by packet, given up as soon as two cards disagree."""
    count, before, then = known.count, known.stretches[0], known.stretches[1]
    end_of = {before[card]: end for card, end in zip(known.cards, ends, strict=True)}

    def from_packet(cuts: Places, laid: tuple[tuple[int, int], ...]) -> Iterator[Order]:
        first, left = cuts[-1], packets - len(cuts)
        for after in range(first + 1, count - left + 1) if left else (count,):
            new = tuple(
                (then[place - first + count - after], end_of[place])
                for place in range(first, after)
                if place in end_of
            )
            if all(agree(one, other, count) for one, other in combinations(new, 2)) and all(
                agree(one, other, count) for one in laid for other in new
            ):
                if left:
                    yield from from_packet((*cuts, after), (*laid, *new))
                else:
                    yield chained(count, (before, new_places((*cuts, after)), then))

    return from_packet((0,), ())


def agree(one: tuple[int, int], other: tuple[int, int], count: int) -> bool:
    """Whether one shuffle may bring both cards from their first to their second place. Within a
    packet they keep their distance. Otherwise the upper one comes to lie below all that was under
    its packet, and the lower one above all that was over its own."""
    (a, x), (b, y) = sorted((one, other))
    return y - x == b - a or (x > y and x >= count - b and y <= count - 2 - a)


def joined(
    starts: Sequence[Places], ends: Sequence[Places], count: int
) -> Iterator[tuple[int, int]]:
    """Numbers of starts and ends in which every two cards `agree`. Sets of ends are the bits of
    an integer, which makes all pairs of thousands affordable."""

    def by_value(values: Iterable[int]) -> list[int]:
        sets = [bytearray(len(ends) // 8 + 1) for _ in range(2 * count)]
        for m, value in enumerate(values):
            sets[value][m >> 3] |= 1 << (m & 7)
        return [int.from_bytes(bits, "little") for bits in sets]

    cards = range(len(ends[0]))
    at = [by_value(end[card] for end in ends)[:count] for card in cards]
    at_most = [list(accumulate(sets, int.__or__)) for sets in at]
    at_least = [[*accumulate(sets[::-1], int.__or__)][::-1] for sets in at]
    apart = {
        (one, other): by_value(end[other] - end[one] for end in ends)
        for one, other in permutations(cards, 2)
    }
    turned = {pair: sum(sets[count:]) for pair, sets in apart.items()}  # negative: the union
    for n, start in enumerate(starts):
        fit = (1 << len(ends)) - 1
        for one, other in combinations(sorted(cards, key=start.__getitem__), 2):
            a, b = start[one], start[other]
            fit &= apart[one, other][b - a] | (
                turned[one, other] & at_least[one][count - b] & at_most[other][count - 2 - a]
            )
            if not fit:
                break
        while fit:
            m = (fit & -fit).bit_length() - 1
            fit &= fit - 1
            yield n, m


def between(start: Places, end: Places, count: int, packets: int) -> dict[tuple[int, int], int]:
    """How many shuffles that bring ``start`` to ``end`` have a packet of the places from
    ``first`` to just before ``after``, by (first, after); empty if there is no such shuffle."""
    # A card in that packet moves from place to place - first + count - after.
    sum_at = {p: p + count - after for p, after in zip(start, end, strict=True)}
    spans = []
    held = count
    for first in reversed(range(count)):
        held = first if first in sum_at else held  # the next card of the observers
        spans += [(first, after) for after in range(first + 1, held + 1)]
        after = sum_at.get(held, 0) - first
        if held < after <= count and all(
            sum_at.get(p, sum_at[held]) == sum_at[held] for p in range(held, after)
        ):
            spans.append((first, after))
    # Ways to lay packets above and below a place: those of k packets are a number k·count bits up,
    # and there are fewer than 2**count of each.
    above, below = [1] + [0] * count, [0] * count + [1]
    for first, after in reversed(spans):
        above[after] += above[first] << count
    for first, after in spans:
        below[first] += below[after] << count
    of_others = count * (packets - 1)
    ways = {
        (first, after): (above[first] * below[after] >> of_others) % 2**count
        for first, after in spans
        if above[first] and below[after]
    }
    return {span: many for span, many in ways.items() if many}
