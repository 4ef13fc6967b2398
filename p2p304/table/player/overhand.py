"""A short overhand shuffle: the pack is cut into a few packets, whose order is reversed.

Responsible for how an honest program shuffles where `shuffle=minimal` is played (SPEC.md,
`shuffle.minimal`). No other player can check it: the proof of a shuffle shows a permutation and no
more. The result is secret; locking and proving are entry_writer.py's.
"""

from __future__ import annotations

import itertools

from p2p304.crypto.rng import Rng

PACKETS = 5
"""Packets of one shuffle, chosen from what `scripts/dev bench-overhand` measures. With three
packets a player can name two of five of the others' first cards, with five packets a quarter. Even
eight hide little from partners who tell each other everything."""


def overhand(rng: Rng, count: int, packets: int = PACKETS) -> tuple[int, ...]:
    """Return the new place of every card of a pack of ``count``, counted from the top.

    The pack is cut into ``packets`` packets; every choice of places to cut is equally likely. The
    packets are laid one on another from the top, which reverses their order but not the order
    within a packet. Raises ValueError for more packets than cards.
    """
    if not 1 <= packets <= count:
        raise ValueError("a pack has at least one card for every packet")
    chosen = sorted(rng.permutation(count - 1)[: packets - 1])
    return new_places((0, *(place + 1 for place in chosen), count))


def new_places(cuts: tuple[int, ...]) -> tuple[int, ...]:
    """Return the new place of every card if packet i holds the places from ``cuts[i]`` up to, not
    including, ``cuts[i + 1]``. The last packet comes to the top."""
    count = cuts[-1]
    return tuple(
        place - first + count - after
        for first, after in itertools.pairwise(cuts)
        for place in range(first, after)
    )
