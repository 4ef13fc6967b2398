"""A short overhand shuffle: the pack falls into a few packets, which change their order.

Owns what an honest program does with the pack where `shuffle=minimal` is played (SPEC.md,
`shuffle.minimal`). Nobody can check that it was done: the proof of a shuffle shows a permutation
and no more. Nothing here is public; the writer of the entry (entry_writer.py) locks and proves.
"""

from __future__ import annotations

import itertools

from p2p304.crypto.rng import Rng

PACKETS = 5
"""Packets of one shuffle, from what `scripts/dev bench-overhand` measures. With three a player can
name two of five of the others' first cards, with five a quarter. Not even eight hide much from
partners who tell each other all."""


def overhand(rng: Rng, count: int, packets: int = PACKETS) -> tuple[int, ...]:
    """The new place of every card of a pack of ``count``, from the top.

    The pack is cut at different places, every choice of which is equally likely, into
    ``packets``. They are laid down one on another from the top, which reverses their order;
    within a packet the order stays. Raises ValueError for more packets than cards.
    """
    if not 1 <= packets <= count:
        raise ValueError("a pack has at least one card for every packet")
    chosen = sorted(rng.permutation(count - 1)[: packets - 1])
    return new_places((0, *(place + 1 for place in chosen), count))


def new_places(cuts: tuple[int, ...]) -> tuple[int, ...]:
    """The new place of every card where packet i holds the places from ``cuts[i]`` to just before
    ``cuts[i + 1]``; the last packet comes to the top."""
    count = cuts[-1]
    return tuple(
        place - first + count - after
        for first, after in itertools.pairwise(cuts)
        for place in range(first, after)
    )
