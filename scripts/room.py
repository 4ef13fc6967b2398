"""A room full of tables: how long until a newcomer has found them all.

`scripts/room [TABLES [PROCESSES]]`: the tables are announced by so many real processes, each on a
loopback address of its own, and found by this one; so many as two cores bear.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from ipaddress import ip_address

from zeroconf import IPVersion
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from p2p304.net.discovery import Announcement, Discovery
from p2p304.net.record import to_txt

SERVICE = "_p2p304room._tcp.local."
"""Not the game's own, so that a room in a test and a game in earnest stay apart."""


async def announce(address: str, first: int, count: int) -> None:
    """One process and one responder: tables ``first`` to ``first + count - 1``."""
    responder = AsyncZeroconf(interfaces=[address], ip_version=IPVersion.V4Only)
    for number in range(first, first + count):
        what = Announcement(f"Founder {number}", f"Table {number}", "pagat", 3, 4, f"{number:016x}")
        info = AsyncServiceInfo(
            SERVICE, f"{number:04x}-room.{SERVICE}", addresses=[ip_address(address).packed],
            port=30400 + number, properties=to_txt(what), server=f"p2p304-{number}.local.",
        )  # fmt: skip
        await responder.async_register_service(info, cooperating_responders=True)
    await asyncio.sleep(1)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


async def newcomer(tables: int) -> tuple[float, float]:
    """Seconds until the first table and until all of them were found."""
    discovery = Discovery(["127.0.6.1"], service=SERVICE)
    await discovery.start()
    begun, first = time.perf_counter(), 0.0
    discovery.look()
    while len(discovery.found) < tables and time.perf_counter() - begun < 20:
        first = first or (time.perf_counter() - begun if discovery.found else 0.0)
        await asyncio.sleep(0.01)
    took, found = time.perf_counter() - begun, len(discovery.found)
    await discovery.close()
    if found < tables:
        sys.stdout.write(f"only {found} of {tables} found\n")
    return first, took


def main(tables: int, processes: int) -> int:
    shares = [range(tables)[n::processes] for n in range(processes)]
    rooms = [
        subprocess.Popen([sys.executable, __file__, "--announce", f"127.0.5.{n + 1}",
                          str(n * 1000), str(len(share))], stdout=subprocess.PIPE)
        for n, share in enumerate(shares)
    ]  # fmt: skip
    try:
        for room in rooms:
            if room.stdout is not None:
                room.stdout.readline()
        first, took = asyncio.run(newcomer(tables))
    finally:
        for room in rooms:
            room.kill()
            room.wait()
            if room.stdout is not None:
                room.stdout.close()
    sys.stdout.write(f"{tables} tables announced by {processes} processes: the first found after "
                     f"{first:.2f} s, all after {took:.2f} s\n")  # fmt: skip
    return 0 if took < 2.0 else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--announce"]:
        asyncio.run(announce(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
    else:
        given = [int(word) for word in sys.argv[1:]]
        sys.exit(main(given[0] if given else 50, given[1] if len(given) > 1 else 10))
