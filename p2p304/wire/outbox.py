"""What a machine without I/O has to do and to tell, in order, until somebody drains it.

Owns the two queues. It carries nothing out (effects.py), and does not know what events are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from p2p304.wire.effects import Dial, Effect, HangUp, Persist, Send
from p2p304.wire.framing import FrameKind

E = TypeVar("E")


class Outbox(Generic[E]):
    """``others``: the keys of those to whom `send` goes."""

    def __init__(self, others: tuple[bytes, ...] = ()) -> None:
        self._others = others
        self._effects: list[Effect] = []
        self._events: list[E] = []

    def send(self, kind: FrameKind, payload: bytes) -> None:
        """To each of the others, linked or not; whoever misses it asks for it later."""
        for key in self._others:
            self.send_to(key, kind, payload)

    def send_to(self, peer: bytes | None, kind: FrameKind, payload: bytes) -> None:
        """To one peer, or to every linked one (None)."""
        self._effects.append(Send(peer, kind, payload))

    def persist(self, name: str, data: bytes) -> None:
        """On disk, before anything that comes after it."""
        self._effects.append(Persist(name, data))

    def dial(self, peer: bytes, host: str, port: int) -> None:
        self._effects.append(Dial(peer, host, port))

    def hang_up(self, peer: bytes, why: str, pause: float = 0.0) -> None:
        self._effects.append(HangUp(peer, why, pause))

    def pass_on(self, effects: Iterable[Effect]) -> None:
        """What another machine of this node has to do."""
        self._effects += effects

    def emit(self, *told: E) -> None:
        self._events += told

    def effects(self) -> list[Effect]:
        """All that is to be done, once."""
        drained, self._effects = self._effects, []
        return drained

    def events(self) -> list[E]:
        """All that is to be told, once."""
        drained, self._events = self._events, []
        return drained
