"""Real processes on loopback: the demonstration, a person at a pipe, and what goes wrong."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from p2p304.offline.audit import audit
from tests.support import programs
from tests.support.paths import ROOT

pytestmark = pytest.mark.processes
PATIENCE = 180
"""Seconds after which something that happens soon counts as not happening: only a test that
fails waits so long, however busy the machine is."""


def p2p304(*words: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "P2P304_HOME": str(home)} if home else dict(os.environ)
    return subprocess.run(
        [sys.executable, "-m", "p2p304", *words],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE,
        check=False,
    )


def test_four_processes_find_each_other_deal_play_and_are_audited(tmp_path: Path) -> None:
    done = p2p304("demo", "--json", "--keep", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["same"] and told["sound"] and told["audit"]["complete"]
    assert set(told["seconds"]) == {"discovery", "deal", "play"}
    files = sorted(tmp_path.glob("*/games/*.304"))
    assert len(files) == 4
    assert len({file.read_bytes() for file in files}) == 1
    assert audit(files[0].read_bytes()).sound
    assert any(line.startswith("Hand 1 is over.") for line in told["narration"])


class Typist:
    """A person at a pipe: answers every question with the first choice."""

    def __init__(self, words: Sequence[str], answers: bool = True) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "p2p304", *words],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
        )
        self.lines: list[str] = []
        self.asked = threading.Event()
        self._answers = answers
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if line.startswith("Press Enter"):
                self.type("")
            if "number or word" in line:
                self.asked.set()
                if self._answers:
                    self.type("hello?")
                    self.type("last")
                    self.type("1")

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self, timeout: float = PATIENCE) -> int:
        try:
            return self.process.wait(timeout)
        finally:
            if self.process.poll() is None:
                self.process.kill()
            self._thread.join(10)
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    stream.close()


def table(home: Path) -> list[str]:
    return [
        "play",
        "--open",
        "Pipe",
        "--bots",
        "3",
        "--bots-pace",
        "0",
        "--hands",
        "1",
        "--nick",
        "Ravi",
        "--bind",
        "127.0.0.5",
        "--home",
        str(home),
    ]


def test_a_person_plays_a_hand_through_a_pipe(tmp_path: Path) -> None:
    typist = Typist([*table(tmp_path), "--seat", "north"])
    assert typist.end() == 0
    text = "\n".join(typist.lines)
    assert "All have chosen a seat; " in text and "Ravi (North)" in text
    assert "Spoken code" not in text  # it would be compared with nobody: all others are own bots
    assert "Hand 1 is over." in text and "Tokens:" in text and "cut the pack" in text
    assert "Traceback" not in text
    (file,) = tmp_path.glob("games/*.304")
    assert audit(file.read_bytes()).sound


def test_end_of_input_leaves_cleanly(tmp_path: Path) -> None:
    typist = Typist(table(tmp_path), answers=False)
    assert typist.asked.wait(PATIENCE)
    assert typist.process.stdin is not None
    typist.process.stdin.close()
    assert typist.end() == 0
    assert "Traceback" not in "\n".join(typist.lines)


def test_an_interrupt_leaves_cleanly(tmp_path: Path) -> None:
    typist = Typist(table(tmp_path), answers=False)
    assert typist.asked.wait(PATIENCE)
    typist.process.send_signal(signal.SIGINT)
    assert typist.end() == 130
    assert "Traceback" not in "\n".join(typist.lines)


WRONG: dict[str, tuple[tuple[str, ...], int, str]] = {
    "file missing": (("audit", "none.304"), 2, "does not exist"),
    "not a transcript": (("audit", "README.md"), 2, "not a p2p304 transcript"),
    "replay of no transcript": (("replay", "README.md"), 2, "not a p2p304 transcript"),
    "unknown preset": (("play", "--open", "x", "--rules", "nope"), 1, "no rules named"),
    "unknown option": (("play", "--nope"), 2, "No such option"),
    "unknown command": (("nope",), 2, "No such command"),
    "nobody there": (("play", "--table", "127.0.0.1:1", "--bind", "127.0.0.1"), 1, "Cannot reach"),
    "no such address": (("play", "--open", "x", "--bind", "203.0.113.9"), 1, "Cannot listen"),
    "data folder": (("id", "--home", "pyproject.toml/x"), 1, "data folder"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_goes_wrong_is_one_sentence_and_a_status(name: str, tmp_path: Path) -> None:
    words, status, sentence = WRONG[name]
    found, told = programs.run(words, tmp_path / "log", tmp_path)
    assert found == status, told
    assert sentence in told and "Traceback" not in told


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = ["play", "--open", "x", "--bind", "127.0.0.1", "--port", port]
        status, told = programs.run(words, tmp_path / "log", tmp_path)
    assert status == 1 and "in use" in told


def test_who_one_is_stays_the_same(tmp_path: Path) -> None:
    one = json.loads(p2p304("id", "--json", home=tmp_path).stdout)
    two = json.loads(p2p304("id", "--json", home=tmp_path).stdout)
    assert one == two and len(one["key"]) == 64
    assert (tmp_path / "identity").stat().st_mode & 0o777 == 0o600


def test_the_version_names_the_engine() -> None:
    told = p2p304("--version").stdout
    assert "p2p304 0.1.0" in told and "group engine:" in told
