"""Connections whose identity is not proven yet: how many, and who makes room.

Owns the listening socket and the waiting room behind it. Counting begins with the accepted
connection, before TLS, so that connections that never say anything are counted too.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

from p2p304.net.limits import Limits

BACKLOG = 64
PAUSE = 0.1
"""Seconds before accepting again when the system has no room for another connection."""


class Strangers:
    """``greet(sock, address)`` takes one connection, owns its socket from its first step, and
    returns when the identity is proven or refused; it is cancelled to make room."""

    def __init__(
        self, greet: Callable[[socket.socket, str], Awaitable[None]], limits: Limits
    ) -> None:
        self._greet, self._limits = greet, limits
        self._listening: socket.socket | None = None
        self._accepting: asyncio.Task[None] | None = None
        self._waiting: dict[asyncio.Task[None], str] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    @property
    def count(self) -> int:
        """How many wait at present."""
        return len(self._waiting)

    def listen(self, bind: str, port: int) -> int:
        """Begin to accept; returns the port. Raises OSError (or OverflowError, UnicodeError)."""
        family = socket.AF_INET6 if ":" in bind else socket.AF_INET
        both = bind == "::" and socket.has_dualstack_ipv6()
        self._listening = socket.create_server(
            (bind, port), family=family, backlog=BACKLOG, dualstack_ipv6=both
        )
        self._listening.setblocking(False)
        self._accepting = asyncio.create_task(self._accept(self._listening))
        return int(self._listening.getsockname()[1])

    async def close(self) -> None:
        """Accept nobody any more; who waits is sent away."""
        tasks = [*self._waiting, *self._leaving]
        if self._accepting is not None:
            tasks.append(self._accepting)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._listening is not None:
            self._listening.close()
        # Transports cut within the TLS handshake close their sockets in the next round.
        await asyncio.sleep(0)

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                sock, name = await loop.sock_accept(listening)
            except OSError:
                # Out of descriptors, or gone before it was taken: neither ends the listening.
                await asyncio.sleep(PAUSE)
                continue
            self._take_in(sock, str(name[0]))

    def _take_in(self, sock: socket.socket, address: str) -> None:
        same = [task for task, whose in self._waiting.items() if whose == address]
        if len(same) >= self._limits.strangers_per_address:
            self._send_away(same[0])
        elif len(self._waiting) >= self._limits.strangers:
            self._send_away(next(iter(self._waiting)))
        begun: list[bool] = []
        task = asyncio.create_task(self._serve(sock, address, begun))
        self._waiting[task] = address
        task.add_done_callback(lambda done: self._left(done, sock, bool(begun)))

    async def _serve(self, sock: socket.socket, address: str, begun: list[bool]) -> None:
        begun.append(True)
        await self._greet(sock, address)

    def _send_away(self, task: asyncio.Task[None]) -> None:
        del self._waiting[task]
        self._leaving.add(task)
        task.cancel()

    def _left(self, task: asyncio.Task[None], sock: socket.socket, begun: bool) -> None:
        self._waiting.pop(task, None)
        self._leaving.discard(task)
        if not begun:
            # Cancelled before its first step: nobody else will close the socket.
            sock.close()
