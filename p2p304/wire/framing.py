"""Frames: where one message ends and the next begins, and how long each may be.

Responsible for the kinds of message, the size limit of each kind and the bytes of a frame (SPEC.md,
"Frames"): a 4-byte big-endian length of what follows, one kind byte, the payload's length in 3
bytes, the payload, and zeros up to one of a few sizes, so that a frame's length tells an
eavesdropper little. Where bytes come from is net/links/link.py's. What a payload means is not known
here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Final


class FrameKind(IntEnum):
    """What a frame carries; the number is its kind byte."""

    HELLO = 1
    PING = 2
    PONG = 3
    LOBBY = 4
    ENTRY = 5
    RECEIPT = 6
    SYNC = 7
    EVIDENCE = 8
    BYE = 9
    TALK = 10
    PART = 11
    WATCH = 12
    BLOCK = 13
    NOTE = 14


LENGTH_BYTES: Final = 4
HEADER_BYTES: Final = LENGTH_BYTES + 1 + 3
SIZES: Final = (512, 4 * 1024, 16 * 1024, 64 * 1024 + 512, 192 * 1024)
"""All lengths that a frame may have, in bytes, header and zeros included."""

LIMITS: Final[Mapping[FrameKind, int]] = MappingProxyType(
    {
        FrameKind.HELLO: 504,
        FrameKind.PING: 64,
        FrameKind.PONG: 64,
        FrameKind.LOBBY: 16 * 1024,
        FrameKind.ENTRY: 64 * 1024,
        FrameKind.RECEIPT: 1024,
        FrameKind.SYNC: 4 * 1024,
        # Two entries that contradict each other, and what frames them.
        FrameKind.EVIDENCE: 160 * 1024,
        FrameKind.BYE: 256,
        FrameKind.PART: 1024,
        FrameKind.WATCH: 64,
        FrameKind.BLOCK: 128 * 1024,
        FrameKind.TALK: 1024,
        FrameKind.NOTE: 3 * 1024,
    }
)
"""The longest payload of each kind, in bytes, without the kind byte."""

EVERY_KIND: Final = frozenset(FrameKind)
_AT_LEAST: Final = {
    FrameKind.LOBBY: SIZES[1],
    FrameKind.ENTRY: SIZES[1],
    FrameKind.EVIDENCE: SIZES[1],
    FrameKind.BLOCK: SIZES[1],
}
"""The least size of some kinds. Most entries of a hand fit this size, so that a pass is as long as
a card laid face down."""


class BadFrame(ValueError):
    """The bytes cannot be the beginning of a frame. No byte after them can be interpreted."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message as it travels."""

    kind: FrameKind
    payload: bytes


def frame(kind: FrameKind, payload: bytes) -> bytes:
    """Return the bytes of one frame; raises BadFrame if the payload exceeds its kind's limit."""
    if len(payload) > LIMITS[kind]:
        raise BadFrame(f"{len(payload)} bytes are too many for {kind.name}")
    size = size_of(kind, len(payload))
    header = (size - LENGTH_BYTES).to_bytes(LENGTH_BYTES, "big") + bytes([kind])
    return (header + len(payload).to_bytes(3, "big") + payload).ljust(size, b"\0")


def size_of(kind: FrameKind, payload: int) -> int:
    """Return the length of a frame of this kind with ``payload`` bytes of payload: the least size
    that fits, of those that its kind has."""
    least = max(HEADER_BYTES + payload, _AT_LEAST.get(kind, 0))
    return next(size for size in SIZES if size >= least)


class FrameReader:
    """Cuts a stream of bytes into frames.

    ``kinds`` are the kinds that are accepted now. A reader of an unproven peer accepts HELLO alone,
    so that no stranger makes a node hold more than a kilobyte. Lengths and kind are judged as soon
    as they arrive, before the rest of the frame is awaited.
    """

    __slots__ = ("_bad", "_buffer", "kinds")

    def __init__(self, kinds: frozenset[FrameKind] = EVERY_KIND) -> None:
        self.kinds = kinds
        self._buffer = bytearray()
        self._bad: BadFrame | None = None

    @property
    def has_partial_frame(self) -> bool:
        """Whether some bytes have arrived that are not a whole frame yet."""
        return bool(self._buffer)

    def push(self, data: bytes) -> None:
        """Take bytes without looking at them; `take` returns the frames one by one."""
        self._buffer += data

    def take(self) -> Frame | None:
        """Return the next whole frame, or None if it is incomplete. Raises BadFrame, and from then
        on always."""
        if self._bad is not None:
            raise self._bad
        try:
            return self._next()
        except BadFrame as bad:
            self._bad = bad
            self._buffer.clear()
            raise

    def _next(self) -> Frame | None:
        if len(self._buffer) < LENGTH_BYTES:
            return None
        size = LENGTH_BYTES + int.from_bytes(self._buffer[:LENGTH_BYTES], "big")
        if size not in SIZES:
            raise BadFrame(f"no frame is {size} bytes long")
        if len(self._buffer) < HEADER_BYTES:
            return None
        length = int.from_bytes(self._buffer[LENGTH_BYTES + 1 : HEADER_BYTES], "big")
        kind = self._kind(self._buffer[LENGTH_BYTES], length)
        if size != size_of(kind, length):
            raise BadFrame(f"{kind.name} of {length} bytes does not fill {size} bytes")
        if len(self._buffer) < size:
            return None
        end = HEADER_BYTES + length
        payload, zeros = bytes(self._buffer[HEADER_BYTES:end]), self._buffer[end:size]
        if any(zeros):
            raise BadFrame("what follows the payload is not zero")
        del self._buffer[:size]
        return Frame(kind, payload)

    def _kind(self, number: int, size: int) -> FrameKind:
        try:
            kind = FrameKind(number)
        except ValueError as error:
            raise BadFrame(f"frame kind {number} does not exist") from error
        if kind not in self.kinds:
            raise BadFrame(f"{kind.name} is not expected now")
        if size > LIMITS[kind]:
            raise BadFrame(f"{size} bytes are too many for {kind.name}")
        return kind
