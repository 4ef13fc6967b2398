"""Dials a peer at every address told for it, until it is linked.

Responsible for which addresses are kept, in what order, and for the pauses between attempts. How an
attempt is made is mesh.py's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from p2p304.net.limits import Limits
from p2p304.net.links.connect import Address


class Redialer:
    """Calls ``dial(addresses)``, which makes one attempt and returns when it has failed or the link
    is proven.

    Addresses where the peer has proven itself come first, the latest first. Addresses that are
    merely told cannot push them out, because anybody on the network can tell addresses
    (rendezvous.py).
    """

    def __init__(
        self, limits: Limits, dial: Callable[[tuple[Address, ...]], Awaitable[None]], linked: bool
    ) -> None:
        self._limits, self._dial = limits, dial
        self._proven: list[Address] = []
        self._told: list[Address] = []
        self._free = asyncio.Event()
        self._news = asyncio.Event()
        self._since = asyncio.get_running_loop().time()
        self._was_good = False
        if not linked:
            self._free.set()
        self._task = asyncio.create_task(self._keep_dialing())

    @property
    def addresses(self) -> tuple[Address, ...]:
        return (*self._proven, *self._told)

    @property
    def has_linked(self) -> bool:
        """Whether the peer has proven itself at an address."""
        return bool(self._proven)

    def add(self, host: str, port: int) -> None:
        """Add an address to be tried at once, the first of those that are merely told."""
        if (host, port) not in self.addresses:
            self._told = [(host, port), *self._told]
            self._bound()
            self._news.set()

    def linked(self, host: str, port: int) -> None:
        """Note that the peer has proven itself; it says that it listens at this address."""
        self._free.clear()
        self._since = asyncio.get_running_loop().time()
        here = (host, port)
        if host and port:
            others = [address for address in self._proven if address != here]
            self._proven = [here, *others][: self._limits.addresses // 2]
            self._told = [address for address in self._told if address != here]
            self._bound()

    def lost(self) -> None:
        """Note that the link is gone. After a good link the pauses are short again."""
        lived = asyncio.get_running_loop().time() - self._since
        self._was_good = self._was_good or lived > self._limits.settled
        self._free.set()

    def cancel(self) -> asyncio.Task[None]:
        """Stop dialling; returns the task to await."""
        self._task.cancel()
        return self._task

    def _bound(self) -> None:
        self._told = self._told[: self._limits.addresses - len(self._proven)]

    async def _keep_dialing(self) -> None:
        pause = self._limits.redial_first
        while True:
            await self._free.wait()
            if not self._free.is_set():
                continue  # a newer link has replaced the old one
            if self._was_good:
                pause, self._was_good = self._limits.redial_first, False
            self._news.clear()
            await self._attempt()
            if await self._told_anew(pause):
                pause = self._limits.redial_first
            else:
                pause = min(pause * 2, self._limits.redial_most)

    async def _attempt(self) -> None:
        """Try all addresses; then at once those that were added meanwhile, whatever the outcome."""
        tried = self.addresses
        dialing = asyncio.ensure_future(self._dial(tried))
        news = asyncio.ensure_future(self._news.wait())
        try:
            await asyncio.wait({dialing, news}, return_when=asyncio.FIRST_COMPLETED)
            fresh = tuple(address for address in self.addresses if address not in tried)
            if fresh and not dialing.done():
                self._news.clear()
                await self._dial(fresh)
            await dialing
        finally:
            for one in (dialing, news):
                one.cancel()
            await asyncio.gather(dialing, news, return_exceptions=True)

    async def _told_anew(self, pause: float) -> bool:
        """Pause; returns True if a new address came meanwhile."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), pause)
            return True
        return False
