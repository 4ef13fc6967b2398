"""One link: frames over one proven connection, with heartbeats and patience that ends.

Owns reading, writing and dying of a connection. Knows neither which links there should be nor
what messages mean.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from p2p304.net import limits
from p2p304.net.handshake import Handshake, HandshakeRefused, Peer
from p2p304.wire.framing import BadFrame, Frame, FrameKind, FrameReader, frame

OnFrame = Callable[["Link", Frame], None]


class Link:
    """A connection to a proven peer. ``dialed``: this node made the connection."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        peer: Peer,
        frames: FrameReader,
        dialed: bool,
    ) -> None:
        self.peer, self.dialed = peer, dialed
        self.since = time.monotonic()
        self.reason = "the connection was closed"
        self._reader, self._writer, self._frames = reader, writer, frames
        self._spoke = self.since
        name = writer.get_extra_info("peername")
        self.host: str = name[0] if name else ""

    def send(self, kind: FrameKind, payload: bytes) -> None:
        """Queue one frame; a peer that never reads is cut off."""
        if self._writer.is_closing():
            return
        self._spoke = time.monotonic()
        self._writer.write(frame(kind, payload))
        if self._writer.transport.get_write_buffer_size() > limits.SEND_BUFFER:
            self.cut("it does not read what is sent to it")

    def cut(self, reason: str) -> None:
        """Close at once; `run` ends."""
        self.reason = reason
        self._writer.transport.abort()

    async def close(self, reason: str) -> None:
        """Close politely, with what is queued still sent."""
        self.reason = reason
        try:
            async with asyncio.timeout(1.0):
                self._writer.close()
                await self._writer.wait_closed()
        except (OSError, TimeoutError):
            self._writer.transport.abort()

    async def run(self, on_frame: OnFrame) -> None:
        """Read until the link dies; every frame but heartbeats goes to ``on_frame``."""
        beat = asyncio.create_task(self._beat())
        try:
            await self._read(on_frame)
        except (OSError, EOFError) as error:
            self.reason = f"the connection broke ({type(error).__name__})"
        except TimeoutError:
            self.reason = "it has fallen silent"
        except BadFrame as bad:
            self.reason = f"it sent what is no message: {bad}"
        finally:
            beat.cancel()
            self._writer.transport.abort()

    async def _read(self, on_frame: OnFrame) -> None:
        begun = 0.0
        while not self._writer.is_closing():
            async with asyncio.timeout(limits.SILENCE):
                data = await self._reader.read(limits.READ)
            if not data:
                return
            for whole in self._frames.feed(data):
                begun = 0.0
                self._take(whole, on_frame)
            if not self._frames.mid_frame:
                begun = 0.0
            elif begun == 0.0:
                begun = time.monotonic()
            elif time.monotonic() - begun > limits.HALF_FRAME:
                raise TimeoutError

    def _take(self, whole: Frame, on_frame: OnFrame) -> None:
        if whole.kind is FrameKind.PING:
            self.send(FrameKind.PONG, whole.payload)
        elif whole.kind is not FrameKind.PONG:
            on_frame(self, whole)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(limits.HEARTBEAT)
            if time.monotonic() - self._spoke >= limits.HEARTBEAT:
                self.send(FrameKind.PING, b"")


async def shake_hands(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, shake: Handshake
) -> tuple[Peer, FrameReader]:
    """Both hellos, both proofs, within HANDSHAKE_TIME; raises HandshakeRefused."""
    frames = FrameReader(frozenset({FrameKind.HELLO}))
    try:
        async with asyncio.timeout(limits.HANDSHAKE_TIME):
            writer.write(frame(FrameKind.HELLO, shake.hello()))
            theirs = await _next(reader, frames)
            writer.write(frame(FrameKind.HELLO, shake.on_hello(theirs)))
            peer = shake.on_proof(await _next(reader, frames))
    except (BadFrame, OSError, EOFError) as error:
        raise HandshakeRefused("N01", f"the handshake broke off ({error})") from error
    except TimeoutError as error:
        raise HandshakeRefused("N07", "the other end does not answer in time") from error
    frames.kinds = frozenset(FrameKind) - {FrameKind.HELLO}
    return peer, frames


async def _next(reader: asyncio.StreamReader, frames: FrameReader) -> bytes:
    while (whole := frames.take()) is None:
        data = await reader.read(limits.READ)
        if not data:
            raise EOFError("closed")
        frames.push(data)
    return whole.payload
