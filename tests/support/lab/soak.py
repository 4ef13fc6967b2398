"""Matches with random faults for a given time; everything that was played is audited."""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from tests.support.lab.lan import NET, Lan
from tests.support.lab.players import LabFailed, Players

HANDS = 3
PATIENCE = 120.0
"""Seconds in which nothing goes on, whatever happens: then a hand is lost."""
KINDS = ("kill", "kill two", "power cut", "split", "unplug", "air", "stop", "address")


async def soak(seconds: float, seed: int, say: Callable[[str], None]) -> int:
    """Play match after match; status 1 as soon as a hand is lost, with what every node was at."""
    rng, begun = random.Random(seed), time.monotonic()
    tally = Tally()
    while time.monotonic() - begun < seconds:
        try:
            tally.hands += await _match(rng, tally, say)
        except LabFailed as trouble:
            say(f"LOST after {tally.line()}: {trouble}")
            return 1
        tally.matches += 1
        say(f"{time.monotonic() - begun:.0f} s: {tally.line()}")
    return 0


@dataclass
class Tally:
    """What was played through what. ``back``: seconds from a fault's end until all went on, by
    kind; where programs were killed their start is in it."""

    matches: int = 0
    hands: int = 0
    back: dict[str, list[float]] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)

    def line(self) -> str:
        each = (
            f"{kind} {count} ({_spread(self.back.get(kind, []))})"
            for kind, count in sorted(self.faults.items())
        )
        return (
            f"{self.matches} matches, {self.hands} hands, {self.faults.total()} faults; on "
            f"again after s, median and worst: {', '.join(each)}"
        )


def _spread(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.1f}, {max(seconds):.1f}" if seconds else "-"


async def _match(rng: random.Random, tally: Tally, say: Callable[[str], None]) -> int:
    lan = Lan(4, rng.randrange(2**32))
    players = Players(lan, Path(tempfile.mkdtemp(prefix="p2p304-soak-")), HANDS)
    lan.up()
    try:
        await players.sit_down()
        worst = asyncio.create_task(_do_harm(lan, players, rng, tally))
        try:
            hands = await players.finish(PATIENCE)
        except LabFailed:
            for line in await players.explain():
                say(line)
            raise
        finally:
            worst.cancel()
            await asyncio.gather(worst, return_exceptions=True)
    finally:
        await players.end()
        lan.down()
    shutil.rmtree(players.folder)
    return hands


async def _do_harm(lan: Lan, players: Players, rng: random.Random, tally: Tally) -> None:
    """A fault every few seconds, for a while, until the match is over. Every one is noted in the
    players' folder, and how long it took until all went on."""
    begun = time.monotonic()
    with (players.folder / "faults.log").open("w") as log:
        while True:
            await asyncio.sleep(rng.uniform(0.5, 4))
            kind = rng.choice(KINDS)
            if not all(players.written(host) for host in (1, 2, 3, 4)) or players.over:
                return
            tally.faults[kind] += 1
            _note(log, begun, kind)
            await _harm(kind, lan, players, rng)
            ended = time.monotonic()
            if await _goes_on(players):
                tally.back.setdefault(kind, []).append(time.monotonic() - ended)
            _note(log, begun, f"on again {time.monotonic() - ended:.1f} s after the end of it")


def _note(log: TextIO, begun: float, what: str) -> None:
    log.write(f"{time.monotonic() - begun:.1f} s: {what}\n")
    log.flush()


async def _goes_on(players: Players) -> bool:
    """Wait until everybody has written something more; False if the match is over before."""
    before = {host: players.written(host) for host in players.running}
    while not players.over:
        sizes = {host: players.written(host) for host in players.running}
        if any(size < before[host] for host, size in sizes.items()):
            return False  # the table is over, and its secrets erased
        if all(size > before[host] for host, size in sizes.items()):
            return True
        await asyncio.sleep(0.02)
    return False


async def _harm(kind: str, lan: Lan, players: Players, rng: random.Random) -> None:
    one, two = rng.sample((1, 2, 3, 4), 2)
    pause = rng.uniform(0.1, 6)
    match kind:
        case "split" | "unplug":
            alone = {one} if kind == "unplug" else {one, two}
            lan.split(alone, {1, 2, 3, 4} - alone)
            await asyncio.sleep(pause)
            lan.heal()
        case "air":
            lan.delay, lan.jitter, lan.loss = 0.05, 0.05, 0.1
            await asyncio.sleep(pause)
            lan.delay = lan.jitter = lan.loss = 0.0
        case "address":
            lan.interface_down(one)
            await asyncio.sleep(pause / 3)
            lan.interface_up(one, f"{NET}.{rng.randrange(50, 200)}")
        case "stop":
            players.signal(one, signal.SIGSTOP)
            await asyncio.sleep(pause)
            players.signal(one, signal.SIGCONT)
        case _:
            count = {"kill": 1, "kill two": 2}.get(kind, 4)
            await _restart([one, two, *({1, 2, 3, 4} - {one, two})][:count], players, pause)


async def _restart(hosts: list[int], players: Players, pause: float) -> None:
    there = [host for host in hosts if players.running[host].returncode is None]
    for host in there:
        await players.kill(host)
    await asyncio.sleep(pause / 3)
    for host in there:
        await players.start(host, back=True)
