"""Real node processes on the hosts of a lab: started, watched, killed, audited."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from p2p304.offline.audit import audit
from tests.support.lab.lan import Lan
from tests.support.paths import ROOT

NICKS = ("Asha", "Bandu", "Chitra", "Dilan")
SEATING = 90.0
"""Seconds until four nodes sit: on a busy machine a program takes long to start."""


class LabFailed(Exception):
    """A scenario did not end as it must; one sentence, and where the logs are."""


@dataclass
class Players:
    """One bot on each of four hosts. Progress is read from their journals."""

    lan: Lan
    folder: Path
    hands: int
    typed: bool = False
    """Join by address instead of by mDNS."""
    running: dict[int, asyncio.subprocess.Process] = field(default_factory=dict)

    async def sit_down(self) -> float:
        """Everybody at the table; returns seconds from the last start to the first entry."""
        await self.start(1)
        if self.typed:
            await asyncio.sleep(1.5)
        for host in (2, 3, 4):
            await self.start(host)
        begun = time.monotonic()
        await self.progress(1, SEATING)
        return time.monotonic() - begun

    async def start(self, host: int, back: bool = False) -> None:
        nick = NICKS[host - 1]
        table = f"{self.lan.address(1)}:30400" if self.typed else "lab"
        role = (
            ["--open", "lab", "--hands", str(self.hands), "--port", "30400"]
            if host == 1
            else ["--table", table]
        )
        words = [
            sys.executable,
            "-m",
            "p2p304",
            "bot",
            "--random",
            "--tell",
            "--nick",
            nick,
            "--home",
            str(self.folder / nick),
            *(["--resume"] if back else role),
        ]
        with (self.folder / f"{nick}.log").open("ab") as log:
            self.running[host] = await asyncio.create_subprocess_exec(
                "ip",
                "netns",
                "exec",
                self.lan.name(host),
                *words,
                cwd=ROOT,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )

    async def kill(self, host: int) -> None:
        self.running[host].send_signal(signal.SIGKILL)
        await self.running[host].wait()

    def signal(self, host: int, number: int) -> None:
        self.running[host].send_signal(number)

    # Watching

    def written(self, host: int) -> int:
        games = (self.folder / NICKS[host - 1] / "games").glob("*.journal")
        try:
            return sum(path.stat().st_size for path in games)
        except FileNotFoundError:
            return 0

    @property
    def over(self) -> bool:
        return all(process.returncode is not None for process in self.running.values())

    async def progress(self, more: int, patience: float) -> float:
        """Wait until every journal has grown by so many bytes; returns the seconds."""
        begun = time.monotonic()
        aims = {host: self.written(host) + more for host in self.running}
        while time.monotonic() - begun < patience:
            if self.over or all(self.written(host) >= aim for host, aim in aims.items()):
                return time.monotonic() - begun
            self._none_has_failed()
            await asyncio.sleep(0.02)
        raise LabFailed(f"Nothing went on for {patience:.0f} s; see {self.folder}.")

    def _none_has_failed(self) -> None:
        stopped = [
            NICKS[host - 1]
            for host, process in self.running.items()
            if process.returncode not in (None, 0, -signal.SIGKILL)
        ]
        if stopped:
            raise LabFailed(f"{', '.join(stopped)} stopped; see {self.folder}.")

    async def told(self, host: int, words: str, patience: float) -> float:
        """Wait until this host's log says these words anew; returns the seconds."""
        path = self.folder / f"{NICKS[host - 1]}.log"
        begun, before = time.monotonic(), path.stat().st_size
        while time.monotonic() - begun < patience:
            if words.encode() in path.read_bytes()[before:]:
                return time.monotonic() - begun
            await asyncio.sleep(0.02)
        raise LabFailed(f"{NICKS[host - 1]} never said {words!r}; see {self.folder}.")

    async def finish(self, patience: float) -> int:
        """All end by themselves with one sound transcript; returns the hands played. The patience
        is for a time in which nobody writes anything down."""
        begun, written = time.monotonic(), 0
        while not self.over or any(process.returncode for process in self.running.values()):
            self._none_has_failed()
            now = sum(self.written(host) for host in self.running)
            if now != written:
                begun, written = time.monotonic(), now
            if time.monotonic() - begun > patience:
                raise LabFailed(f"Nothing went on for {patience:.0f} s; see {self.folder}.")
            await asyncio.sleep(0.05)
        transcripts = {path.read_bytes() for path in self.folder.glob("*/games/*.304")}
        if len(transcripts) != 1:
            raise LabFailed(f"{len(transcripts)} different transcripts; see {self.folder}.")
        report = audit(transcripts.pop())
        if not report.sound or not report.complete:
            raise LabFailed(f"The audit says {report.fault}; see {self.folder}.")
        return len(report.hands)

    async def explain(self) -> list[str]:
        """What every running node is at (p2p304/frontends/state_dump.py), and its last lines: for
        a person who asks why a table stands still."""
        there = [host for host, one in self.running.items() if one.returncode is None]
        for host in there:
            self.signal(host, signal.SIGCONT)
            self.signal(host, signal.SIGUSR1)
        await asyncio.sleep(2)
        told = []
        for host, process in self.running.items():
            lines = (self.folder / f"{NICKS[host - 1]}.log").read_text("utf-8", "replace")
            every = lines.splitlines()
            last = [*[line for line in every if line.startswith('{"nick"')][-1:], *every[-3:]]
            status = "running" if process.returncode is None else f"ended {process.returncode}"
            told += [f"  {NICKS[host - 1]} ({status}, journal {self.written(host)} bytes):"]
            told += [f"    {line[:900]}" for line in last]
        return told

    async def end(self) -> None:
        for process in self.running.values():
            if process.returncode is None:
                process.kill()
            await process.wait()
