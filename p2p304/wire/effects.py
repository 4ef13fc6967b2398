"""The effects that a machine without I/O asks for, in the order in which they must happen.

Responsible for the four effects, and for the queues that keep effects and events until they are
drained; events can be of any type. Carrying them out is net/links/driver.py's on a network, and
a simulated network's in a test. SPEC.md, "The machine and its shell".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

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
E = TypeVar("E")


class Outbox(Generic[E]):
    """Queues of effects and events. ``others`` are the keys of the peers to which `send` sends."""

    def __init__(self, others: tuple[bytes, ...] = ()) -> None:
        self._others = others
        self._effects: list[Effect] = []
        self._events: list[E] = []

    def send(self, kind: FrameKind, payload: bytes) -> None:
        """Send to each of the others. A peer without a link asks for the message later."""
        for key in self._others:
            self.send_to(key, kind, payload)

    def send_to(self, peer: bytes | None, kind: FrameKind, payload: bytes) -> None:
        """Send to one peer, or to every linked peer (None)."""
        self._effects.append(Send(peer, kind, payload))

    def persist(self, name: str, data: bytes) -> None:
        """Write to disk before any later effect."""
        self._effects.append(Persist(name, data))

    def dial(self, peer: bytes, host: str, port: int) -> None:
        """Ask for a link to a peer at this address."""
        self._effects.append(Dial(peer, host, port))

    def hang_up(self, peer: bytes, why: str, pause: float = 0.0) -> None:
        """Ask to close the link to a peer, and to accept no other from it for ``pause`` seconds."""
        self._effects.append(HangUp(peer, why, pause))

    def pass_on(self, effects: Iterable[Effect]) -> None:
        """Append the effects of another machine of this node."""
        self._effects += effects

    def emit(self, *told: E) -> None:
        """Append events."""
        self._events += told

    def effects(self) -> list[Effect]:
        """Return all effects and empty their queue."""
        drained, self._effects = self._effects, []
        return drained

    def events(self) -> list[E]:
        """Return all events and empty their queue."""
        drained, self._events = self._events, []
        return drained


class WithOutbox(Generic[E]):
    """A part without I/O that has an outbox of its own; the effects and events are drained here."""

    _out: Outbox[E]

    def effects(self) -> list[Effect]:
        return self._out.effects()

    def events(self) -> list[E]:
        return self._out.events()
