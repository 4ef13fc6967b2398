"""Runs the work of a command until it is done or the system tells the process to end.

Responsible for signals, and for errors in tasks that nobody awaits. What the person is told at the
end is exit_status.py's.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from p2p304.app.process.exit_status import Terminated, write_fault


def run(work: Coroutine[Any, Any, int]) -> int:
    """Do the work in an event loop of its own; returns the exit status, raises Terminated."""
    return asyncio.run(_run_until_signal(work))


_ways_to_leave: list[Callable[[], None]] = []


@contextlib.contextmanager
def left_by_signal(leave: Callable[[], None]) -> Iterator[None]:
    """In this block a signal to end calls ``leave``, and does not cancel the work: a screen closes
    first, then its table, and the work ends as if the person had left."""
    _ways_to_leave.append(leave)
    try:
        yield
    finally:
        _ways_to_leave.remove(leave)


async def _run_until_signal(work: Coroutine[Any, Any, int]) -> int:
    """Do the work. The first signal to end cancels it, so that peers are told. An error in a task
    that nobody awaits is reported once."""
    loop, task, signals = asyncio.get_running_loop(), asyncio.ensure_future(work), list[int]()

    def end(number: int) -> None:
        if _ways_to_leave:
            _ways_to_leave[-1]()
        elif not task.cancelling():
            # One that follows while the work ends would cut off its goodbye to the peers.
            signals.append(number)
            task.cancel()

    def fault(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and not isinstance(error, OSError):
            sys.stderr.write(write_fault(error) + "\n")

    loop.set_exception_handler(fault)
    # asyncio would warn of writes to a connection that has just ended, over a player's screen; the
    # link says afterwards that it is lost. Errors come to `fault`.
    logging.getLogger("asyncio").addHandler(logging.NullHandler())
    for name in ("SIGHUP", "SIGTERM"):
        number = getattr(signal, name, None)
        if number is not None:
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, end, number)
    if hasattr(signal, "SIGUSR1"):
        # By default it kills. A node answers it once it has a session (frontends/state_dump.py).
        loop.add_signal_handler(signal.SIGUSR1, lambda: None)
    try:
        return await task
    except asyncio.CancelledError:
        if not signals:
            task.cancel()
            raise
        raise Terminated(signals[0]) from None
