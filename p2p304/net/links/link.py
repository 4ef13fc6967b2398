"""One link: a TLS connection, first unproven, then frames with heartbeats and timeouts.

Responsible for the life of a connection: handshake, reading, writing, closing. Which links exist is
mesh.py's; the meaning of messages is the machine's that driver.py drives.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Protocol

from p2p304.net.errors import Reason
from p2p304.net.limits import Limits, charge
from p2p304.net.links import tls
from p2p304.net.links.connect import peer_address
from p2p304.net.links.handshake import Handshake, HandshakeRefused, Peer, malformed
from p2p304.rules.core.phrases import english, say
from p2p304.wire.framing import EVERY_KIND, LIMITS, BadFrame, Frame, FrameKind, FrameReader, frame
from p2p304.wire.names import shown
from p2p304.wire.rate_limit import RateLimit

UNPROVEN: Final = frozenset({FrameKind.HELLO})
PROVEN: Final = EVERY_KIND - UNPROVEN
FAULT: Final = "this program has a bug"
LEAVING: Final = english("leaving")
_CLOSED: Final = say("the other side closed it: {why}")


class LinkOwner(Protocol):
    """The owner of links; it is told when a link is proven, has the other side's first words,
    brings a frame, or is gone."""

    def proven(self, link: Link) -> None: ...
    def confirmed(self, link: Link) -> None: ...
    def frame(self, link: Link, whole: Frame) -> None: ...
    def gone(self, link: Link) -> None: ...


@dataclass(frozen=True, slots=True)
class Dialled:
    """The address that this node dialled; the listener's side of a link has none."""

    host: str
    port: int


