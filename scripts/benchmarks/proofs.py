"""Figures of what proves itself: every statement's cost, a hand's CPU, the audit's speed-up.

usage: scripts/dev bench-proofs [--json] [--seeds N] [--latency] [--presets]

CPU seconds are process time, so that a busy machine does not count; operations are counted in a
run of their own. Seven cards in hand, the suit led unseen, three cards shown, as at the table.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from p2p304.crypto import group
from p2p304.crypto.group import Q, mul
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import prove_by_keys, verify
from p2p304.offline.audit import audit
from p2p304.offline.audited import audit_all
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.player.entry_writer import EntryWriter
from p2p304.table.transition import step as stepping
from p2p304.table.transition.actions import Step
from scripts.benchmarks.latency import latencies
from tests.support.table import simnet
from tests.support.table.largest_rows import SECRETS, LargestRow, largest_rows

RNG = Rng.from_seed(bytes(32))


def median_ms(run: Callable[[], object], times: int = 9) -> float:
    samples = []
    for _ in range(times):
        begun = time.process_time()
        run()
        samples.append(time.process_time() - begun)
    return round(statistics.median(samples) * 1e3, 2)


def statements(name: str) -> list[dict[str, Any]]:
    """Every row of a preset at its largest."""
    return [measured(each) for each in largest_rows(preset(name))]


def measured(each: LargestRow) -> dict[str, Any]:
    row = each.statement
    with group.counting() as proving:
        proof = prove_by_keys(row, SECRETS, b"bench", RNG)
    with group.counting() as verifying:
        if not verify(row, proof, b"bench"):
            raise SystemExit(f"{each.name}: a true statement was refused")
    return {
        "row": each.name,
        "bytes": len(proof),
        "prove_ms": median_ms(lambda: prove_by_keys(row, SECRETS, b"bench", RNG)),
        "verify_ms": median_ms(lambda: verify(row, proof, b"bench")),
        "prove_ops": asdict(proving),
        "verify_ops": asdict(verifying),
    }


def hands(seeds: int) -> dict[str, Any]:
    """CPU of whole closed hands by four nodes, and of every kind of entry to write and check."""
    spent: dict[str, list[float]] = defaultdict(list)
    whole, audits, sizes, transcripts = [], [], [], []
    with (
        timed(EntryWriter, "by_itself", spent, "write "),
        timed(EntryWriter, "chosen", spent, "write "),
    ):
        for seed in range(1, seeds + 1):
            net = simnet.make_closed(seed)
            begun = time.process_time()
            net.run()
            whole.append(time.process_time() - begun)
            transcripts.append(net.transcripts[0])
    with checked(spent):
        for data in transcripts:
            begun = time.process_time()
            if not audit(data).sound:
                raise SystemExit("an audit failed")
            audits.append(time.process_time() - begun)
            sizes.append(len(data))
    kinds = {
        kind: {
            "ms": round(statistics.median(t) * 1e3, 2),
            "max_ms": round(max(t) * 1e3, 2),
            "times": len(t),
        }
        for kind, t in sorted(spent.items())
    }
    return {
        "hand_cpu_s": statistics.median(whole),
        "audit_s": statistics.median(audits),
        "bytes": statistics.median(sizes),
        "kinds": kinds,
        **speed_up(transcripts),
    }


class timed:
    """Notes the CPU of each call of a method that returns a body, by the body's kind."""

    def __init__(self, owner: type, name: str, into: dict[str, list[float]], what: str) -> None:
        self.owner, self.name, self.into, self.what = owner, name, into, what
        self.honest = getattr(owner, name)

    def __enter__(self) -> None:
        def run(*given: Any) -> Any:
            begun = time.process_time()
            body = self.honest(*given)
            self.into[self.what + body.KIND].append(time.process_time() - begun)
            return body

        setattr(self.owner, self.name, run)

    def __exit__(self, *_: object) -> None:
        setattr(self.owner, self.name, self.honest)


