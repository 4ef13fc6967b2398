"""Stop a node just before and just after every write and every send of a whole hand, start it
again from its journal, and see that the hand ends with one chain, nothing signed twice and a
sound audit. `scripts/crash-points [EVERY [WORKERS]]`: one point in so many, on so many processes.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "table"))

import pytest
from crashes import Memo, World
from test_coming_back import points, stop_once


def _tried(share: tuple[list[tuple[int, bool]], bytes]) -> int:
    at, undisturbed = share
    with pytest.MonkeyPatch.context() as patch:
        Memo(patch)
        for point in at:
            stop_once(point, undisturbed)
    return len(at)


def main(every: int, workers: int) -> None:
    begun = time.monotonic()
    world = World()
    world.run()
    undisturbed = world.disks[0].transcript
    kinds = Counter(what for _, what in world.where)
    everything = points(every)
    shares = [(everything[n::workers], undisturbed) for n in range(workers)]
    with multiprocessing.Pool(workers) as pool:
        tried = sum(pool.map(_tried, shares))
    told = ", ".join(f"{count} {what}" for what, count in sorted(kinds.items()))
    sys.stdout.write(
        f"{tried} stops tried and passed, before and after one in {every} of {world.points} "
        f"points ({told}), in {time.monotonic() - begun:.0f} s.\n"
    )


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(given[0] if given else 1, given[1] if len(given) > 1 else multiprocessing.cpu_count())
