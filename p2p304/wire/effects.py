"""The effects that a machine without I/O asks for, in the order in which they must happen.

Responsible for the four effects alone. Carrying them out is net/links/driver.py's on a network, and
a simulated network's in a test. SPEC.md, "The machine and its shell".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2p304.wire.framing import FrameKind


@dataclass(frozen=True, slots=True)
class Send:
    """Send a message to a peer, or to every linked peer if ``peer`` is None. A message to a peer
    without a link is dropped."""

    peer: bytes | None
    """Identity key, 32 bytes, or None."""
    kind: FrameKind
    payload: bytes


@dataclass(frozen=True, slots=True)
class Persist:
    """Write to disk, and sync, before any later effect is carried out."""

    name: str
    """A short label of the file, such as ``journal``; ``data`` is appended to it."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Dial:
    """Make a link to this identity at this address, and keep trying until `HangUp`."""

    peer: bytes
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class HangUp:
    """Close the link to this identity and stop dialling it. Accept no other link from it for
    ``pause`` seconds."""

    peer: bytes
    reason: str
    pause: float = 0.0


Effect: TypeAlias = Send | Persist | Dial | HangUp
