"""Timed figures of p2p304. usage: scripts/bench [--json] [--hands N] [--deals N]

Every figure is measured on this machine in this run; medians where there are several. The floor
is the count of group operations times the time of a bare libsodium call of the same kind.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

from p2p304.bots.club import ClubBot
from p2p304.bots.player import RandomBot
from p2p304.bots.series import series
from p2p304.crypto import group
from p2p304.crypto.rng import Rng
from p2p304.offline.audit import audit
from p2p304.rules.variants.presets import preset
from p2p304.table.state.deal import card_elements
from scripts.benchmarks import rules as bench_rules
from scripts.benchmarks import screen as bench_screen
from tests.support.paths import ROOT
from tests.support.table import simnet

PLAYERS = 4
THINKS = 0.25
"""Seconds from the question to the key press."""


def bare_times() -> dict[str, float]:
    """Seconds of one bare call into libsodium, by the names of the engine's operations."""
    from rbcl._sodium import _sodium as sodium

    rng = Rng.from_seed(bytes(32))
    scalar = rng.scalar().to_bytes(32, "little")
    A, B = bytes(group.base(rng.scalar())), bytes(group.base(rng.scalar()))
    out = ctypes.create_string_buffer(32)
    uniform = rng.bytes(64)
    calls: dict[str, Callable[[], Any]] = {
        "multiply": lambda: sodium.crypto_scalarmult_ristretto255(out, scalar, A),
        "multiply_base": lambda: sodium.crypto_scalarmult_ristretto255_base(out, scalar),
        "add": lambda: sodium.crypto_core_ristretto255_add(out, A, B),
        "from_uniform": lambda: sodium.crypto_core_ristretto255_from_hash(out, uniform),
        "is_element": lambda: sodium.crypto_core_ristretto255_is_valid_point(A),
    }
    return {name: _per_call(call) for name, call in calls.items()}


def _per_call(call: Callable[[], Any], runs: int = 7, times: int = 300) -> float:
    samples = []
    for _ in range(runs):
        begun = time.process_time()
        for _ in range(times):
            call()
        samples.append((time.process_time() - begun) / times)
    return statistics.median(samples)


def deal(seed: int, counted: bool) -> tuple[float, Counter[str]]:
    """CPU seconds of a whole deal, summed over four nodes, and its group operations: from the
    first shuffle to eight re-ordered cards in every hand, the bidding between left out."""
    card_elements.cache_clear()  # the four nodes of one process then hash the cards once
    net = simnet.make(seed)
    spent, counts = 0.0, Counter[str]()
    net.run(until=lambda: len(net.tables[0].state.nonces if net.tables[0].state else ()) == 3)

    def dealing() -> bool:
        due = [table.replica.due for table in net.tables]
        return any(
            d is not None
            and d.by_itself
            and d.kinds[0] in ("draw", "shuffle", "cut", "unlock", "relock")
            for d in due
        )

    for _ in range(2):
        with group.counting() if counted else nullcontext() as tally:
            begun = time.process_time()
            net.run(until=lambda: not dealing())
            spent += time.process_time() - begun
        counts.update({} if tally is None else asdict(tally))
        net.run(until=dealing)
    return spent, counts


def deals(count: int) -> dict[str, Any]:
    bare = bare_times()
    seeds = _dealt_seeds(count)
    cpu = statistics.median(deal(seed, counted=False)[0] for seed in seeds)
    operations = deal(seeds[0], counted=True)[1]
    floor = sum(operations[name] * bare[name] for name in bare)
    return {
        "engine": group.engine_name(),
        "bare_us": {name: round(value * 1e6, 1) for name, value in bare.items()},
        "deal_cpu_s": cpu,
        "deal_operations": dict(operations),
        "deal_floor_s": floor,
        "deal_ratio": cpu / floor,
    }


def _dealt_seeds(count: int) -> list[int]:
    """Seeds whose first hand is dealt to the end (a bid is made)."""
    seeds: list[int] = []
    seed = 1
    while len(seeds) < count:
        net = simnet.make(seed)
        net.run()
        state = net.tables[0].state
        record = None if state is None else state.last_record
        if record is not None and not record.result.void:
            seeds.append(seed)
        seed += 1
    return seeds


def audits(count: int) -> dict[str, Any]:
    """Auditing a hand, and a hand's bytes, of hands played to the end."""
    seconds, sizes = [], []
    for seed in _dealt_seeds(count):
        net = simnet.make(seed)
        net.run()
        begun = time.process_time()
        report = audit(net.transcripts[0])
        seconds.append(time.process_time() - begun)
        sizes.append(len(net.transcripts[0]))
        if not report.sound:
            raise SystemExit("an audit failed")
    return {"audit_s": statistics.median(seconds), "transcript_bytes": statistics.median(sizes)}


def node(number: int, folder: Path, hands: int) -> None:
    """One real node, which notes when it acts and when it sees others act. Its player thinks for a
    moment; in every second hand its entries are prepared meanwhile."""
    import asyncio

    from p2p304.app.config import NodeConfig
    from p2p304.app.session import Session
    from p2p304.storage.data_folder import DataFolder
    from p2p304.table.state import events

    marks: list[list[Any]] = []
    bot = ClubBot()

    async def run() -> Session:
        def on_event(event: events.Event) -> None:
            if isinstance(event, events.HandBegan):
                session.background.prepares = event.number % 2 == 0
            elif isinstance(event, events.Acted):
                down = bool(getattr(event.action, "down", False))
                place, prepares = len(event.hand.history), session.background.prepares
                marks.append(["seen", place, down, prepares, time.monotonic()])
            elif isinstance(event, events.YourTurn):
                asyncio.get_running_loop().call_later(THINKS, press, event)

        def press(event: events.YourTurn) -> None:
            action = bot.choose(event.view)
            place = len(event.view.hand.history) + 1
            down, prepares = bool(getattr(action, "down", False)), session.background.prepares
            marks.append(["pressed", place, down, prepares, time.monotonic()])
            session.act(action)

        session = Session(
            DataFolder(folder / str(number)),
            f"Bench {number}",
            NodeConfig(f"127.0.0.{number + 1}"),
            on_event,
        )
        await session.start()
        if number == 0:
            await session.found("bench", preset("pagat"), hands)
        else:
            found = await session.announcer.find("bench", 20)
            await session.join_address(found.host, found.port)
        await session.run()
        return session

    session = asyncio.run(run())
    times = session.times
    told = {"marks": marks, "seated": times.seated, "dealt": times.dealt}
    (folder / f"{number}.json").write_text(json.dumps(told))


