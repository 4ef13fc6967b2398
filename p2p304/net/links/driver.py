"""Drives a machine without I/O over a mesh: feeds it frames and time, and carries out its effects.

Responsible for the order: effects are carried out one after the other, and nothing is sent before
all earlier data is on disk. It knows nothing of the game; links are mesh.py's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, Generic, Protocol, TypeVar

from p2p304.net.errors import Reason
from p2p304.net.links.mesh import Mesh
from p2p304.wire.effects import Dial, Effect, HangUp, Persist, Send
from p2p304.wire.framing import FrameKind

T = TypeVar("T")
E = TypeVar("E")

SOONEST: Final = 0.01
"""Least seconds to the next timer, whatever a machine asks for."""


class Machine(Protocol[E]):
    """A machine that can be driven: bytes and time in, effects and events out."""

    def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None: ...
    def link_up(self, peer: bytes, nick: str, host: str, port: int, now: float) -> None: ...
    def link_down(self, peer: bytes, now: float) -> None: ...
    def handle_timer(self, now: float) -> None: ...
    def next_timeout(self) -> float | None: ...
    def effects(self) -> list[Effect]: ...
    def events(self) -> list[E]: ...


class Driver(Generic[T]):
    """Couples ``machine`` and ``mesh``. ``persist(name, data)`` returns when the data is on disk.

    An exception from ``persist``, the machine or ``on_event`` stops the node: nothing more is fed,
    written or sent, and ``failed`` holds the exception.
    """

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
        self._busy = self._is_fed = False
        self.on_links: Callable[[], None] = lambda: None
        """Called after every link that is added or removed."""
        self.on_lost: Callable[[bytes, Reason], None] = lambda peer, reason: None
        """Called with the reason, before the machine is told that a link is gone."""
        self.on_quiet: Callable[[], None] = lambda: None
        """Called whenever all effects and events are handled."""
        self.failed: asyncio.Future[None] = self._loop.create_future()
        mesh.listener = self

    @property
    def now(self) -> float:
        """Return the time in seconds on the clock that the machine is given."""
        return self._loop.time()

    def on_up(self, peer: bytes, nick: str, host: str, port: int) -> None:
        self._do(partial(self.machine.link_up, peer, nick, host, port, self.now))
        self._do(self.on_links)

    def on_down(self, peer: bytes, reason: Reason) -> None:
        self.on_lost(peer, reason)
        self._do(partial(self.machine.link_down, peer, self.now))
        self._do(self.on_links)

    def on_frame(self, peer: bytes, kind: FrameKind, payload: bytes) -> None:
        self._do(partial(self.machine.receive, peer, kind, payload, self.now))

    def flush(self) -> None:
        """Carry out effects, deliver events and set the timer; call it after every action of this
        node."""
        self._do(lambda: None)

    def close(self) -> None:
        """Close the mesh and stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
        if self.mesh.listener is self:
            self.mesh.listener = None
        if not self.failed.done():
            self.failed.cancel()
        elif not self.failed.cancelled():
            self.failed.exception()

    def _do(self, step: Callable[[], None]) -> None:
        if self.failed.done():
            return
        self._is_fed = True
        try:
            step()
            if not self._busy:
                self._drain()
        except Exception as error:  # noqa: BLE001 - whatever it is, the node must stop here
            if not self.failed.done():
                self.failed.set_exception(error)

    def _drain(self) -> None:
        """Handle all effects and events, also those that handling them adds (an action, a broken
        link)."""
        self._busy = True
        try:
            while self._is_fed and not self.failed.done():
                self._is_fed = False
                effects, events = self.machine.effects(), self.machine.events()
                for effect in effects:
                    self._carry_out(effect)
                    if self.failed.done():
                        return
                for event in events:
                    self._is_fed = True  # a player may answer without a call of this driver
                    self._on_event(event)
        finally:
            self._busy = False
        self._arm()
        self.on_quiet()

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Persist(name=name, data=data):
                self._persist(name, data)
            case Send(peer=peer, kind=kind, payload=payload):
                self.mesh.send(peer, kind, payload)
            case Dial(peer=peer, host=host, port=port):
                self.mesh.want(peer, host, port)
            case HangUp(peer=peer, reason=reason, pause=pause):
                self.mesh.hang(peer, reason, pause)

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        at = self.machine.next_timeout()
        if at is not None and not self.failed.done():
            self._timer = self._loop.call_at(max(at, self.now + SOONEST), self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._do(lambda: self.machine.handle_timer(self.now))