class checked:
    """Notes the CPU of every check of an entry, by its kind."""

    def __init__(self, into: dict[str, list[float]]) -> None:
        self.into, self.honest = into, dict(stepping.HANDLERS)

    def __enter__(self) -> None:
        for body, handler in self.honest.items():
            stepping.HANDLERS[body] = self.watched(body.KIND, handler)

    def watched(self, kind: str, handler: stepping.Handler) -> stepping.Handler:
        def run(*given: Any) -> Step:
            begun = time.process_time()
            after = handler(*given)
            self.into["check " + kind].append(time.process_time() - begun)
            return after

        return run

    def __exit__(self, *_: object) -> None:
        stepping.HANDLERS.update(self.honest)


def speed_up(transcripts: list[bytes]) -> dict[str, float]:
    """A folder of transcripts by one process and by one for each core, in seconds of the clock."""
    with tempfile.TemporaryDirectory(prefix="p2p304-bench-") as made:
        paths = []
        for number, data in enumerate([*transcripts] * 4):
            paths.append(Path(made) / f"{number}.304")
            paths[-1].write_bytes(data)
        seconds = {}
        for workers in (1, os.cpu_count() or 1):
            begun = time.perf_counter()
            done = list(audit_all(paths, jobs=workers))
            seconds[workers] = (time.perf_counter() - begun) / len(done)
    alone, together = seconds[1], seconds[max(seconds)]
    return {"audit_alone_s": alone, "audit_together_s": together, "speed_up": alone / together}


def row_lines(rows: list[dict[str, Any]]) -> list[str]:
    out = [f"{'row':26} {'prove':>8} {'verify':>8} {'bytes':>6}   multiplications (of G)"]
    for row in rows:
        ops = [
            f"{o['multiply']} ({o['multiply_base']})" for o in (row["prove_ops"], row["verify_ops"])
        ]
        out.append(
            f"{row['row']:26} {row['prove_ms']:5.1f} ms {row['verify_ms']:5.1f} ms "
            f"{row['bytes']:6}   {ops[0]} / {ops[1]}"
        )
    return out


def lines(told: dict[str, Any]) -> list[str]:
    out = row_lines(told["statements"])
    hand = told["hands"]
    out.append(
        f"a whole closed hand, CPU of four nodes: {hand['hand_cpu_s']:.2f} s, "
        f"{hand['bytes']:.0f} bytes; its audit {hand['audit_s']:.3f} s of CPU"
    )
    one, all_, gain = (hand[k] for k in ("audit_alone_s", "audit_together_s", "speed_up"))
    out.append(f"a folder: {one:.3f} s a hand by one process, {all_:.3f} by all: {gain:.2f} times")
    for kind, figures in hand["kinds"].items():
        out.append(
            f"  {kind:18} {figures['ms']:7.2f} ms, at most {figures['max_ms']:7.2f} ms, "
            f"{figures['times']} times"
        )
    return out


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/dev bench-proofs", description=__doc__)
    parser.add_argument("--json", action="store_true", help="data instead of lines")
    parser.add_argument("--seeds", type=int, default=5, help="hands to play")
    parser.add_argument("--latency", action="store_true", help="key press to all, real processes")
    parser.add_argument("--presets", action="store_true", help="the rows of every preset, no hands")
    chosen = parser.parse_args()
    if chosen.presets:
        for name in PRESETS:
            sys.stdout.write("\n".join([f"# {name}", *row_lines(statements(name)), ""]))
        return
    if chosen.latency:
        sys.stdout.write(json.dumps(latencies(chosen.seeds), indent=1) + "\n")
        return
    told = {
        "engine": group.engine_name(),
        "cores": os.cpu_count(),
        "multiply_ms": median_ms(
            lambda: [mul(3 + Q // 2, group.hash_to_element(b"b", b"b")) for _ in range(100)]
        )
        / 100,
        "statements": statements("pagat"),
        "hands": hands(chosen.seeds),
    }
    text = [json.dumps(told)] if chosen.json else lines(told)
    sys.stdout.write("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
