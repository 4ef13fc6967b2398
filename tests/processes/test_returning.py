"""Real processes killed with no warning: they come back from their journals and play on."""

from __future__ import annotations

import json
import os
import random
import resource
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from p2p304.offline.audit import audit
from tests.support.programs import Program

NICKS = ("Asha", "Bandu", "Chitra", "Dilan")
pytestmark = pytest.mark.processes
PATIENCE = 180.0
"""Seconds after which something that happens soon counts as not happening: only a test that
fails waits so long, however busy the machine is."""


def listening(port: int) -> None:
    """Wait until somebody listens on this port of 127.0.0.1."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nobody listens on port {port}")


def largest_file(size: int) -> None:
    """Let this process write no file beyond so many bytes, as a full disk would."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@dataclass
class Four:
    """Four bots in processes of their own, each with a folder and an address."""

    folder: Path
    hands: int
    extra: tuple[str, ...] = ()
    """Further words for who opens the table."""
    running: dict[int, Program] = field(default_factory=dict)

    def __post_init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    def start(self, number: int, back: bool = False, most: int | None = None) -> None:
        """``most``: the disk is full when a file has so many bytes."""
        home = self.folder / NICKS[number]
        role = ["--open", "t", "--hands", str(self.hands), "--port", str(self.port), *self.extra]
        if number:
            role = ["--table", f"127.0.0.1:{self.port}"]
        words = [
            "bot",
            "--nick",
            NICKS[number],
            "--home",
            str(home),
            "--bind",
            f"127.0.0.{number + 1}",
            "--times",
            f"{home}.json",
            *(["--resume"] if back else role),
        ]
        log = self.folder / f"{NICKS[number]}.log"
        limits = () if most is None else (partial(largest_file, most),)
        self.running[number] = Program(words, log, *limits)

    def journal(self, number: int) -> int:
        games = (self.folder / NICKS[number] / "games").glob("*.journal")
        return sum(path.stat().st_size for path in games)

    def wait_for(self, size: int) -> None:
        """Until the first journal has so many bytes."""
        end = time.monotonic() + PATIENCE
        while self.journal(0) < size and time.monotonic() < end:
            time.sleep(0.005)
        assert self.journal(0) >= size

    def finish(self) -> None:
        for process in self.running.values():
            assert process.wait(PATIENCE) == 0, self.logs()
        transcripts = {path.read_bytes() for path in self.folder.glob("*/games/*.304")}
        assert len(transcripts) == 1
        report = audit(transcripts.pop())
        assert report.sound and report.complete
        assert len(report.hands) >= self.hands, "a void hand does not count"
        assert not list(self.folder.glob("*/games/*.journal")), "secrets are erased at the end"
        for nick in NICKS:
            assert json.loads((self.folder / f"{nick}.json").read_text())["finished"]

    def logs(self) -> str:
        return "\n".join(path.read_text() for path in self.folder.glob("*.log"))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Four]:
    """Four nodes that are not started yet; what runs at the end is ended."""
    four = Four(tmp_path, hands=1)
    yield four
    for program in four.running.values():
        program.kill()


@pytest.fixture
def four(table: Four) -> Four:
    table.start(0)
    listening(table.port)
    for number in range(1, 4):
        table.start(number)
    return table


def test_a_full_disk_stops_a_node_with_a_sentence_and_it_comes_back(
    table: Four, tmp_path: Path
) -> None:
    table.start(0)
    listening(table.port)
    for number in range(1, 4):
        table.start(number, most=30_000 if number == 2 else None)
    assert table.running[2].wait(PATIENCE) == 1
    log = (tmp_path / "Chitra.log").read_text()
    assert "cannot be written (file too large). The game stops;" in log
    assert "Traceback" not in log
    table.start(2, back=True)
    table.finish()


@pytest.mark.parametrize("number", [0, 2])
def test_a_killed_node_comes_back_and_the_match_goes_on(four: Four, number: int) -> None:
    four.wait_for(25_000)
    four.running[number].kill()
    time.sleep(0.3)
    four.start(number, back=True)
    four.finish()


def test_a_power_cut_stops_all_four_and_the_table_comes_back(four: Four) -> None:
    four.wait_for(15_000 + random.Random(os.getpid()).randrange(25_000))
    for number in range(4):
        four.running[number].kill()
    for number in range(4):
        four.start(number, back=True)
    four.finish()


def test_a_table_with_a_passphrase(tmp_path: Path) -> None:
    """One who does not know it is turned away; those who do sit down."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["bot", "--bind", "127.0.0.1", "--passphrase"]
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    opened = Program(
        [*words, "jak fruit", "--open", "t", "--port", str(port), "--home", a], tmp_path / "a.log"
    )
    try:
        listening(port)
        table = f"127.0.0.1:{port}"
        guest = Program(
            [*words, "mango", "--nick", "Guest", "--table", table, "--home", b, "--tell"],
            tmp_path / "b.log",
        )
        guest.wait(PATIENCE)
        assert "Wrong passphrase" in (tmp_path / "b.log").read_text()
    finally:
        opened.kill()


def test_a_spectator_verifies_what_it_is_shown(tmp_path: Path) -> None:
    table = Four(tmp_path, hands=3, extra=("--spectators", "trick"))
    try:
        table.start(0)
        listening(table.port)
        for number in range(1, 4):
            table.start(number)
        table.wait_for(1000)
        seen = tmp_path / "seen.304"
        words = ["watch", f"127.0.0.1:{table.port}", "--save", str(seen)]
        watching = Program(words, tmp_path / "watch.log")
        status, told = watching.wait(PATIENCE), (tmp_path / "watch.log").read_text()
        assert status == 0, told
        assert "Hand 3 is over." in told
        table.finish()
        assert seen.read_bytes() == next(tmp_path.glob("*/games/*.304")).read_bytes()
    finally:
        for program in table.running.values():
            program.kill()
