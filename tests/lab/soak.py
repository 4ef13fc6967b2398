"""Matches with random faults for a given time; everything that was played is audited."""

from __future__ import annotations

import asyncio
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from lan import Lan
from players import LabFailed, Players

HANDS = 3
PATIENCE = 120.0
"""Seconds in which nothing goes on, whatever happens: then a hand is lost."""


async def soak(seconds: float, seed: int, say: Callable[[str], None]) -> int:
    """Play match after match; status 1 as soon as a hand is lost."""
    rng, end = random.Random(seed), time.monotonic() + seconds
    faults: Counter[str] = Counter()
    matches = hands = 0
    while time.monotonic() < end:
        try:
            hands += await _match(rng, faults)
        except LabFailed as trouble:
            say(f"LOST after {matches} matches, faults {dict(faults)}: {trouble}")
            return 1
        matches += 1
        say(f"{matches} matches, {hands} hands, none lost; faults {dict(faults)}")
    return 0


async def _match(rng: random.Random, faults: Counter[str]) -> int:
    lan = Lan(4, rng.randrange(2**32))
    players = Players(lan, Path(tempfile.mkdtemp(prefix="p2p304-soak-")), HANDS)
    lan.up()
    try:
        await players.sit_down()
        worst = asyncio.create_task(_do_harm(lan, players, rng, faults))
        try:
            return await players.finish(PATIENCE)
        finally:
            worst.cancel()
            await asyncio.gather(worst, return_exceptions=True)
    finally:
        await players.end()
        lan.down()


async def _do_harm(lan: Lan, players: Players, rng: random.Random, faults: Counter[str]) -> None:
    """A fault every few seconds, for a while, until the match is over."""
    while True:
        await asyncio.sleep(rng.uniform(0.5, 4))
        kind = rng.choice(("kill", "kill two", "power cut", "split", "unplug", "air", "stop"))
        if not all(players.written(host) for host in (1, 2, 3, 4)) or players.over:
            return
        faults[kind] += 1
        await _harm(kind, lan, players, rng)


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
