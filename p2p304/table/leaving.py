"""Leaving for good, at one node: who has been gone how long, and the parting that may follow.

Owns the waiting time and what the player is told; the agreement itself is parting.py's.
"""

from __future__ import annotations

from p2p304.table import events
from p2p304.table.events import Event
from p2p304.table.machine import Table
from p2p304.table.parting import Parting, Where
from p2p304.wire.effects import Effect

PATIENCE = 60.0
"""Seconds for which a player must have been gone before the others may part."""
REPEAT = 2.0


class Leaving:
    """Feed links and time; drain effects and events."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.parting = Parting(table.me.key, table.terms)
        self._gone: dict[bytes, float] = {}
        self._events: list[Event] = []
        self._next = 0.0
        self._told = False

    @property
    def bound(self) -> bool:
        return self.parting.bound

    def gone(self, peer: bytes, now: float) -> None:
        if peer in self.table.terms.keys:
            self._gone.setdefault(peer, now)

    def back(self, peer: bytes) -> None:
        self._gone.pop(peer, None)
        self.parting.repeat()

    def wish(self, now: float) -> None:
        """LookupError unless exactly one player has been gone for PATIENCE within a table."""
        long = [key for key, since in self._gone.items() if now - since >= PATIENCE]
        state, chain = self.table.state, self.table.chain
        if state is None or state.over or len(self._gone) != 1 or len(long) != 1:
            raise LookupError(f"nobody alone has been gone for {PATIENCE:.0f} s")
        absent = self.table.terms.keys.index(long[0])
        self.parting.wish(Where(chain.table, chain.next_seq, chain.head, absent))
        self._tell(absent)

    def receive(self, payload: bytes) -> None:
        """Take a word of parting; raises Refused."""
        word = self.parting.receive(payload)
        self._tell(word.where.absent)

    def tick(self, now: float) -> None:
        """Say again, and tell the end."""
        if now >= self._next and self.parting.certificate is None:
            self._next = now + REPEAT
            self.parting.repeat()
        self._end()

    def effects(self) -> list[Effect]:
        drained = self.parting.effects()
        self._end()
        return drained

    def events(self) -> list[Event]:
        drained, self._events = self._events, []
        return drained

    def _nick(self, player: int) -> str:
        return self.table.terms.players[player].nick

    def _tell(self, absent: int) -> None:
        ready = tuple(self._nick(n) for n in self.parting.ready_without(absent))
        needed = len(self.table.terms.keys) - 1
        if not self.parting.bound:
            self._events.append(events.PartingWished(self._nick(absent), ready, needed))

    def _end(self) -> None:
        state, certificate = self.table.state, self.parting.certificate
        if certificate is None or state is None or self._told:
            return
        self._told = True
        absent = certificate.words[0].where.absent
        self._events.append(events.Parted(self._nick(absent), state.match))
