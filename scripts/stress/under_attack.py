"""Latency and memory of a table under attack, against the same table undisturbed.

Four nodes sit in this process (seated.py); the attacker is another process, and nice:
its own work is another machine's. `scripts/dev under-attack [HANDS]`.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
from functools import partial

from scripts.stress.seated import play
from scripts.usage import answer_help
from tests.support.hostile.neighbours import ATTACKS
from tests.support.paths import ROOT


def attack(kind: str, host: str, port: int) -> list[subprocess.Popen[bytes]]:
    harm = [sys.executable, "-m", "tests.support.hostile.neighbours"]
    words = ["nice", "-n", "19", *harm, kind, host, str(port)]
    return [subprocess.Popen(words, env={"PYTHONPATH": str(ROOT)})]


def main(hands: int) -> int:
    base = least = 0.0
    for kind in (None, *ATTACKS):
        disturb = None if kind is None else partial(attack, kind)
        got = asyncio.run(play(hands, disturb))
        median, high = statistics.median(got.waits), statistics.quantiles(got.waits, n=20)[18]
        base, least = base or median, least or got.cpu
        sys.stdout.write(
            f"{kind or 'undisturbed':<12} median {median * 1000:6.1f} ms  "
            f"95 % {high * 1000:6.1f} ms  times undisturbed {median / base:.2f}  "
            f"CPU {got.cpu * 1000:.1f} ms ({got.cpu / least:.2f})  "
            f"memory +{got.grown:.0f} MiB\n"
        )
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    answer_help(__doc__)
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 6))
