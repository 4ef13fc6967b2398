"""What a machine without I/O asks of the world, in the order in which it is to happen.

Owns the four requests and nothing else: who carries them out (the driver on a network, a
simulated network in a test) and what the bytes mean is not known here. SPEC.md, "The machine
and its shell".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2p304.wire.framing import FrameKind


@dataclass(frozen=True, slots=True)
class Send:
    """A message to a peer, or to every linked peer if ``peer`` is None. Unlinked: dropped."""

    peer: bytes | None
    """Identity key, 32 bytes."""
    kind: FrameKind
    payload: bytes


@dataclass(frozen=True, slots=True)
class Persist:
    """Must be on disk (synced) before any later effect is carried out."""

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
    """Close the link to this identity and do not dial it again; take no other link from it for
    ``pause`` seconds."""

    peer: bytes
    reason: str
    pause: float = 0.0


Effect: TypeAlias = Send | Persist | Dial | HangUp
