"""Connects to the first of several addresses that answers.

Responsible for plain TCP connections, before TLS (after RFC 8305, "Happy Eyeballs"), and for how
addresses and errors are written in messages. The attempts begin one after the other, and the first
connection wins. So an address that no longer exists (another network, a VPN) costs a quarter of a
second. A connection that loses is closed before it sends anything. Retries are redialer.py's.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from p2p304.net.limits import LIMITS
from p2p304.rules.core.phrases import Phrase, english, say

Address: TypeAlias = tuple[str, int]
_COMMON = {
    errno.ECONNREFUSED: english("connection refused"),
    errno.ECONNRESET: english("connection reset by peer"),
    errno.EHOSTUNREACH: english("no route to host"),
    errno.ENETUNREACH: english("network is unreachable"),
    errno.ETIMEDOUT: english("connection timed out"),
    errno.EADDRNOTAVAIL: english("cannot assign requested address"),
    errno.EACCES: english("permission denied"),
}
"""What players meet most, in the words of Linux on every system."""
LocalAddress: TypeAlias = Callable[[str], tuple[str, int] | None]


@dataclass(frozen=True, slots=True)
class Connection:
    """A connected socket and the address that was dialled."""

    socket: socket.socket
    host: str
    port: int


def where(host: str, port: int) -> str:
    """Format an address as people type it: ``host:port``, with IPv6 in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def why(error: Exception) -> str:
    """Describe a network error in words of the catalogue, or in the system's. Asyncio puts the
    address in their place; a resolver and TLS have numbers and words of their own."""
    closed = isinstance(error, ConnectionError)
    said = str(error) or (english("the other side closed it") if closed else type(error).__name__)
    if isinstance(error, OSError):
        own = isinstance(error, socket.gaierror | ssl.SSLError)
        known = error.errno in errno.errorcode and not own
        if known and error.errno in _COMMON:
            return _COMMON[error.errno]
        said = os.strerror(error.errno or 0) if known else error.strerror or said
    return said.lower()


def cannot_reach(peer: str, error: Exception) -> Phrase:
    """Say that a peer, by name or address, cannot be reached."""
    reason = english("it does not answer") if isinstance(error, TimeoutError) else why(error)
    return say("Cannot reach {address}: {why}.", address=peer, why=reason)


def cannot_listen(bind: str, port: int, error: Exception) -> Phrase:
    """Say why a program cannot listen there."""
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return say(
            "Port {port} is in use by another program. Choose another one with --port.",
            port=str(port),
        )
    return say("Cannot listen on {address}: {why}.", address=where(bind, port), why=why(error))


def peer_address(name: Any) -> str:
    """Convert a socket's name to an address to dial. IPv4 that came through an IPv6 socket becomes
    IPv4, and a link-local address names its interface. Empty if the socket has no name."""
    if not isinstance(name, tuple):
        return ""
    address = str(name[0])
    if "." in address:
        return address.removeprefix("::ffff:")
    scoped = len(name) > 3 and name[3] and "%" not in address
    return f"{address}%{name[3]}" if scoped else address


async def reach(
    addresses: tuple[Address, ...], local: LocalAddress, stagger: float = LIMITS.stagger
) -> Connection:
    """Connect to the first of these addresses that answers. Raises the error of the first
    attempt."""
    attempts = [
        asyncio.create_task(_after(number * stagger, address, local))
        for number, address in enumerate(addresses)
    ]
    won: asyncio.Task[Connection] | None = None
    try:
        won = await _first(attempts)
        return (won or attempts[0]).result()
    finally:
        # Nothing is awaited here: a caller that gives up meanwhile would lose the connection.
        for attempt in attempts:
            if attempt is not won:
                attempt.cancel()
                attempt.add_done_callback(_close_connection)


async def _first(attempts: list[asyncio.Task[Connection]]) -> asyncio.Task[Connection] | None:
    """Return the first attempt that succeeds; None if all attempts fail."""
    waiting = set(attempts)
    while waiting:
        done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for attempt in done:
            if attempt.exception() is None:
                return attempt
    return None


async def _after(pause: float, address: Address, local: LocalAddress) -> Connection:
    await asyncio.sleep(pause)
    host, port = address
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    family, kind, protocol, _, target = found[0]
    connecting = socket.socket(family, kind, protocol)
    try:
        connecting.setblocking(False)
        bound = local(host)
        if bound is not None:
            connecting.bind(bound)
        await loop.sock_connect(connecting, target)
    except BaseException:
        connecting.close()
        raise
    connecting.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Connection(connecting, host, port)


def _close_connection(attempt: asyncio.Task[Connection]) -> None:
    """Close a connection that was made although nothing waits for it any more."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().socket.close()
