"""A peer that is dialled until its link is there, at every address that was told for it.

Owns which addresses are kept, in what order, and the pauses between attempts. How an attempt is
made is mesh.py's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from p2p304.net.limits import Limits
from p2p304.net.reach import Address


class Wanted:
    """``dial(addresses)`` makes one attempt and returns when it failed or the link is proven."""

    def __init__(
        self, limits: Limits, dial: Callable[[tuple[Address, ...]], Awaitable[None]], linked: bool
    ) -> None:
        self._limits, self._dial = limits, dial
        self._addresses: list[Address] = []
        self._free = asyncio.Event()
        self._news = asyncio.Event()
        if not linked:
            self._free.set()
        self._task = asyncio.create_task(self._keep_dialing())

    @property
    def addresses(self) -> tuple[Address, ...]:
        return tuple(self._addresses)

    def add(self, host: str, port: int) -> None:
        """One more address, to be tried first and at once."""
        if (host, port) not in self._addresses:
            self._addresses = [(host, port), *self._addresses][: self._limits.addresses]
            self._news.set()

    def linked(self) -> None:
        self._free.clear()

    def lost(self) -> None:
        self._free.set()

    def cancel(self) -> asyncio.Task[None]:
        """Stop dialling; the task to be awaited."""
        self._task.cancel()
        return self._task

    async def _keep_dialing(self) -> None:
        loop = asyncio.get_running_loop()
        pause, begun = self._limits.redial_first, 0.0
        while True:
            await self._free.wait()
            if begun and loop.time() - begun > self._limits.settled:
                pause = self._limits.redial_first
            self._news.clear()
            await self._dial(self.addresses)
            begun = 0.0 if self._free.is_set() else loop.time()
            if await self._told_anew(pause):
                pause = self._limits.redial_first
            else:
                pause = min(pause * 2, self._limits.redial_most)

    async def _told_anew(self, pause: float) -> bool:
        """Pause; True if a new address came meanwhile."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), pause)
            return True
        return False
