"""What may happen on a LAN, one scenario each: a fault, how long it lasts, how it ends.

Every scenario starts four bots on four hosts that find each other by mDNS (or a typed address),
does its worst in the middle of play, and ends with one sound transcript on all four.
"""

from __future__ import annotations

import asyncio
import random
import signal
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from tests.support.lab.lan import NET, Lan
from tests.support.lab.players import NICKS, Players

MORE = 3000
"""Bytes of journal that show that play goes on (some ten entries)."""
GONE = "disconnected"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Seconds: to the first entry, until the fault was told, until all went on after its end."""

    name: str
    seated: float
    detected: float | None
    recovered: float | None
    hands: int
    total: float

    def line(self) -> str:
        def told(seconds: float | None) -> str:
            return "-" if seconds is None else f"{seconds:.1f} s"

        return (
            f"{self.name:<16} seated {told(self.seated):>7}  detected {told(self.detected):>7}"
            f"  recovered {told(self.recovered):>7}  hands {self.hands}"
            f"  in all {self.total:.0f} s"
        )


Fault = Callable[[Lan, Players], Awaitable[tuple[float | None, float | None]]]


async def _nothing(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    return None, None


async def _unplug(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    lan.unplug(3)
    lan.split({3}, {1, 2, 4})
    detected = await players.told(1, GONE, 15)
    lan.heal()
    lan.plug(3)
    return detected, await players.progress(MORE, 20)


async def _interface_down(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    lan.interface_down(2)
    detected = await players.told(1, GONE, 15)
    lan.interface_up(2)
    return detected, await players.progress(MORE, 20)


async def _two_and_two(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    lan.split({1, 2}, {3, 4})
    detected = await players.told(1, GONE, 15)
    await asyncio.sleep(5)
    lan.heal()
    return detected, await players.progress(MORE, 20)


async def _short_cut(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    lan.split({4}, {1, 2, 3})
    await asyncio.sleep(2)
    lan.heal()
    return None, await players.progress(MORE, 20)


async def _bad_air(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    """150 ms there and back and 10 % of the packets lost, for the rest of the match."""
    lan.delay, lan.jitter, lan.loss = 0.065, 0.02, 0.10
    return None, await players.progress(MORE, 60)


async def _kill(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    await players.kill(3)
    detected = await players.told(1, GONE, 15)
    await players.start(3, back=True)
    return detected, await players.progress(MORE, 20)


async def _power_cut(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    for host in (1, 2, 3, 4):
        await players.kill(host)
    for host in (1, 2, 3, 4):
        await players.start(host, back=True)
    return None, await players.progress(MORE, 30)


async def _new_address(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    lan.interface_down(2)
    await asyncio.sleep(1)
    lan.interface_up(2, f"{NET}.77")
    return None, await players.progress(MORE, 30)


async def _moved(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    """Killed, and started again where the machine has another address."""
    await players.kill(1)
    lan.interface_up(1, f"{NET}.88")
    await players.start(1, back=True)
    return None, await players.progress(MORE, 30)


async def _everybody_moves(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    """The router is changed: nobody has an address of before."""
    for host in (1, 2, 3, 4):
        lan.interface_up(host, f"{NET}.{90 + host}")
    return None, await players.progress(MORE, 30)


async def _asleep(lan: Lan, players: Players, seconds: float) -> tuple[float, float]:
    """A laptop is closed for so long and opened again."""
    begun = time.monotonic()
    players.signal(4, signal.SIGSTOP)
    detected = await players.told(1, GONE, 15)
    await asyncio.sleep(max(0.0, seconds - (time.monotonic() - begun)))
    players.signal(4, signal.SIGCONT)
    return detected, await players.progress(MORE, 20)


async def _nap(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    return await _asleep(lan, players, 8)


async def _sleep(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    return await _asleep(lan, players, 20)


async def _typed_kills(lan: Lan, players: Players) -> tuple[float | None, float | None]:
    """Where multicast is filtered only addresses of before are left: a guest, then the one who
    opened the table, stops and comes back."""
    took = 0.0
    for host in (3, 1):
        await players.kill(host)
        await players.start(host, back=True)
        took = max(took, await players.progress(MORE, 30))
    return None, took


@dataclass(frozen=True, slots=True)
class Scenario:
    fault: Fault
    typed: bool = False
    no_multicast: bool = False
    crowded: bool = False
    """Every host has a bridge as Docker makes one, with the same address on all, and an end of a
    VPN that leads nowhere."""
    hands: int = 4


SCENARIOS: dict[str, Scenario] = {
    "calm": Scenario(_nothing, hands=2),
    "unplug": Scenario(_unplug),
    "interface-down": Scenario(_interface_down),
    "two-and-two": Scenario(_two_and_two),
    "short-cut": Scenario(_short_cut),
    "bad-air": Scenario(_bad_air, hands=1),
    "kill": Scenario(_kill),
    "power-cut": Scenario(_power_cut),
    "new-address": Scenario(_new_address),
    "moved": Scenario(_moved),
    "everybody-moves": Scenario(_everybody_moves),
    "nap": Scenario(_nap),
    "sleep": Scenario(_sleep),
    "crowded": Scenario(_unplug, crowded=True),
    "crowded-moves": Scenario(_new_address, crowded=True),
    "no-multicast": Scenario(_nothing, typed=True, no_multicast=True, hands=2),
    "typed-kills": Scenario(_typed_kills, typed=True, no_multicast=True),
}


async def play(
    name: str, seed: int = 0, folder: Path | None = None, hands: int | None = None
) -> Outcome:
    """Run one scenario; raises LabFailed."""
    scenario, begun = SCENARIOS[name], time.monotonic()
    lan = Lan(4, seed, no_multicast=scenario.no_multicast)
    where = folder or Path(tempfile.mkdtemp(prefix=f"p2p304-lab-{name}-"))
    players = Players(lan, where, hands or scenario.hands, scenario.typed)
    lan.up()
    try:
        if scenario.crowded:
            lan.crowd()
        seated = await players.sit_down()
        await players.progress(random.Random(seed).randrange(1000, 20_000), 30)
        detected, recovered = await scenario.fault(lan, players)
        hands = await players.finish(120)
    finally:
        await players.end()
        lan.down()
    return Outcome(name, seated, detected, recovered, hands, time.monotonic() - begun)


__all__ = ["NICKS", "SCENARIOS", "Outcome", "Scenario", "play"]