class Link(asyncio.Protocol):
    """A connection. Await `proving` for the peer (raises HandshakeRefused), `lost` for the end.

    ``shake`` makes the handshake from the hash of the certificate that the listener showed
    (from None on the listener's own side).
    """

    def __init__(
        self,
        keeper: LinkOwner,
        limits: Limits,
        shake: Callable[[bytes | None], Handshake],
        dialled: Dialled | None,
    ) -> None:
        self.dialled = dialled
        loop = asyncio.get_running_loop()
        self.proving: asyncio.Future[Peer] = loop.create_future()
        self.lost: asyncio.Future[None] = loop.create_future()
        self._loop, self._keeper, self._limits, self._make_shake = loop, keeper, limits, shake
        self._shake: Handshake | None = None
        self._peer: Peer | None = None
        self._frames = FrameReader(UNPROVEN)
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._begun: float | None = None
        self._pings = 0
        self._asked: float | None = None
        self._patience = limits.silence
        self._answered = self._since = 0.0
        self._address = ""
        self._frames_left, self._bytes_left = self._budgets(False)
        self._reason: Reason | None = None
        self.replaced = 0
        """Number of young links of this peer given up in a row, the last one for this link."""

    # For the owner

    @property
    def peer(self) -> Peer:
        """The player at the other end; LookupError before the handshake has proven it."""
        if self._peer is None:
            raise LookupError("this connection has no proven identity")
        return self._peer

    @property
    def is_proven(self) -> bool:
        return self._peer is not None

    @property
    def is_connected(self) -> bool:
        """Whether the TLS connection was ever made; `lost` is set only then."""
        return self._transport is not None

    @property
    def reason(self) -> Reason:
        """Why the link ended, or will end: the first reason that was given."""
        return self._reason or english("the connection was closed")

    @property
    def address(self) -> str:
        """The address of the other end, whichever side dialled."""
        return self._address

    @property
    def host(self) -> str:
        return self._address if self.dialled is None else self.dialled.host

    @property
    def port(self) -> int:
        """The port on which the peer listens."""
        return self.peer.port if self.dialled is None else self.dialled.port

    def send(self, kind: FrameKind, payload: bytes) -> None:
        """Queue one frame; a peer that never reads is cut off. Raises BadFrame if too long."""
        data = frame(kind, payload)
        if self._transport is None or self._transport.is_closing():
            return
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > self._limits.send_buffer:
            self.cut(english("it does not read our messages"))

    @property
    def local(self) -> str:
        """The address of this machine that the link uses; empty if there is none."""
        if self._transport is None:
            return ""
        return peer_address(self._transport.get_extra_info("sockname"))

    @property
    def age(self) -> float:
        """Seconds since the peer was proven."""
        return self._loop.time() - self._since if self.is_proven else 0.0

    def probe(self, patience: float | None = None) -> None:
        """Send a heartbeat now, unless one is under way. The peer must answer within ``patience``
        seconds (default: limits.silence)."""
        if patience is not None:
            self._patience = min(self._patience, patience)
        if self._asked is None:
            self._asked = self._loop.time()
            self._pings += 1
            self.send(FrameKind.PING, self._pings.to_bytes(8, "big"))

    def trust(self, member: bool) -> None:
        """Set whether the peer is a member of the table, who may send more than a stranger."""
        self._frames_left, self._bytes_left = self._budgets(member)

    def bye(self, reason: str) -> None:
        """Send the reason, and close once the queue is sent."""
        if self._transport is None or self._transport.is_closing():
            return
        self._note(reason)
        self.send(FrameKind.BYE, _short(reason))
        self._transport.close()

    def cut(self, reason: Reason) -> None:
        """Close at once, whatever is queued."""
        self._note(reason)
        if self._transport is not None:
            self._transport.abort()

    def abandon(self) -> None:
        """Close a connection that is not proven, because nothing waits for its peer any more."""
        if self.is_proven:
            return
        if not self.proving.cancel() and not self.proving.cancelled():
            self.proving.exception()
        if self.is_connected and self._closing:
            return  # its refusal is still being sent; limits.close bounds that
        self.cut(english("it did not prove its identity in time"))

    # Called by asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("a link needs a stream")
        self._transport = transport
        self._address = peer_address(transport.get_extra_info("peername"))
        with self._boundary():
            self._open(transport)

    def _open(self, transport: asyncio.Transport) -> None:
        try:
            self._shake = self._make_shake(self._certificate(transport))
        except tls.NoCertificate as error:
            self._refuse(malformed(str(error)))
            return
        opening = self._shake.opening()
        if opening is not None:
            self.send(FrameKind.HELLO, opening)
        self._read()

    def data_received(self, data: bytes) -> None:
        """Read frames. May be called before `connection_made` where TLS began on an accepted
        connection."""
        if not self._bytes_left.take(len(data), self._loop.time()):
            self.cut(english("it sends too much data"))
            return
        with self._boundary():
            self._frames.push(data)
            self._read()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if isinstance(exc, OSError):
            self._note(f"the connection broke ({str(exc) or type(exc).__name__})")
        elif exc is not None:
            self._note(FAULT)
        if not self.proving.done():
            self.proving.set_exception(
                malformed(english("the connection closed during the handshake"))
            )
        if not self.lost.done():
            self.lost.set_result(None)
        if self._peer is not None:
            self._keeper.gone(self)

    # Inside

    @contextmanager
    def _boundary(self) -> Iterator[None]:
        """Close this link, and no other, on any exception that a peer's bytes cause. The exception
        goes to the loop's handler; the link's reason holds nothing of it."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - no exception passes here
            self._refuse(malformed(FAULT))
            told = {"message": FAULT, "exception": error, "protocol": self}
            self._loop.call_exception_handler(told)

    def _budgets(self, member: bool) -> tuple[RateLimit, RateLimit]:
        limits, now = self._limits, self._loop.time()
        frames = limits.member_frames if member else limits.stranger_frames
        many = limits.member_bytes if member else limits.stranger_bytes
        return RateLimit(frames, now), RateLimit(many, now)

    def _read(self) -> None:
        try:
            while not self._closing and (whole := self._frames.take()) is not None:
                self._begun = None
                if not self._frames_left.take(charge(whole), self._loop.time()):
                    self.cut(english("it sends too many messages"))
                    return
                self._take(whole)
        except BadFrame as bad:
            self._refuse(malformed(f"it sent an invalid message: {bad}"))
        except HandshakeRefused as refused:
            self._refuse(refused)
        if self._begun is None and self._frames.has_partial_frame:
            self._begun = self._loop.time()

    @property
    def _closing(self) -> bool:
        return self._transport is None or self._transport.is_closing()

    def _note(self, reason: Reason) -> None:
        self._reason = self._reason or reason

    def _certificate(self, transport: asyncio.Transport) -> bytes | None:
        if self.dialled is None:
            return None
        return tls.peer_certificate(transport.get_extra_info("ssl_object"))

    def _take(self, whole: Frame) -> None:
        if whole.kind not in (FrameKind.HELLO, FrameKind.BYE):
            self._keeper.confirmed(self)
        match whole.kind:
            case FrameKind.HELLO:
                self._on_hello(whole.payload)
            case FrameKind.PING:
                self.send(FrameKind.PONG, whole.payload)
            case FrameKind.PONG:
                self._on_pong(whole.payload)
            case FrameKind.BYE:
                self.cut(_CLOSED.filled(why=_readable(whole.payload)))
            case _:
                self._keeper.frame(self, whole)

    def _on_hello(self, payload: bytes) -> None:
        if self._shake is None:
            raise malformed(english("the handshake messages are out of order"))
        step = self._shake.receive(payload)
        if step.answer is not None:
            self.send(FrameKind.HELLO, step.answer)
        if step.refusal is not None:
            self._turn_away(step.refusal)
        if step.peer is None:
            return
        self._peer = step.peer
        self._frames.kinds = PROVEN
        if not self.proving.done():
            self.proving.set_result(self._peer)
        self._answered = self._since = self._loop.time()
        self._watch()
        self._keeper.proven(self)

    def _on_pong(self, payload: bytes) -> None:
        if self._asked is None or payload != self._pings.to_bytes(8, "big"):
            self.cut(english("it answered a question that was not asked"))
            return
        self._asked, self._patience = None, self._limits.silence
        self._answered = self._loop.time()

    def _turn_away(self, refused: HandshakeRefused) -> None:
        """Close once the answer is sent, which says that there is nothing to say."""
        if not self.proving.done():
            self.proving.set_exception(refused)
        self._note(refused.sentence)
        if self._transport is not None:
            self._transport.close()

    def _refuse(self, refused: HandshakeRefused) -> None:
        if not self.proving.done():
            self.proving.set_exception(refused)
        self.cut(refused.sentence)

    def _watch(self) -> None:
        """Check the clock at intervals: half a frame, silence, the next heartbeat."""
        now = self._loop.time()
        if self._begun is not None and now - self._begun > self._limits.half_frame:
            self.cut(english("it sent an incomplete message"))
        elif self._asked is not None and now - self._asked > self._patience:
            self.cut(english("it stopped answering"))
        elif self._asked is None and now - self._answered >= self._limits.heartbeat:
            self.probe()
        if not self._closing:
            self._timer = self._loop.call_later(self._limits.watch, self._watch)


def is_goodbye(reason: Reason) -> bool:
    """Whether a link ended because the other side said that it leaves, which anybody can say."""
    return reason == _CLOSED.filled(why=LEAVING)


def _short(reason: str) -> bytes:
    return reason.encode()[: LIMITS[FrameKind.BYE]]


def _readable(payload: bytes) -> str:
    """Decode a stranger's reason and make it fit to be shown."""
    text = payload.decode("utf-8", "ignore")
    return " ".join(shown(text).split())[:100] or "no reason given"
