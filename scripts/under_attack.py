"""Latency and memory of a table under attack, against the same table undisturbed.

Four nodes sit in this process (scripts/seated.py); the attacker is another process, and nice:
its own work is another machine's. `scripts/under-attack [HANDS]`.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "net"))

from hostile import ATTACKS
from seated import play

ROOT = Path(__file__).parent.parent


def attack(kind: str, host: str, port: int) -> list[subprocess.Popen[bytes]]:
    harm = str(ROOT / "tests" / "net" / "hostile.py")
    words = ["nice", "-n", "19", sys.executable, harm, kind, host, str(port)]
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
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 6))
