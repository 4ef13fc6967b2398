"""Figures of what proves itself: every statement's cost, a hand's CPU, the audit's speed-up.

usage: scripts/bench-proofs [--json] [--seeds N] [--latency]

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

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "table")]

import simnet  # noqa: E402
from bench_latency import latencies  # noqa: E402

from p2p304.audit import audit  # noqa: E402
from p2p304.auditing import audit_all  # noqa: E402
from p2p304.crypto import group  # noqa: E402
from p2p304.crypto.group import Element, Q, add, base, mul  # noqa: E402
from p2p304.crypto.rng import Rng  # noqa: E402
from p2p304.crypto.statements import Hidden, Statement, prove_by_keys, verify  # noqa: E402
from p2p304.rules.hand import Hand  # noqa: E402
from p2p304.rules.presets import preset  # noqa: E402
from p2p304.table import deal as dealing  # noqa: E402
from p2p304.table import step as stepping  # noqa: E402
from p2p304.table import unseen  # noqa: E402
from p2p304.table.acting import Step  # noqa: E402
from p2p304.table.hands import Writer  # noqa: E402

RNG = Rng.from_seed(bytes(32))
PACK = preset("pagat").pack


def rows() -> dict[str, tuple[Statement, dict[Element, int]]]:
    """The rows at their largest: nothing has been seen yet."""
    table = bytes(32)
    deal = dealing.begin(table, 1, 0, preset("pagat"))
    cards = unseen.Cards(table, deal, Hand.start(preset("pagat"), 0))
    u, x = RNG.child(b"u").scalar(), RNG.child(b"x").scalar()
    U, X, k = base(u), base(x), RNG.child(b"k").scalar()
    inverse = pow(u, -1, Q)

    def locked(number: int) -> Hidden:
        return Hidden(U, mul(inverse, deal.deck[number]))

    def shown(number: int) -> Hidden:
        return unseen.encrypted(X, base(k), add(deal.deck[number], mul(k, X)))

    spades, hand = PACK.cards[0].suit, [locked(n) for n in range(8, 15)]
    drawn = [card.suit for card in PACK.cards[8:32:8]]
    three = [shown(n) for n in (9, 17, 25)]
    told = {
        "follow, 7 in hand": unseen.cannot_follow(cards, hand, spades),
        "follow, 1 in hand": unseen.cannot_follow(cards, hand[:1], spades),
        "down": unseen.no_trumps(cards, locked(0), hand[:1]),
        "lead": unseen.leads_no_trump(cards, locked(16), spades),
        "exhausted, 1 suit": unseen.holds_none_back(cards, locked(0), hand, drawn[:1]),
        "exhausted, 3 suits": unseen.holds_none_back(cards, locked(0), hand, drawn),
        "stuck": unseen.not_only_trumps(cards, locked(0), hand),
        "no trumps, 3 shown": unseen.no_trumps(cards, locked(0), three),
        "no trumps, open": unseen.cannot_follow(cards, three, spades),
        "spoilt, 8 dealt": unseen.was_dealt_none(cards, [*hand, locked(15)], spades),
    }
    return {name: (row, {U: u, X: x}) for name, row in told.items() if row is not None}


def median_ms(run: Callable[[], object], times: int = 9) -> float:
    samples = []
    for _ in range(times):
        begun = time.process_time()
        run()
        samples.append(time.process_time() - begun)
    return round(statistics.median(samples) * 1e3, 2)


def statements() -> list[dict[str, Any]]:
    told = []
    for name, (row, keys) in rows().items():
        with group.counting() as proving:
            proof = prove_by_keys(row, keys, b"bench", RNG)
        with group.counting() as verifying:
            if not verify(row, proof, b"bench"):
                raise SystemExit(f"{name}: a true statement was refused")
        told.append({
            "row": name, "bytes": len(proof),
            "prove_ms": median_ms(lambda r=row, k=keys: prove_by_keys(r, k, b"bench", RNG)),  # type: ignore[misc]
            "verify_ms": median_ms(lambda r=row, p=proof: verify(r, p, b"bench")),  # type: ignore[misc]
            "prove_ops": asdict(proving), "verify_ops": asdict(verifying),
        })  # fmt: skip
    return told


def hands(seeds: int) -> dict[str, Any]:
    """CPU of whole closed hands by four nodes, and of every kind of entry to write and check."""
    spent: dict[str, list[float]] = defaultdict(list)
    whole, audits, sizes, transcripts = [], [], [], []
    with timed(Writer, "by_itself", spent, "write "), timed(Writer, "chosen", spent, "write "):
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
    kinds = {kind: {"ms": round(statistics.median(t) * 1e3, 2), "max_ms": round(max(t) * 1e3, 2),
                    "times": len(t)} for kind, t in sorted(spent.items())}  # fmt: skip
    return {
        "hand_cpu_s": statistics.median(whole), "audit_s": statistics.median(audits),
        "bytes": statistics.median(sizes), "kinds": kinds, **speed_up(transcripts),
    }  # fmt: skip


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
            done = list(audit_all(paths, workers=workers))
            seconds[workers] = (time.perf_counter() - begun) / len(done)
    alone, together = seconds[1], seconds[max(seconds)]
    return {"audit_alone_s": alone, "audit_together_s": together, "speed_up": alone / together}


def lines(told: dict[str, Any]) -> list[str]:
    out = [f"{'row':22} {'prove':>8} {'verify':>8} {'bytes':>6}   multiplications (of G)"]
    for row in told["statements"]:
        ops = [f"{o['multiply']} ({o['multiply_base']})" for o in (row["prove_ops"],
                                                                   row["verify_ops"])]  # fmt: skip
        out.append(f"{row['row']:22} {row['prove_ms']:5.1f} ms {row['verify_ms']:5.1f} ms "
                   f"{row['bytes']:6}   {ops[0]} / {ops[1]}")  # fmt: skip
    hand = told["hands"]
    out.append(f"a whole closed hand, CPU of four nodes: {hand['hand_cpu_s']:.2f} s, "
               f"{hand['bytes']:.0f} bytes; its audit {hand['audit_s']:.3f} s of CPU")  # fmt: skip
    one, all_, gain = (hand[k] for k in ("audit_alone_s", "audit_together_s", "speed_up"))
    out.append(f"a folder: {one:.3f} s a hand by one process, {all_:.3f} by all: {gain:.2f} times")
    for kind, figures in hand["kinds"].items():
        out.append(f"  {kind:18} {figures['ms']:7.2f} ms, at most {figures['max_ms']:7.2f} ms, "
                   f"{figures['times']} times")  # fmt: skip
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="data instead of lines")
    parser.add_argument("--seeds", type=int, default=5, help="hands to play")
    parser.add_argument("--latency", action="store_true", help="key press to all, real processes")
    chosen = parser.parse_args()
    if chosen.latency:
        sys.stdout.write(json.dumps(latencies(chosen.seeds), indent=1) + "\n")
        return
    told = {"engine": group.engine_name(), "cores": os.cpu_count(),
            "multiply_ms": median_ms(lambda: [mul(3 + Q // 2, group.hash_to_element(b"b", b"b"))
                                              for _ in range(100)]) / 100,
            "statements": statements(), "hands": hands(chosen.seeds)}  # fmt: skip
    text = [json.dumps(told)] if chosen.json else lines(told)
    sys.stdout.write("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
