"""Signals while a command works, and what asyncio would say on the screen."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys

import pytest

from p2p304.app.process.command_runner import left_by_signal, run
from p2p304.app.process.exit_status import Terminated
from tests.support.paths import ROOT


def test_a_signal_leaves_the_screen_that_is_open_and_then_ends_the_program() -> None:
    """A screen of before takes no signal: it would be lost where the program only waits."""
    left = list[str]()

    async def work() -> int:
        with left_by_signal(lambda: left.append("screen")):
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(0.01)
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(60)
        finally:
            left.append("ended")
        return 0

    with pytest.raises(Terminated):
        run(work())
    assert left == ["screen", "ended"]


@pytest.mark.parametrize("first", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_does_not_cut_off_the_goodbye(first: signal.Signals) -> None:
    """Ctrl-C reaches a player's bots, and then the player's program ends them, too."""
    said = list[str]()

    async def work() -> int:
        try:
            os.kill(os.getpid(), first)
            await asyncio.sleep(60)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(0.05)
            said.append("goodbye")
        return 0

    with pytest.raises(Terminated if first is signal.SIGTERM else KeyboardInterrupt):
        run(work())
    assert said == ["goodbye"]


def test_writes_to_a_connection_that_has_just_ended_say_nothing() -> None:
    """asyncio warned of each "socket.send() raised exception.", over the player's screen."""
    program = """
import asyncio, socket, struct
from p2p304.app.process.command_runner import run

async def work():
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    here = socket.create_connection(server.sockets[0].getsockname())
    reader, writer = await asyncio.open_connection(sock=here)
    lost = writer.transport
    lost.get_extra_info("socket").shutdown(socket.SHUT_WR)  # the next write fails
    for _ in range(12):
        lost.write(b"a frame")
    server.close()
    return 0

run(work())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
