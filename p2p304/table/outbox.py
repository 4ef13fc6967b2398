"""What a node at a table has to do and to tell, in order.

Owns the queues of effects and events, and who the others are. It carries nothing out.
"""

from __future__ import annotations

from p2p304.table.events import Event
from p2p304.wire.effects import Effect, Hang, Persist, Send
from p2p304.wire.framing import FrameKind


class Outbox:
    """``others``: the keys of all other members."""

    def __init__(self, others: tuple[bytes, ...]) -> None:
        self._others = others
        self._effects: list[Effect] = []
        self._events: list[Event] = []

    def send(self, kind: FrameKind, payload: bytes) -> None:
        """To every other member, linked or not; whoever misses it asks for it later."""
        self._effects += (Send(key, kind, payload) for key in self._others)

    def send_to(self, peer: bytes, kind: FrameKind, payload: bytes) -> None:
        self._effects.append(Send(peer, kind, payload))

    def keep(self, name: str, data: bytes) -> None:
        """On disk, before anything that comes after it."""
        self._effects.append(Persist(name, data))

    def hang_up(self, peer: bytes, why: str) -> None:
        self._effects.append(Hang(peer, why))

    def tell(self, *told: Event) -> None:
        """To this node's player."""
        self._events += told

    def forget_effects(self) -> None:
        """What was to be done is done: a table is taken up again where it was."""
        self._effects = []

    def effects(self) -> list[Effect]:
        drained, self._effects = self._effects, []
        return drained

    def events(self) -> list[Event]:
        drained, self._events = self._events, []
        return drained
