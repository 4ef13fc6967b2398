"""From the last player's Enter to the cards on all four screens: four real processes on loopback.

Everybody looks at each result for a moment, asks for the deal, and passes, so that hand follows
hand. Owns no figure of its own; usage: scripts/dev bench-dealing [--hands N]. These are clock
times, so a busy machine counts: `busy` says by how much a plain loop was slowed. A busy machine
hardly changes `cpu_of_four_ms`, the CPU time of all four from their Enter to their cards.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from p2p304.app.config import NodeConfig
from p2p304.app.session import Session
from p2p304.rules.core.actions import Pass
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.table.state import events
from scripts.benchmarks.latency import nine_in_ten, slowed, synced_write
from tests.support.paths import ROOT

PLAYERS = 4
LOOKS = (0.6, 1.4)
"""Seconds for which a player looks at a result, at least and at most."""
Times = dict[str, tuple[float, float]]
"""When, by the number of the hand: the clock, and the CPU time of the process."""


def now() -> tuple[float, float]:
    return time.monotonic(), time.process_time()


async def node(number: int, folder: Path, hands: int) -> dict[str, Times]:
    """One real node: when it asked for each deal, and when its cards were there."""
    asked: Times = {}
    seen: Times = {}
    chance, loop, is_done = Random(number), asyncio.get_running_loop(), asyncio.Event()

    def on_event(event: events.Event) -> None:
        if isinstance(event, events.HandBegan) and event.number > hands + 1:
            loop.call_later(1.0, is_done.set)
        elif isinstance(event, events.NextHand):
            loop.call_later(chance.uniform(*LOOKS), ask, event.number)
        elif isinstance(event, events.CutOffered):
            loop.call_soon(cut)
        elif isinstance(event, events.HandSeen) and session.node.table is not None:
            state = session.node.table.state
            seen.setdefault(str(0 if state is None else state.number), now())
        elif isinstance(event, events.YourTurn):
            loop.call_soon(choose, event.view)

    def cut() -> None:
        session.node.cut(None, session.driver.now)
        session.driver.flush()

    def ask(hand: int) -> None:
        asked[str(hand)] = now()
        session.node.ready(session.driver.now)
        session.driver.flush()

    def choose(view: View) -> None:
        choices = legal(view)
        session.act(next((a for a in choices if isinstance(a, Pass)), choices[0]))

    session = Session(
        DataFolder(folder / str(number)),
        f"Bench {number}",
        NodeConfig(f"127.0.0.{number + 1}"),
        on_event,
        patient=True,
    )
    await session.start()
    if number == 0:
        await session.found("bench", preset("pagat"), 0)
    else:
        found = await session.announcer.find("bench", 20)
        await session.join_address(found.host, found.port)
    playing = loop.create_task(session.run())
    await is_done.wait()
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing
    return {"asked": asked, "seen": seen}


def figures(hands: int) -> dict[str, Any]:
    """Milliseconds from the last Enter to the cards at the last node; the first hand is not
    counted."""
    before = slowed()
    with tempfile.TemporaryDirectory(prefix="p2p304-bench-") as made:
        synced = synced_write(Path(made))
        module = [sys.executable, "-m", "scripts.benchmarks.dealing", "--hands", str(hands)]
        started = [
            subprocess.Popen([*module, "--node", str(n), "--folder", made], cwd=ROOT)
            for n in range(PLAYERS)
        ]
        if sum(process.wait(600) for process in started):
            raise SystemExit("a node failed")
        told = [json.loads((Path(made) / f"{n}.json").read_text()) for n in range(PLAYERS)]
    common = set.intersection(*({*each["asked"]} & {*each["seen"]} for each in told))
    found = [
        (max(each["seen"][n][0] for each in told) - max(each["asked"][n][0] for each in told)) * 1e3
        for n in common
    ]
    # Between its own Enter and the cards a node does little else.
    cpu = [sum(each["seen"][n][1] - each["asked"][n][1] for each in told) * 1e3 for n in common]
    return {
        "hands": len(found),
        "least_ms": round(min(found), 1),
        "median_ms": round(statistics.median(found), 1),
        "nine_in_ten_ms": nine_in_ten(found),
        "cpu_of_four_ms": round(statistics.median(cpu), 1),
        "busy": round((before + slowed()) / 2, 2),
        "synced_write_ms": round(synced, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--node", type=int, help="run one of the nodes")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--hands", type=int, default=24)
    chosen = parser.parse_args()
    if chosen.node is None:
        sys.stdout.write(json.dumps(figures(chosen.hands), indent=1) + "\n")
        return
    times = asyncio.run(node(chosen.node, chosen.folder, chosen.hands))
    (chosen.folder / f"{chosen.node}.json").write_text(json.dumps(times))


if __name__ == "__main__":
    main()
