"""The mesh: one proven link to every peer, listening and dialling.

Owns which links exist: it accepts, dials, dials again, and keeps one of two. What travels over
them goes to whoever drives a machine (driver.py).
"""

from __future__ import annotations

import asyncio
import errno
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.net import limits, tls
from p2p304.net.handshake import NONCE, Handshake, HandshakeRefused, Role
from p2p304.net.link import Link, shake_hands
from p2p304.wire.framing import Frame, FrameKind


class NetError(Exception):
    """The network cannot be used as asked; one sentence for a person."""


class Listener(Protocol):
    """Who is told of links and frames."""

    def on_up(self, peer: bytes, host: str, port: int) -> None: ...
    def on_down(self, peer: bytes, reason: str) -> None: ...
    def on_frame(self, peer: bytes, kind: FrameKind, payload: bytes) -> None: ...


@dataclass(slots=True)
class Wanted:
    """An address that is dialled until its link is there."""

    host: str
    port: int
    task: asyncio.Task[None]


class Mesh:
    """Listens on ``bind:port`` (port 0: any free one) and keeps links by identity key."""

    def __init__(self, key: SigningKey, nick: str, bind: str, port: int) -> None:
        self.key, self.nick, self.bind, self.port = key, nick, bind, port
        self.links: dict[bytes, Link] = {}
        self.listener: Listener | None = None
        self.trouble: Callable[[str], None] = lambda sentence: None
        self._credentials = tls.credentials()
        self._client = tls.client_context()
        self._server: asyncio.Server | None = None
        self._strangers: Counter[str] = Counter()
        self._wanted: dict[bytes, Wanted] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._nonces = Rng.system()

    async def start(self) -> None:
        """Begin to listen; raises NetError with one sentence if that cannot be done."""
        try:
            self._server = await asyncio.start_server(
                self._accept, self.bind, self.port, ssl=self._credentials.server,
                ssl_handshake_timeout=limits.HANDSHAKE_TIME,
            )  # fmt: skip
        except OSError as error:
            raise NetError(_cannot_listen(self.bind, self.port, error)) from error
        self.port = self._server.sockets[0].getsockname()[1]

    async def dial(self, host: str, port: int, expect: bytes | None = None) -> bytes:
        """Connect once; returns the identity key there. Raises NetError."""
        try:
            async with asyncio.timeout(limits.DIAL_TIME):
                reader, writer = await asyncio.open_connection(
                    host, port, ssl=self._client, local_addr=self._local_address(host)
                )
        except (OSError, TimeoutError) as error:
            why = "it does not answer" if isinstance(error, TimeoutError) else _why(error)
            raise NetError(f"Cannot reach {host}:{port}: {why}.") from error
        cert = tls.peer_certificate(writer.get_extra_info("ssl_object"))
        shake = self._handshake(Role.DIALER, cert, expect)
        try:
            peer, frames = await shake_hands(reader, writer, shake)
        except HandshakeRefused as refused:
            writer.transport.abort()
            raise NetError(f"{host}:{port} was refused: {refused.sentence}.") from refused
        self._keep(Link(reader, writer, peer, frames, dialed=True))
        return peer.key

    def want(self, peer: bytes, host: str, port: int) -> None:
        """Dial this peer there, again and again, until linked; and after every loss."""
        known = self._wanted.get(peer)
        if known is not None and (known.host, known.port) == (host, port):
            return
        if known is not None:
            known.task.cancel()
        task = asyncio.create_task(self._keep_dialing(peer, host, port))
        self._wanted[peer] = Wanted(host, port, task)

    def hang(self, peer: bytes, reason: str) -> None:
        """Close the link and stop dialling."""
        wanted = self._wanted.pop(peer, None)
        if wanted is not None:
            wanted.task.cancel()
        link = self.links.get(peer)
        if link is not None:
            link.cut(reason)

    def send(self, peer: bytes | None, kind: FrameKind, payload: bytes) -> None:
        """To one peer, or to all that are linked; without a link it is dropped."""
        if peer is None:
            for link in list(self.links.values()):
                link.send(kind, payload)
        elif peer in self.links:
            self.links[peer].send(kind, payload)

    async def close(self) -> None:
        """Stop dialling and listening, let go of every link, and wait until that is done."""
        for wanted in self._wanted.values():
            wanted.task.cancel()
        if self._server is not None:
            self._server.close()
        await asyncio.gather(*(link.close("closing") for link in self.links.values()))
        waiting = [*self._tasks, *(wanted.task for wanted in self._wanted.values())]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        self._wanted.clear()

    # Inside

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = writer.get_extra_info("peername")
        address = name[0] if name else ""
        crowded = self._strangers[address] >= limits.STRANGERS_PER_ADDRESS
        if crowded or self._strangers.total() >= limits.STRANGERS:
            writer.transport.abort()
            return
        self._strangers[address] += 1
        try:
            shake = self._handshake(Role.LISTENER, self._credentials.cert, None)
            peer, frames = await shake_hands(reader, writer, shake)
        except HandshakeRefused as refused:
            self.trouble(f"A connection from {address} was refused: {refused.sentence}.")
            writer.transport.abort()
            return
        finally:
            self._strangers[address] -= 1
        self._keep(Link(reader, writer, peer, frames, dialed=False))

    def _keep(self, link: Link) -> None:
        """One link for a peer: of two made together the one that the lower key dialled; else
        the newer one, because the older may be dead without knowing."""
        peer = link.peer.key
        old = self.links.get(peer)
        if old is not None and link.since - old.since < limits.TOGETHER:
            lower = min(self.key.public, peer)
            dialer = self.key.public if link.dialed else peer
            if dialer != lower and old.dialed != link.dialed:
                link.cut("there is a link already")
                return
        if old is None and len(self.links) >= limits.LINKS:
            link.cut("there are too many links")
            return
        if old is not None:
            self._drop(old, "a newer link took its place")
        self.links[peer] = link
        task = asyncio.create_task(self._serve(link))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self.listener is not None:
            self.listener.on_up(peer, link.host, link.peer.port)

    async def _serve(self, link: Link) -> None:
        await link.run(self._on_frame)
        self._drop(link, link.reason)

    def _drop(self, link: Link, reason: str) -> None:
        link.cut(reason)
        if self.links.get(link.peer.key) is link:
            del self.links[link.peer.key]
            if self.listener is not None:
                self.listener.on_down(link.peer.key, reason)

    def _on_frame(self, link: Link, whole: Frame) -> None:
        if self.listener is not None and self.links.get(link.peer.key) is link:
            self.listener.on_frame(link.peer.key, whole.kind, whole.payload)

    async def _keep_dialing(self, peer: bytes, host: str, port: int) -> None:
        pause = limits.REDIAL_FIRST
        while True:
            if peer not in self.links:
                try:
                    await self.dial(host, port, peer)
                    pause = limits.REDIAL_FIRST
                except NetError as error:
                    self.trouble(str(error))
                    pause = min(pause * 2, limits.REDIAL_MOST)
            await asyncio.sleep(pause)

    def _handshake(self, role: Role, cert: bytes, expect: bytes | None) -> Handshake:
        nonce = self._nonces.bytes(NONCE)
        return Handshake(self.key, self.nick, self.port, role, cert, nonce, expect)

    def _local_address(self, host: str) -> tuple[str, int] | None:
        """On loopback a node speaks from its own address, so that peers can tell them apart."""
        both = self.bind.startswith("127.") and host.startswith("127.")
        return (self.bind, 0) if both else None


def _cannot_listen(bind: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use by another program: choose another one with --port."
    return f"Cannot listen on {bind}:{port}: {_why(error)}."


def _why(error: OSError) -> str:
    return (error.strerror or str(error) or type(error).__name__).lower()
