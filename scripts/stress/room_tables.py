"""A room full of tables: how long until a newcomer has found them all.

The real tables are `p2p304 bot` processes, three nodes at each, one seat free. The others are
simulated: their mDNS records are real and answered by real responders, but one process announces
many of them and nobody sits there.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import socket
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from zeroconf import IPVersion
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from p2p304.net.mdns.discovery import SERVICE, Announcement, Discovery
from p2p304.net.mdns.txt_record import to_txt
from scripts.usage import answer_help
from tests.support.paths import ROOT

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
GUESTS = 2
"""Real nodes at a real table beside its founder."""
PORT = 30400
QUIET = 2.0
"""Seconds between two newcomers: what was just answered is not said again for a second."""
PATIENCE = 240.0


async def announce(address: str, room: str, first: int, count: int) -> None:
    """One process and one responder: tables ``first`` to ``first + count - 1``."""
    responder = AsyncZeroconf(interfaces=[address], ip_version=IPVersion.V4Only)
    for number in range(first, first + count):
        what = Announcement(
            f"Founder {number}", f"{room} {number}", "pagat", 1, 4, f"{number:024x}"
        )
        info = AsyncServiceInfo(
            SERVICE,
            f"{number:04x}-{room}.{SERVICE}",
            addresses=[ip_address(address).packed],
            port=PORT + number,
            properties=to_txt(what),
            server=f"p2p304-{room}{number}.local.",
        )
        await responder.async_register_service(info, cooperating_responders=True)
    await asyncio.Event().wait()


def here(discovery: Discovery, room: str) -> set[str]:
    """The names of this room's tables that are found, each with one seat free."""
    shown = (found.announcement for found in discovery.found.values())
    return {what.table for what in shown if what.table.startswith(room) and what.free == 1}


async def search(address: str, room: str, tables: int, patience: float) -> tuple[float, float, int]:
    """A newcomer that has heard nothing yet: seconds from its start until the first table and
    until all of them are found, and how many were."""
    begun, first = time.perf_counter(), 0.0
    discovery = Discovery([address])
    await discovery.start()
    discovery.look()
    try:
        while (found := len(here(discovery, room))) < tables:
            took = time.perf_counter() - begun
            first = first or (took if found else 0.0)
            if took > patience:
                return first, took, found
            await asyncio.sleep(0.01)
        return first, time.perf_counter() - begun, found
    finally:
        await discovery.close()


class Room:
    """Processes that announce tables, ended with ``stack``."""

    def __init__(self, stack: ExitStack) -> None:
        self.name = f"R{secrets.token_hex(3)}"
        self._stack = stack
        self._folder = Path(stack.enter_context(TemporaryDirectory(prefix="p2p304-room-")))

    def simulate(self, first: int, count: int, processes: int) -> None:
        for number, share in enumerate(range(count)[n::processes] for n in range(processes)):
            at = [f"127.0.5.{number + 1}", self.name, str(first), str(len(share))]
            self._run([sys.executable, "-m", "scripts.stress.room_tables", *at])
            first += len(share)

    def seat(self, tables: int) -> None:
        """Real tables: founders, then their guests, each on an address of its own."""
        for number in range(tables):
            self._node(number, 0, ["--open", f"{self.name} {number}", "--port", str(PORT)])
        for number in range(tables):
            home = f"127.0.8.{number + 1}"
            _until_open(home)
            for guest in range(1, GUESTS + 1):
                self._node(number, guest, ["--table", f"{home}:{PORT}"])

    def newcomer(self, number: int) -> float:
        """Seconds in which a real node found this table by its name."""
        times = self._folder / "times.json"
        table = ["--table", f"{self.name} {number}", "--times", str(times)]
        process = self._node(number, GUESTS + 1, [*table])
        process.wait(PATIENCE)
        return float(json.loads(times.read_text())["found"])

    def _node(self, number: int, place: int, words: list[str]) -> subprocess.Popen[bytes]:
        address = f"127.0.{8 + place}.{number + 1}"
        home = self._folder / f"{number}-{place}"
        return self._run(
            [
                sys.executable,
                "-m",
                "p2p304",
                "bot",
                *words,
                "--hands",
                "1",
                "--bind",
                address,
                "--nick",
                f"P{number}-{place}",
                "--home",
                str(home),
            ]
        )

    def _run(self, words: list[str]) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(words, env=ENVIRONMENT, stdout=quiet, stderr=quiet)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


def _until_open(host: str) -> None:
    """Wait until a founder takes connections."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection((host, PORT), 1):
            return
        time.sleep(0.1)
    raise SystemExit(f"nobody ever listened at {host}:{PORT}")


def measure(tables: int, real: int, processes: int, newcomers: int) -> dict[str, Any]:
    """Newcomers one after the other, once every table is announced."""
    with ExitStack() as stack:
        room = Room(stack)
        room.seat(real)
        if tables > real:
            room.simulate(real, tables - real, min(processes, tables - real))
        _, took, found = asyncio.run(search("127.0.6.250", room.name, tables, PATIENCE))
        if found < tables:
            raise SystemExit(f"only {found} of {tables} tables were ever announced")
        runs = []
        for number in range(newcomers):
            time.sleep(QUIET)
            runs.append(asyncio.run(search(f"127.0.6.{number + 1}", room.name, tables, PATIENCE)))
        named = room.newcomer(0) if real else None
    return {
        "tables": tables,
        "tables_real": real,
        "nodes_real": real * (1 + GUESTS),
        "announced_s": round(took, 1),
        "newcomers": newcomers,
        "first_found_s": round(statistics.median(first for first, _, _ in runs), 2),
        "all_found_s": round(statistics.median(took for _, took, _ in runs), 2),
        "all_found_worst_s": round(max(took for _, took, _ in runs), 2),
        "named_found_s": None if named is None else round(named, 2),
    }


if __name__ == "__main__":
    answer_help(__doc__)
    where, room_name, first_table, many = sys.argv[1:]
    asyncio.run(announce(where, room_name, int(first_table), int(many)))
