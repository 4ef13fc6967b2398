"""Four nodes at one table in this process (mesh, driver and machine as in play), and the time
from an act's making to everybody's receipt for it. Shared by the scripts that disturb a table.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from p2p304.app.config import NodeConfig
from p2p304.app.session import Session
from p2p304.bots.player import RandomBot
from p2p304.crypto.rng import Rng
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.table.state import events
from p2p304.table.state.events import Event

NICKS = ("Asha", "Bandu", "Chitra", "Dilan")
Disturb = Callable[[str, int], Sequence[subprocess.Popen[bytes]]]
"""Given the address of the first node, starts processes that disturb it, and waits for them."""


@dataclass(frozen=True, slots=True)
class Measured:
    """``by_act``: the sort of each public act and the seconds since the one before, which is one
    act with everybody's receipts; ``cpu``: seconds of the four nodes for one act; ``grown``: most
    memory, in MiB more than before the first disturbance."""

    by_act: list[tuple[str, float]]
    cpu: float
    grown: float

    @property
    def waits(self) -> list[float]:
        return [wait for _, wait in self.by_act]


class Seat:
    """A bot's session that notes when every entry was settled here."""

    def __init__(self, number: int, folder: Path, watch: str) -> None:
        bot = RandomBot(Rng.system().below)
        self.waits: list[tuple[str, float]] = []
        self._last: float | None = None

        def on_event(event: Event) -> None:
            now = time.perf_counter()
            if isinstance(event, events.Acted):
                if self._last is not None:
                    self.waits.append((_sort(event.action), now - self._last))
                self._last = now
            if isinstance(event, events.HandOver):
                self._last = None
            if isinstance(event, events.YourTurn):
                choice = bot.choose(event.view)
                asyncio.get_running_loop().call_soon(self.session.act, choice)

        here = f"127.0.0.{number + 1}"
        place = NodeConfig(here, 0, (here,), watch=watch)
        self.session = Session(DataFolder(folder / NICKS[number]), NICKS[number], place, on_event)


async def play(hands: int, disturb: Disturb | None, watch: str = "") -> Measured:
    """So many hands by bots; ``disturb`` is called when the table is about to be complete, its
    processes are ended with the table."""
    with tempfile.TemporaryDirectory(prefix="p2p304-seated-") as folder:
        seats = [Seat(number, Path(folder), watch) for number in range(4)]
        for seat in seats:
            await seat.session.start()
        first = seats[0].session
        await first.found("disturbed", preset("pagat"), hands)
        for seat in seats[1:3]:
            await seat.session.join_address("127.0.0.1", first.mesh.port)
        weight = asyncio.create_task(_weigh())
        others: Sequence[subprocess.Popen[bytes]] = ()
        try:
            if disturb is not None:
                others = await asyncio.to_thread(disturb, "127.0.0.1", first.mesh.port)
            await seats[3].session.join_address("127.0.0.1", first.mesh.port)
            begun = time.process_time()
            await asyncio.gather(*(seat.session.run() for seat in seats))
        finally:
            for other in others:
                other.terminate()
            for other in others:
                await asyncio.to_thread(other.wait)
            weight.cancel()
        waits = [wait for seat in seats for wait in seat.waits]
        return Measured(waits, 4 * (time.process_time() - begun) / len(waits), await weight)


def _sort(action: Action) -> str:
    """What an act costs depends on whether it comes with proofs."""
    down = isinstance(action, Play) and action.down
    return f"{type(action).__name__}{' down' if down else ''}"


async def _weigh() -> float:
    """Until it is cancelled; MiB by which this process grew at most."""
    first = most = _resident()
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            await asyncio.sleep(0.1)
            most = max(most, _resident())
    return most - first


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
