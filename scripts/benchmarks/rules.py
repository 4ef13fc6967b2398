"""Timed figures of the rules: hands a second through `p2p304 score --jsonl`, and Caps.

usage: scripts/dev bench-rules [HANDS]

Owns the measuring of records; bench.py prints. Times are CPU times, the best of several runs,
because they are asked of machines that do other things too; beside them stands what one round of
a plain loop took, so that figures of two machines can be compared.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from p2p304.offline.score import score_file
from p2p304.rules.caps import find_order, knowledge
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import preset
from scripts.usage import answer_help
from tests.support.reference.caps_hands import PAGAT, moments, play, strong_deal
from tests.support.reference.caps_verdicts import judge
from tests.support.reference.random_hands import record, walk

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


def queries(hands: int) -> dict[str, Any]:
    """Milliseconds of the question "can this seat call Caps now", with an order found, for every
    seat at every moment of hands in which one side has the high cards; and of judging a hand."""
    asked: list[float] = []
    judged: list[float] = []
    for seed in range(hands):
        chance = random.Random(seed)
        dealt = strong_deal(chance, PAGAT, chance.choice([0.3, 1.0]))
        referee = Referee(PAGAT, chance.randrange(4), dealt)
        for now in play(chance, referee):
            for moment in moments(now):
                begun = time.process_time()
                find_order(
                    knowledge(
                        moment.hand, moment.seat, moment.cards, moment.known, moment.indicator
                    )
                )
                asked.append(time.process_time() - begun)
        begun = time.process_time()
        judge(referee.hand, [frozenset(cards) for cards in dealt], referee.indicator)
        judged.append(time.process_time() - begun)
    return {"caps_hands": hands, "caps_query_ms": _spread(asked), "caps_judge_ms": _spread(judged)}


def _spread(times: list[float]) -> list[float]:
    """Median, 99th percentile and worst, in milliseconds."""
    ordered = sorted(times)
    places = (len(ordered) // 2, len(ordered) * 99 // 100, -1)
    return [round(ordered[place] * 1e3, 3) for place in places]


def rules(records: int, hands: int) -> dict[str, Any]:
    return {**scores(records), **queries(hands)}


def lines(figures: dict[str, Any]) -> list[str]:
    return [
        f"score --jsonl: {figures['score_off_hands_s']:.0f} hands a second with Caps off "
        f"(aim 2000), {figures['score_caps_hands_s']:.0f} with Caps judged (aim 100); "
        f"a plain loop's round took {figures['loop_ns']:.0f} ns",
        f"Caps over {figures['caps_hands']} hands, ms (median, 99th percentile, worst): one query "
        f"{figures['caps_query_ms']} (aim 5), a hand judged {figures['caps_judge_ms']} (aim 50)",
    ]


if __name__ == "__main__":
    answer_help(__doc__)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    measured = rules(count, count)
    sys.stdout.write("\n".join(lines(measured)) + "\n")
