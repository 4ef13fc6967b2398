"""Drives a machine without I/O over a mesh: feeds frames and time, carries out effects.

Owns order: a machine's effects happen one after the other, and nothing is sent before what
stands earlier is on disk. It knows nothing of the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from p2p304.net.mesh import Mesh
from p2p304.wire.effects import Dial, Effect, Hang, Persist, Send
from p2p304.wire.framing import FrameKind

E = TypeVar("E")
T = TypeVar("T")


class Machine(Protocol[E]):
    """What can be driven: bytes and time in, effects and events out."""

    def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None: ...
    def link_up(self, peer: bytes, host: str, port: int, now: float) -> None: ...
    def link_down(self, peer: bytes, now: float) -> None: ...
    def tick(self, now: float) -> None: ...
    def wake_at(self) -> float | None: ...
    def effects(self) -> list[Effect]: ...
    def events(self) -> list[E]: ...


class Driver(Generic[T]):
    """Couples ``machine`` and ``mesh``. ``persist(name, data)`` returns when data is on disk;
    what it raises stops the node: see ``failed``."""

    def __init__(
        self,
        machine: Machine[T],
        mesh: Mesh,
        persist: Callable[[str, bytes], None],
        on_event: Callable[[T], None],
    ) -> None:
        self.machine, self.mesh = machine, mesh
        self._persist, self._on_event = persist, on_event
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._busy = False
        self.failed: asyncio.Future[None] = self._loop.create_future()
        mesh.listener = self

    @property
    def now(self) -> float:
        return self._loop.time()

    def on_up(self, peer: bytes, host: str, port: int) -> None:
        self.machine.link_up(peer, host, port, self.now)
        self.pump()

    def on_down(self, peer: bytes, reason: str) -> None:
        self.machine.link_down(peer, self.now)
        self.pump()

    def on_frame(self, peer: bytes, kind: FrameKind, payload: bytes) -> None:
        self.machine.receive(peer, kind, payload, self.now)
        self.pump()

    def pump(self) -> None:
        """Carry out effects, tell events, set the timer; call it after every own action."""
        if self._busy or self.failed.done():
            return
        self._busy = True
        try:
            while effects := self.machine.effects():
                for effect in effects:
                    self._carry_out(effect)
                for event in self.machine.events():
                    self._on_event(event)
            for event in self.machine.events():
                self._on_event(event)
        except Exception as error:  # noqa: BLE001 - whatever it is, the node must stop here
            self.failed.set_exception(error)
            return
        finally:
            self._busy = False
        self._arm()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.mesh.listener = None
        if not self.failed.done():
            self.failed.cancel()

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Persist(name=name, data=data):
                self._persist(name, data)
            case Send(peer=peer, kind=kind, payload=payload):
                self.mesh.send(peer, kind, payload)
            case Dial(peer=peer, host=host, port=port):
                self.mesh.want(peer, host, port)
            case Hang(peer=peer, reason=reason):
                self.mesh.hang(peer, reason)

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        at = self.machine.wake_at()
        if at is not None:
            self._timer = self._loop.call_at(max(at, self.now + 0.01), self._tick)

    def _tick(self) -> None:
        self.machine.tick(self.now)
        self.pump()
