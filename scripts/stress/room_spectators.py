"""Fifty spectators at one player of a table: what they cost the players.

Every spectator is a real WATCH client over a link of its own, several in one process. Some are
`p2p304 watch` itself and verify everything; the others take the same blocks and ask for more
alike, but believe them, because verifying is the work of the spectators' own computers.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.transcript import read_blocks
from p2p304.net.links.driver import Driver, Machine
from p2p304.net.links.mesh import Mesh
from p2p304.table.node.spectator_machine import ASK_AFTER, SpectatorMachine
from p2p304.table.state.events import PublicEvent
from p2p304.wire.framing import FrameKind
from scripts.stress.seated import Measured, play
from scripts.usage import answer_help
from tests.support.paths import ROOT

PROCESSES = 4
"""For the spectators that do not verify."""
ENOUGH = 12
"""Acts of a sort, to have a median of them."""


class Believer(SpectatorMachine):
    """A spectator that verifies nothing; in all else as `SpectatorMachine`."""

    def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None:
        if kind is FrameKind.BLOCK:
            self._have += 1
            if self._have % ASK_AFTER == 0:
                self._ask(now)

    @property
    def have(self) -> int:
        return self._have


async def sit(host: str, port: int, first: int, verifying: int, believing: int) -> None:
    """One process of spectators, each on an address of its own, until it is told to end; then
    the blocks that each has, and whether one found anything false."""
    machines: list[Machine[PublicEvent]] = [SpectatorMachine() for _ in range(verifying)]
    machines += [Believer() for _ in range(believing)]
    drivers, meshes = [], []
    for number, machine in enumerate(machines, first):
        mesh = Mesh(SigningKey.generate(Rng.system()), "spectator", f"127.0.7.{number + 1}", 0)
        await mesh.start()
        drivers.append(Driver(machine, mesh, lambda name, data: None, lambda event: None))
        mesh.want(await mesh.dial(host, port), host, port)
        meshes.append(mesh)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    await told.wait()
    sys.stdout.write(
        json.dumps(
            {
                "blocks": [_blocks(machine) for machine in machines],
                "false": [
                    m.fault
                    for m in machines
                    if isinstance(m, SpectatorMachine) and m.fault is not None
                ],
            }
        )
        + "\n"
    )
    sys.stdout.flush()
    for driver, mesh in zip(drivers, meshes, strict=True):
        driver.close()
        await mesh.close()


def _blocks(machine: Machine[PublicEvent]) -> int:
    if isinstance(machine, Believer):
        return machine.have
    return (
        sum(1 for _ in read_blocks(machine.transcript))
        if isinstance(machine, SpectatorMachine)
        else 0
    )


def gather(
    shares: Sequence[tuple[int, int]], kept: list[subprocess.Popen[bytes]], host: str, port: int
) -> list[subprocess.Popen[bytes]]:
    """Processes of so many verifying and believing spectators each, nice: their work is that of
    other machines. Returns when all are linked."""
    first = 0
    for verifying, believing in shares:
        words = [
            "nice",
            "-n",
            "19",
            sys.executable,
            "-m",
            "scripts.stress.room_spectators",
            host,
            str(port),
            str(first),
            str(verifying),
            str(believing),
        ]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        kept.append(subprocess.Popen(words, env=environment, stdout=subprocess.PIPE))
        first += verifying + believing
    for process in kept:
        if process.stdout is None or process.stdout.readline() != b"ready\n":
            raise RuntimeError("a spectator could not link")
    return kept


def shared(count: int, verifying: int, processes: int) -> list[tuple[int, int]]:
    """How many of each kind every process has: who verifies is alone."""
    believing = count - verifying
    alone = [(1, 0)] * verifying
    return [*alone, *((0, len(range(believing)[n::processes])) for n in range(processes))]


def measure(count: int, verifying: int, hands: int, rounds: int) -> dict[str, Any]:
    """Rounds without and with spectators by turns; medians of all waits."""
    calm: list[Measured] = []
    watched: list[Measured] = []
    shown: list[float] = []
    false: list[str] = []
    shares = shared(count, verifying, PROCESSES)
    for _ in range(rounds):
        calm.append(asyncio.run(play(hands, None)))
        kept: list[subprocess.Popen[bytes]] = []
        watched.append(asyncio.run(play(hands, partial(gather, shares, kept), "now")))
        blocks: list[int] = []
        for one in kept:
            if one.stdout is not None:
                end = json.loads(one.stdout.readline())
                blocks += end["blocks"]
                false += end["false"]
                one.stdout.close()
        shown += [100 * each / max(blocks) for each in blocks]
    return {
        "spectators": count,
        "verifying": verifying,
        "processes": len(shares),
        "shown_least_percent": round(min(shown)),
        "found_false": false,
        "shown_median_percent": round(statistics.median(shown)),
        **_told("calm", calm),
        **_told("watched", watched),
        "latency_ratio": ratio(calm, watched),
    }


def ratio(calm: Sequence[Measured], watched: Sequence[Measured]) -> float:
    """Median against median for every sort of act, because hands differ in which acts they have;
    then the mean of these, weighted by how often the act was made before spectators."""
    before, after = _by_act(calm), _by_act(watched)
    both = [act for act in before if len(before[act]) >= ENOUGH <= len(after.get(act, []))]
    weights = [len(after[act]) for act in both]
    each = [statistics.median(after[act]) / statistics.median(before[act]) for act in both]
    return round(statistics.fmean(each, weights), 2)


def _by_act(measured: Sequence[Measured]) -> dict[str, list[float]]:
    waits: dict[str, list[float]] = {}
    for one in measured:
        for act, wait in one.by_act:
            waits.setdefault(act, []).append(wait)
    return waits


def _told(name: str, measured: Sequence[Measured]) -> dict[str, float]:
    waits = [wait for one in measured for wait in one.waits]
    return {
        f"{name}_ms": round(statistics.median(waits) * 1000, 1),
        f"{name}_95_ms": round(statistics.quantiles(waits, n=20)[18] * 1000, 1),
        f"{name}_cpu_ms": round(1000 * statistics.mean(one.cpu for one in measured), 1),
        f"{name}_grown_mib": round(max(one.grown for one in measured), 1),
    }


if __name__ == "__main__":
    answer_help(__doc__)
    asyncio.run(sit(sys.argv[1], *(int(word) for word in sys.argv[2:])))
