"""Every kind of message in every phase with every field replaced by every other plausible value
(tests/support/hostile/every_message.py): some two million messages. Exits with 1 if any of them
made an exception, caught by the error boundary or not."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from tests.support.hostile.every_message import Wrong, cases, outcome, phases


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/dev all-messages", description=__doc__)
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after so long")
    parser.add_argument("--most", type=int, default=0, help="changes of each message; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="which changes, where not all")
    parser.add_argument("--phase", default="", help="only phases whose name has this in it")
    given = parser.parse_args()
    chance = random.Random(given.seed) if given.most else None
    end, count, found = time.monotonic() + given.minutes * 60, 0, Counter[str]()
    for phase in phases():
        if given.phase not in phase.name:
            continue
        for case in cases(phase, chance, given.most):
            if time.monotonic() > end:
                tell(f"stopped in {phase.name!r} after {count} messages")
                return 1 if found else 0
            wrong, count = outcome(phase, *case), count + 1
            if wrong is not None:
                _tell(wrong, found)
        tell(f"{phase.name}: {count} messages so far, {found.total()} wrong")
    return 1 if found else 0


def tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _tell(wrong: Wrong, found: Counter[str]) -> None:
    """Each place once, with the first message that comes there."""
    lines = wrong.what.strip().splitlines()
    place = f"{lines[0].split(',')[0]} {lines[-1]}"
    found[place] += 1
    if found[place] == 1:
        tell(f"{wrong.phase}, {wrong.kind}:\n{wrong.what}\n{wrong.payload}")


if __name__ == "__main__":
    sys.exit(main())
