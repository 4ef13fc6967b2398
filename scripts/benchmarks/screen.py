"""Figures of the full screen: key to redraw, start-up to the lobby, memory, CPU when idle.

Used by scripts/bench. The program runs on a pseudo-terminal of 80 by 24 on loopback; keys to
redraw are measured within this process, from the key's bytes to the last byte of the answer.
"""

from __future__ import annotations

import asyncio
import fcntl
import io
import os
import pty
import re
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p304.table.state import events
from p2p304.ui.common.settings import Pace
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.model import Model
from p2p304.ui.terminal.application import Terminal
from tests.support.paths import ROOT
from tests.support.screen import scenes

IDLE = 10.0
"""Seconds over which a program that nobody touches is watched."""


class _Sink(io.StringIO):
    """Notes when something was last written."""

    written = 0.0

    def write(self, text: str) -> int:
        self.written = time.perf_counter()
        return len(text)

    def isatty(self) -> bool:
        return True


def redraws(width: int, height: int, count: int) -> dict[str, float]:
    """Milliseconds from a key to the end of its redraw, in the middle of a hand."""
    begun = time.process_time()
    samples = asyncio.run(_redraws(width, height, count))
    spent = time.process_time() - begun
    ordered = sorted(samples)
    return {
        "median_ms": round(statistics.median(samples) * 1e3, 2),
        "cpu_ms": round(spent / max(1, len(samples)) * 1e3, 2),
        "p99_ms": round(ordered[int(0.99 * (len(ordered) - 1))] * 1e3, 2),
    }


async def _redraws(width: int, height: int, count: int) -> list[float]:
    page = TablePage(Model(me=scenes.NICKS[0]), Look(), pace=Pace(0, 0))
    for number, change in enumerate(scenes.evening(14, 0, scenes.club())):
        page.tell(change, number * 0.04)
        if isinstance(change, events.YourTurn) and len(page.model.done_tricks) == 2:
            break
    sink, samples = _Sink(), []
    with create_pipe_input() as keyboard:
        output = Vt100_Output(
            sink, lambda: Size(rows=height, columns=width), term="xterm", enable_cpr=False
        )
        terminal = Terminal(
            page, lambda wanted: None, page.look.styles, ColorDepth.DEPTH_24_BIT, keyboard, output
        )
        running = asyncio.create_task(terminal.run())
        await asyncio.sleep(0.2)
        keys = ["\x1b[C", "l", "l", "\x1b[C", "m", "m", "?", "?"]
        for number in range(count):
            sink.written, begun = 0.0, time.perf_counter()
            keyboard.send_text(keys[number % len(keys)])
            for _ in range(200):
                await asyncio.sleep(0.0005)
                if sink.written:
                    break
            if sink.written:
                samples.append(sink.written - begun)
        terminal.leave()
        await running
    return samples


class Program:
    """p2p304 on a pseudo-terminal; what it writes is kept."""

    def __init__(self, words: list[str]) -> None:
        self.begun = time.perf_counter()
        self.pid, self._master = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
            os.chdir(ROOT)
            time.sleep(0.05)  # until the window has its size
            os.execv(sys.executable, [sys.executable, "-m", "p2p304", *words])
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.text = ""

    def read(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if select.select([self._master], [], [], min(left, 0.05))[0]:
                try:
                    self.text += os.read(self._master, 65536).decode("utf-8", "replace")
                except OSError:
                    return

    def until(self, word: str, seconds: float) -> float:
        """Seconds from the start to when ``word`` was written."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self.read(0.01)
            if re.search(word, self.text):
                return time.perf_counter() - self.begun - 0.05
        raise SystemExit(f"{word!r} never came:\n{self.text[-2000:]}")

    @property
    def memory(self) -> float:
        """Resident memory in MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return round(int(found[1]) / 1024, 1) if found else 0.0

    @property
    def cpu(self) -> float:
        """CPU seconds so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def idle(self) -> float:
        """Percent of a core while nobody touches it."""
        before = self.cpu
        self.read(IDLE)
        return round(100 * (self.cpu - before) / IDLE, 2)

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def end(self) -> None:
        os.kill(self.pid, signal.SIGTERM)
        self.read(3.0)
        os.waitpid(self.pid, 0)
        os.close(self._master)


@contextmanager
def program(*words: str) -> Iterator[Program]:
    with tempfile.TemporaryDirectory(prefix="p2p304-bench-") as home:
        running = Program([*words, "--nick", "Bench", "--home", home, "--bind", "127.0.0.61"])
        try:
            yield running
        finally:
            running.end()


def screen(keys: int = 400, starts: int = 5) -> dict[str, Any]:
    """All figures of the full screen."""
    times, spent = [], []
    for _ in range(starts):
        with program("play") as running:
            times.append(running.until("Tables on this network", 30))
            spent.append(running.cpu)
    with program("play") as running:
        running.until("Searching for tables on", 30)
        lobby = {"memory_mib": running.memory, "idle_cpu_percent": running.idle()}
    with program("play", "--open", "Bench", "--bots", "3") as running:
        running.until("Your turn:", 90)
        table = {"memory_mib": running.memory, "idle_cpu_percent": running.idle()}
    return {
        "redraw_80x24": redraws(80, 24, keys),
        "redraw_200x60": redraws(200, 60, keys),
        "lobby_s": round(statistics.median(times), 2),
        "lobby_cpu_s": round(statistics.median(spent), 2),
        "lobby": lobby,
        "table": table,
    }
