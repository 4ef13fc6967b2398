"""Connections whose identity is not proven yet, and their limits.

Responsible for the listening socket, and for which connection is closed to make room. A connection
counts from the moment it is accepted, before TLS, so that connections that never send anything
count too. The handshake is link.py's.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable

from p2p304.net.limits import Limits
from p2p304.net.links.connect import peer_address
from p2p304.wire.rate_limit import RateLimits, network_of

BACKLOG = 64


class UnprovenLinks:
    """``greet(transport, address)`` handles one plain connection and returns when the identity is
    proven or refused; it is cancelled to make room."""

    def __init__(
        self, greet: Callable[[asyncio.Transport, str], Awaitable[None]], limits: Limits
    ) -> None:
        self._greet, self._limits = greet, limits
        self._budgets = RateLimits(limits.greetings, limits.addresses_known)
        self._server: asyncio.Server | None = None
        self.is_closed = False
        self._waiting: dict[asyncio.Task[None], str] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    @property
    def count(self) -> int:
        """Return how many connections wait at present."""
        return len(self._waiting)

    async def listen(self, bind: str, port: int) -> int:
        """Begin to accept; returns the port. Raises OSError, OverflowError or UnicodeError."""
        if not 0 <= port < 65536:
            raise OverflowError("a port must be between 0 and 65535")
        listening = _listening(bind, port)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: _PausedConnection(self._take_in), sock=listening
        )
        return int(listening.getsockname()[1])

    async def close(self) -> None:
        """Stop accepting, and close the connections that wait."""
        self.is_closed = True
        if self._server is not None:
            # A selector loop needs two rounds to hand over what it has accepted, and never closes
            # the connection if its server is closed in between. Other loops have no such gap.
            with contextlib.suppress(NotImplementedError):
                for listening in self._server.sockets:
                    asyncio.get_running_loop().remove_reader(listening)
            for _ in range(2):
                await asyncio.sleep(0)
            self._server.close()
        tasks = [*self._waiting, *self._leaving]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # Aborted transports close their sockets in the next round of the loop.
        await asyncio.sleep(0)

    def _take_in(self, transport: asyncio.Transport) -> None:
        name = transport.get_extra_info("peername")
        address = peer_address(name)
        now = asyncio.get_running_loop().time()
        if self.is_closed or not self._budgets.take(network_of(address), now):
            transport.abort()
            return
        same = [task for task, whose in self._waiting.items() if whose == address]
        if len(same) >= self._limits.strangers_per_address:
            self._send_away(same[0])
        elif len(self._waiting) >= self._limits.strangers:
            self._send_away(next(iter(self._waiting)))
        begun: list[bool] = []
        task = asyncio.create_task(self._serve(transport, address, begun))
        self._waiting[task] = address
        task.add_done_callback(lambda done: self._left(done, transport, bool(begun)))

    async def _serve(self, transport: asyncio.Transport, address: str, begun: list[bool]) -> None:
        begun.append(True)
        await self._greet(transport, address)

    def _send_away(self, task: asyncio.Task[None]) -> None:
        del self._waiting[task]
        self._leaving.add(task)
        task.cancel()

    def _left(self, task: asyncio.Task[None], transport: asyncio.Transport, begun: bool) -> None:
        self._waiting.pop(task, None)
        self._leaving.discard(task)
        if not begun:
            # Cancelled before its first step: nothing else closes the connection.
            transport.abort()


def _listening(bind: str, port: int) -> socket.socket:
    """Return a listening socket. Without an address it listens on all, IPv6 and IPv4, or on IPv4
    alone where a system has no IPv6."""
    if bind in ("", "::") and socket.has_dualstack_ipv6():
        with contextlib.suppress(OSError):
            return socket.create_server(
                ("::", port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True
            )
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    return socket.create_server((bind, port), family=family, backlog=BACKLOG)


class _PausedConnection(asyncio.Protocol):
    """Keeps an accepted connection paused until TLS takes it over."""

    def __init__(self, take_in: Callable[[asyncio.Transport], None]) -> None:
        self._take_in = take_in

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            transport.pause_reading()
            # asyncio does this only for sockets that name their protocol, and `create_server` makes
            # none. Without it a second small message waits for the peer's delayed ACK: 40 ms.
            with contextlib.suppress(OSError):  # the peer may be gone already
                connection = transport.get_extra_info("socket")
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._take_in(transport)
