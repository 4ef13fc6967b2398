"""Timed figures of the rules: hands a second through `p2p304 score --jsonl`, Caps off and judged.

Owns the measuring of records; bench.py prints. Times are CPU times, the best of several runs,
because they are asked of machines that do other things too; beside them stands what one round of
a plain loop took, so that figures of two machines can be compared.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests" / "rules"))

from walks import record, walk  # noqa: E402

from p2p304.arbiter import score_file  # noqa: E402
from p2p304.rules.presets import preset  # noqa: E402

RUNS = 5
ROUNDS = 100_000


def _best(work: Callable[[], object], runs: int = RUNS) -> float:
    """The least CPU seconds of several runs."""
    spent = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        spent.append(time.process_time() - begun)
    return min(spent)


def _loop() -> int:
    total = 0
    for number in range(ROUNDS):
        total += number * number % 7
    return total


def _whole_hands(count: int, rules: dict[str, Any]) -> str:
    """Records of random hands played to the end, one a line."""
    lines: list[str] = []
    seed = 0
    options = preset(rules["preset"]).override({k: v for k, v in rules.items() if k != "preset"})
    while len(lines) < count:
        referee, done = walk(seed, options)
        seed += 1
        if referee.hand.result is not None and not referee.hand.result.void:
            lines.append(json.dumps({**record(referee, done), "rules": rules}))
    return "\n".join(lines) + "\n"


def _hands_a_second(file: Path, count: int) -> float:
    def once() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            score_file(file, True, print)

    once()
    return count / _best(once)


def scores(count: int) -> dict[str, Any]:
    """Hands a second with Caps off and with Caps judged; nanoseconds of a plain loop's round."""
    found: dict[str, Any] = {"score_hands": count}
    with tempfile.TemporaryDirectory(prefix="p2p304-bench-") as made:
        file = Path(made) / "hands.jsonl"
        for name, caps in (("score_off_hands_s", "off"), ("score_caps_hands_s", "grace")):
            file.write_text(_whole_hands(count, {"preset": "pagat", "caps": caps}))
            found[name] = _hands_a_second(file, count)
    return {**found, "loop_ns": _best(_loop, 20) / ROUNDS * 1e9}


def lines(figures: dict[str, Any]) -> list[str]:
    return [
        f"score --jsonl: {figures['score_off_hands_s']:.0f} hands a second with Caps off "
        f"(aim 2000), {figures['score_caps_hands_s']:.0f} with Caps judged (aim 100); "
        f"a plain loop's round took {figures['loop_ns']:.0f} ns",
    ]


if __name__ == "__main__":
    measured = scores(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    sys.stdout.write("\n".join(lines(measured)) + "\n")
