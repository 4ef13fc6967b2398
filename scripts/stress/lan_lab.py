"""A LAN in one machine, with real processes, real mDNS and real TCP.

`scripts/dev lan-lab` runs every scenario, `scripts/dev lan-lab NAME ...` some of them,
`scripts/dev lan-lab soak SECONDS [SEED]` matches with random faults. Needs root and namespaces.
"""

from __future__ import annotations

import asyncio
import sys

from scripts.usage import answer_help
from tests.support.lab.lan import why_not
from tests.support.lab.players import LabFailed
from tests.support.lab.scenarios import SCENARIOS, play
from tests.support.lab.soak import soak


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(words: list[str]) -> int:
    reason = why_not()
    if reason is not None:
        say(f"No lab on this machine: {reason}.")
        return 2
    if words[:1] == ["soak"]:
        return asyncio.run(soak(float(words[1]), int(words[2]) if words[2:] else 0, say))
    unknown = [name for name in words if name not in SCENARIOS]
    if unknown:
        say(f"There is no scenario {', '.join(unknown)}; there are {', '.join(SCENARIOS)}.")
        return 2
    failed = 0
    for name in words or SCENARIOS:
        try:
            say(asyncio.run(play(name)).line())
        except LabFailed as trouble:
            failed += 1
            say(f"{name:<16} FAILED: {trouble}")
    return 1 if failed else 0


if __name__ == "__main__":
    answer_help(__doc__)
    sys.exit(main(sys.argv[1:]))
