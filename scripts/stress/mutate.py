"""Changes every field of every entry of a recorded match, every piece of every proof, and counts
what is refused. usage: scripts/dev mutate [--every N]

Runs on all cores. Ends with status 1 if a change is accepted that is not another legal move.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tests.support.hostile import mutations
from tests.support.table import simnet


def share(work: tuple[bytes, int, int, int, int]) -> tuple[Counter[str], list[str]]:
    """The places of one worker: verdicts, and what was accepted although it is no free choice."""
    transcript, seed, every, worker, workers = work
    keys, verdicts, accepted = simnet.signing_keys(seed, 4), Counter[str](), []
    for number, place in enumerate(mutations.places(transcript)):
        if number % workers != worker:
            continue
        for change in mutations.changes(place.entry, every):
            anew = mutations.told_anew(place, change, keys)
            verdicts["signed anew: " + (anew or "another move")] += 1
            if mutations.forged(place, change) is None:
                accepted.append(f"place {number}, old signature: {change.path}")
            verdicts["old signature: refused"] += 1
            if anew is None and change.field not in mutations.FREE:
                accepted.append(f"place {number}, signed anew: {change.path}")
    return verdicts, accepted


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/dev mutate", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="one piece of a proof in so many")
    chosen = parser.parse_args()
    net, seed = mutations.match()
    workers = os.cpu_count() or 1
    work = [(net.transcripts[0], seed, chosen.every, n, workers) for n in range(workers)]
    verdicts, accepted = Counter[str](), list[str]()
    with ProcessPoolExecutor(workers) as pool:
        for told, wrong in pool.map(share, work):
            verdicts += told
            accepted += wrong
    for verdict, count in sorted(verdicts.items()):
        sys.stdout.write(f"{count:7} {verdict}\n")
    sys.stdout.write("\n".join([*accepted, f"{verdicts.total()} changes, {len(accepted)} wrong"]))
    sys.stdout.write("\n")
    return 1 if accepted else 0


if __name__ == "__main__":
    sys.exit(main())
