"""Signals while a command works."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from p2p304.app.process.command_runner import left_by_signal, run
from p2p304.app.process.exit_status import Terminated


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
