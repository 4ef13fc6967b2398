"""Stop a node just before and just after every write and every send of a whole hand, start it
again from its journal, and see that the hand ends with one chain, nothing signed twice and a
sound audit. `scripts/dev crash-points [EVERY [WORKERS [HAND ...]]]`: one point in so many, on so
many processes. There are three hands: `plain`; `caps`, in which receipts are held back while
players may think of Caps and a call of it, out of turn, rides on one; and `left`, from the wish of
three to play without the fourth to the end of the hand that they play out. What is settled leaves
memory at once here, so that a node that comes back reads it from its transcript.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections import Counter

import pytest

from p2p304.log.chain import LEAST_KEPT
from p2p304.table.machine import log_memory
from scripts.usage import answer_help
from tests.support.table.crash_stops import points, stop_once
from tests.support.table.crashes import Memo, World
from tests.support.table.crashes_caps import Stacked, called
from tests.support.table.crashes_left import left_world, played_out, stop_once_left

HANDS = ("plain", "caps", "left")


def undisturbed(hand: str, patch: pytest.MonkeyPatch) -> World:
    """The hand without any stop; what is patched serves the same hand again."""
    if hand == "caps":
        stacked = Stacked(patch)
        Memo(patch)
        return called(stacked)
    Memo(patch)
    if hand == "left":
        world = left_world()
        played_out(world)
        return world
    world = World()
    world.run()
    return world


def _tried(share: tuple[str, int, int, int]) -> int:
    hand, every, number, workers = share
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_memory, "KEPT", LEAST_KEPT)
        world = undisturbed(hand, patch)
        mine = points(world, every)[number::workers]
        for point in mine:
            if hand == "left":
                stop_once_left(point)
            else:
                stop_once(point, world.disks[0].transcript, world)
    return len(mine)


def try_all(hand: str, every: int, workers: int) -> None:
    begun = time.monotonic()
    with pytest.MonkeyPatch.context() as patch:
        world = undisturbed(hand, patch)
    kinds = Counter(what for _, what in world.where)
    with multiprocessing.Pool(workers) as pool:
        tried = sum(pool.map(_tried, [(hand, every, n, workers) for n in range(workers)]))
    told = ", ".join(f"{count} {what}" for what, count in sorted(kinds.items()))
    sys.stdout.write(
        f"{hand}: {tried} stops tried and passed, before and after one in {every} of "
        f"{world.points} points ({told}), in {time.monotonic() - begun:.0f} s.\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    answer_help(__doc__)
    given = [int(word) for word in sys.argv[1:3]]
    every_one = given[0] if given else 1
    many = given[1] if len(given) > 1 else multiprocessing.cpu_count()
    for each in sys.argv[3:] or HANDS:
        try_all(each, every_one, many)