def processes(hands: int) -> dict[str, Any]:
    """Four real processes: discovery, first cards, key press to all screens."""
    with tempfile.TemporaryDirectory(prefix="p2p304-bench-") as made:
        folder = Path(made)
        started = [
            subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "scripts.benchmarks.bench",
                    "--node",
                    str(n),
                    "--folder",
                    made,
                    "--hands",
                    str(hands),
                ],
                cwd=ROOT,
            )
            for n in range(PLAYERS)
        ]
        if sum(process.wait(600) for process in started):
            raise SystemExit("a node failed")
        told = [json.loads((folder / f"{n}.json").read_text()) for n in range(PLAYERS)]
    figures = latencies([one["marks"] for one in told])
    return {
        "seated_s": max(one["seated"] for one in told),
        "cards_s": max(one["dealt"] - one["seated"] for one in told),
        **figures,
    }


def latencies(told: list[list[list[Any]]]) -> dict[str, Any]:
    """From each press to the last node's seeing it: milliseconds, face up and face down, prepared
    and not, with how many there were."""
    found: dict[tuple[bool, bool], list[float]] = {}
    for mine in told:
        for what, place, is_down, is_prepared, pressed in mine:
            if what == "pressed":
                seen = [
                    next(
                        (
                            t
                            for w, p, *_, t in theirs
                            if w == "seen" and p == place and t >= pressed
                        ),
                        None,
                    )
                    for theirs in told
                ]
                known = [t for t in seen if t is not None]
                if len(known) == PLAYERS:
                    found.setdefault((is_down, is_prepared), []).append(max(known) - pressed)

    def median_ms(is_down: bool, is_prepared: bool) -> float | None:
        times = found.get((is_down, is_prepared))
        return statistics.median(times) * 1e3 if times else None

    return {
        "face_up_ms": median_ms(False, True),
        "face_up_unprepared_ms": median_ms(False, False),
        "face_down_ms": median_ms(True, True),
        "face_down_unprepared_ms": median_ms(True, False),
        "plays_timed": [len(found.get((d, p), ())) for d in (False, True) for p in (True, False)],
    }


def told_ms(ms: float | None) -> str:
    return "none" if ms is None else f"{ms:.1f} ms"


def bots(count: int) -> dict[str, Any]:
    """Club player against random play, every deal both ways round: tokens a hand."""
    chance = Rng.system().below
    rules = preset("pagat")
    won = series(rules, ClubBot(), RandomBot(chance), count, chance)
    return {
        "bots_deals": count,
        "bots_tokens": won.tokens,
        "bots_margin": won.margin,
        "bots_made": [won.made, won.bids],
    }


def lines(figures: dict[str, Any]) -> list[str]:
    return [
        f"engine: {figures['engine']}, bare calls in microseconds {figures['bare_us']}",
        f"deal, CPU of four nodes: {figures['deal_cpu_s']:.3f} s (aim 0.25)",
        f"  operations {figures['deal_operations']}, floor {figures['deal_floor_s']:.3f} s, "
        f"ratio {figures['deal_ratio']:.2f} (aim 1.3)",
        f"four ready nodes to cards: {figures['cards_s']:.2f} s",
        f"launch to seated: {figures['seated_s']:.2f} s",
        f"key press to all screens, face up: {told_ms(figures['face_up_ms'])} (aim 15), unprepared "
        f"{told_ms(figures['face_up_unprepared_ms'])}",
        f"key press to all screens, face down: {told_ms(figures['face_down_ms'])} (aim 25), "
        f"unprepared {told_ms(figures['face_down_unprepared_ms'])}",
        f"auditing a hand: {figures['audit_s']:.3f} s (aim 0.25)",
        f"transcript of a hand: {figures['transcript_bytes']:.0f} bytes",
        f"club bots against random play: {figures['bots_tokens']:+.2f} tokens a hand, "
        f"95 % within {figures['bots_margin']:.2f}, {figures['bots_deals']} deals both ways",
        *bench_rules.lines(figures),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="data instead of lines")
    parser.add_argument("--hands", type=int, default=6, help="hands by real processes")
    parser.add_argument("--deals", type=int, default=100, help="deals of the bots' series")
    parser.add_argument("--screen", action="store_true", help="the full screen's figures alone")
    parser.add_argument("--node", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.node is not None:
        node(chosen.node, chosen.folder, chosen.hands)
        return
    if chosen.screen:
        sys.stdout.write(
            json.dumps(bench_screen.screen(), indent=None if chosen.json else 2) + "\n"
        )
        return
    figures = {
        "cores": os.cpu_count(),
        **deals(5),
        **audits(5),
        **processes(chosen.hands),
        **bots(chosen.deals),
        **bench_rules.rules(200, 50),
    }
    text = [json.dumps(figures)] if chosen.json else lines(figures)
    sys.stdout.write("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
