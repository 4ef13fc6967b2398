"""SIGUSR1 makes every node write its state, and ends none."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from p2p304.frontends.state_dump import STATE_FILE
from tests.support.paths import ROOT

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(
        not Path("/proc/self/status").exists(), reason="this system does not tell caught signals"
    ),
]
PATIENCE = 60.0
"""Seconds: only a test that fails waits so long."""

NODES = {
    "bot": ("bot", "--open", "S", "--bind", "127.0.0.61"),
    "bot that tells": ("bot", "--open", "S", "--bind", "127.0.0.62", "--tell"),
    "text": ("play", "--open", "S", "--bind", "127.0.0.63"),
    "full screen": ("play", "--open", "S", "--bind", "127.0.0.64"),
    "lobby": ("play", "--bind", "127.0.0.65"),
}


@contextmanager
def running(
    words: tuple[str, ...], home: Path, on_terminal: bool
) -> Iterator[subprocess.Popen[bytes]]:
    """A program whose output nobody needs, on a terminal of 80 by 24 or at pipes."""
    import fcntl  # Windows, where these tests are skipped, has none of the three
    import pty
    import termios

    command = [sys.executable, "-m", "p2p304", *words, "--nick", "Ravi", "--home", str(home)]
    environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    outside, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=inside if on_terminal else subprocess.PIPE,
        stdout=inside if on_terminal else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(inside)

    def drain() -> None:
        with suppress(OSError):  # the program has closed the terminal
            while os.read(outside, 65536):
                pass

    reader = threading.Thread(target=drain)
    reader.start()
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        reader.join(10)
        os.close(outside)
        if process.stdin is not None:
            process.stdin.close()


def catches(pid: int, number: signal.Signals) -> bool:
    text = Path(f"/proc/{pid}/status").read_text()
    (mask,) = [line.split()[1] for line in text.splitlines() if line.startswith("SigCgt")]
    return bool(int(mask, 16) >> (number - 1) & 1)


@pytest.mark.parametrize("name", NODES)
def test_the_signal_makes_a_node_write_its_state(name: str, tmp_path: Path) -> None:
    state, end = tmp_path / STATE_FILE, time.monotonic() + PATIENCE
    with running(NODES[name], tmp_path, name in ("full screen", "lobby")) as process:
        while not state.exists():
            assert process.poll() is None, "the node has ended"
            assert time.monotonic() < end, "the node has written nothing"
            if catches(process.pid, signal.SIGUSR1):
                process.send_signal(signal.SIGUSR1)
            time.sleep(0.2)
        told = json.loads(state.read_text())
        assert (told["nick"], told["finished"], told["links"]) == ("Ravi", False, {})
        assert state.stat().st_mode & 0o777 == 0o600
        process.send_signal(signal.SIGUSR1)
        time.sleep(0.5)
        assert process.poll() is None
