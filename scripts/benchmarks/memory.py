"""Memory of one node over a long evening. usage: scripts/dev bench-memory [--hands N]

Four real processes with bots play at one table, Caps off. Each of them also keeps what a screen
would tell. The figures are the resident memory of the first process, in MiB, after its first hand
and after every quarter of the hands (Linux).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from p2p304.app.config import NodeConfig
from p2p304.app.session import Session
from p2p304.bots.club import ClubBot
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.table.state import events
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.reducer import reduce
from tests.support.paths import ROOT

PLAYERS = 4


def resident() -> float:
    """The resident memory of this process in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def play(number: int, folder: Path, hands: int, table: str) -> list[tuple[int, float]]:
    """Run one node to the end of the table; return hands over and resident memory."""
    loop, bot, model = asyncio.get_running_loop(), ClubBot(), Model()
    found: list[tuple[int, float]] = []

    def on_event(event: events.Event) -> None:
        nonlocal model
        model = reduce(model, event, loop.time())
        if isinstance(event, events.HandOver):
            if event.number == 1 or event.number % max(1, hands // 4) == 0:
                found.append((event.number, resident()))
        elif isinstance(event, events.YourTurn):
            loop.call_soon(lambda: session.act(bot.choose(event.view)))

    config = NodeConfig(f"127.0.0.{number + 1}")
    session = Session(DataFolder(folder / str(number)), f"Bench {number}", config, on_event)
    await session.start()
    if number == 0:
        await session.found(
            table, preset("pagat").override({"caps": "off", "match": "session"}), hands
        )
    else:
        opened = await session.announcer.find(table, 20)
        await session.join_address(opened.host, opened.port)
    await session.run()
    return found


def measure(hands: int) -> list[tuple[int, float]]:
    """Play at one table of four processes; return the figures of the first."""
    with tempfile.TemporaryDirectory(prefix="p2p304-bench-") as folder:
        module = ["-m", "scripts.benchmarks.memory", "--folder", folder, "--hands", str(hands)]
        nodes = [
            subprocess.Popen([sys.executable, *module, "--node", str(n)], cwd=ROOT)
            for n in range(PLAYERS)
        ]
        if sum(node.wait() for node in nodes):
            raise SystemExit("a node failed")
        return [(n, mib) for n, mib in json.loads((Path(folder) / "0.json").read_text())]


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/dev bench-memory", description=__doc__)
    parser.add_argument("--hands", type=int, default=200, help="hands to be played (200)")
    parser.add_argument("--node", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.node is not None:
        table = chosen.folder.name.removeprefix("p2p304-")
        found = asyncio.run(play(chosen.node, chosen.folder, chosen.hands, table))
        (chosen.folder / f"{chosen.node}.json").write_text(json.dumps(found))
        return
    for hands, mib in measure(chosen.hands):
        sys.stdout.write(f"after {hands} hands: {mib:.1f} MiB\n")


if __name__ == "__main__":
    main()
