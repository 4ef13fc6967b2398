"""Latency and memory of a table under attack, against the same table undisturbed.

Four nodes (mesh, driver and machine as in play) sit in this process; the attacker is another
process. What is measured: seconds from an entry's making to everybody's receipt for it, over
whole hands that are played by programs. `scripts/under-attack [HANDS]`.
"""

from __future__ import annotations

import asyncio
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "net"))

from hostile import ATTACKS

from p2p304.bots.player import RandomBot
from p2p304.crypto.rng import Rng
from p2p304.rules.presets import preset
from p2p304.session import Place, Session
from p2p304.store import Store
from p2p304.table import events
from p2p304.table.events import Event

ROOT = Path(__file__).parent.parent
NICKS = ("Asha", "Bandu", "Chitra", "Dilan")


class Seat:
    """A bot's session that notes when every entry was settled here."""

    def __init__(self, number: int, folder: Path) -> None:
        bot = RandomBot(Rng.system().below)
        self.waits: list[float] = []
        self._last: float | None = None

        def on_event(event: Event) -> None:
            now = time.perf_counter()
            if isinstance(event, events.Acted):
                if self._last is not None:
                    self.waits.append(now - self._last)
                self._last = now
            if isinstance(event, events.HandOver):
                self._last = None
            if isinstance(event, events.YourTurn):
                choice = bot.choose(event.view)
                asyncio.get_running_loop().call_soon(self.session.act, choice)

        place = Place(f"127.0.0.{number + 1}", 0, (f"127.0.0.{number + 1}",))
        store = Store(folder / NICKS[number])
        self.session = Session(store, NICKS[number], place, on_event)


async def play(kind: str | None, hands: int) -> tuple[list[float], float, float]:
    """Waits between public acts at the table, CPU seconds of the four nodes for one of them,
    and the growth of memory in MiB. The attacker is nice: its own work is another machine's."""
    with tempfile.TemporaryDirectory(prefix="p2p304-attack-") as folder:
        seats = [Seat(number, Path(folder)) for number in range(4)]
        for seat in seats:
            await seat.session.start()
        host, port = "127.0.0.1", seats[0].session.mesh.port
        await seats[0].session.found("attacked", preset("pagat"), hands)
        for seat in seats[1:]:
            await seat.session.join_address(host, port)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        attacker = None
        if kind is not None:
            harm = str(ROOT / "tests" / "net" / "hostile.py")
            words = ["nice", "-n", "19", sys.executable, harm, kind, host, str(port)]
            attacker = subprocess.Popen(words, env={"PYTHONPATH": str(ROOT)})
        begun = time.process_time()
        try:
            await asyncio.gather(*(seat.session.run() for seat in seats))
        finally:
            if attacker is not None:
                attacker.kill()
                attacker.wait()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        waits = [wait for seat in seats for wait in seat.waits]
        return waits, 4 * (time.process_time() - begun) / len(waits), grown / 1024


def main(hands: int) -> int:
    base = least = 0.0
    for kind in (None, *ATTACKS):
        waits, cpu, grown = asyncio.run(play(kind, hands))
        median, high = statistics.median(waits), statistics.quantiles(waits, n=20)[18]
        base, least = base or median, least or cpu
        sys.stdout.write(f"{kind or 'undisturbed':<12} median {median * 1000:6.1f} ms  "
                         f"95 % {high * 1000:6.1f} ms  times undisturbed {median / base:.2f}  "
                         f"CPU {cpu * 1000:.1f} ms ({cpu / least:.2f})  "
                         f"memory +{grown:.0f} MiB\n")  # fmt: skip
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 6))
