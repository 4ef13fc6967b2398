"""Leaving for good, at one node: who has been gone how long, and the parting that may follow.

Owns the waiting time and what the player is told; the agreement itself is parting.py's.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.rules.away import LONG, WAIT
from p2p304.table import events
from p2p304.table.events import Event
from p2p304.table.machine import Table
from p2p304.table.parting import Parting, Where
from p2p304.wire.effects import Effect
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

REPEAT = 2.0


class Leaving:
    """Feed links and time; drain effects and events."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.parting = Parting(table.me.key, table.terms)
        self._gone: dict[bytes, float] = {}
        self._out = Outbox[Event]()
        self._next = 0.0

    def restore(self, records: Sequence[bytes], now: float) -> None:
        """What was said before this node stopped; raises Refused. Until they are linked again the
        others count as gone from now on."""
        self.parting.restore(list(records))
        for key in self.table.terms.keys:
            if key != self.table.me.key.public:
                self.gone(key, now)
        self.table.course.last_place = self.parting.place

    @property
    def parts(self) -> tuple[object, ...]:
        """All that a word of parting may change here, for the error boundary."""
        return (self, self._out, self.parting, self.parting.outbox)

    @property
    def bound(self) -> bool:
        """Whether this node signs nothing at this table any more."""
        return self.parting.bound and not self._plays_out

    @property
    def _plays_out(self) -> bool:
        return self.table.course.parted and not self.table.course.ended

    def gone(self, peer: bytes, now: float) -> None:
        if peer in self.table.terms.keys:
            self._gone.setdefault(peer, now)

    def back(self, peer: bytes) -> None:
        self._gone.pop(peer, None)
        self.parting.repeat()

    def takes(self, kind: FrameKind) -> bool:
        """Whether the table hears this: all but what peers lack ends with the own part; who comes
        back to a table that was ended still catches up with it."""
        behind = self.parting.certificate is not None and not self.table.course.parted
        return not self.bound or kind is FrameKind.SYNC or behind

    def wish(self, now: float) -> None:
        """LookupError unless the rules allow it and exactly one player has been gone for LONG
        within a table."""
        if self.table.terms.rules.away == WAIT:
            raise LookupError("this table's rules are to wait for whoever is gone (away=wait)")
        if self._plays_out:
            raise LookupError("this hand is being played out already: only one seat can be empty")
        long = [key for key, since in self._gone.items() if now - since >= LONG]
        state = self.table.state
        if state is None or state.over or len(self._gone) != 1 or len(long) != 1:
            raise LookupError(f"nobody alone has been gone for {LONG:.0f} s")
        self._write_down(now)
        absent, chain = self.table.terms.keys.index(long[0]), self.table.chain
        self.parting.wish(Where(chain.table, chain.next_seq, chain.head, absent))
        self._tell(absent)
        self._end(now)

    def _write_down(self, now: float) -> None:
        """A place at which one is ready to part must not be forgotten by a stop: the last entry
        before it, if its receipt is held back, is on disk before that word is."""
        self.table.release(now)
        self._out.pass_on(self.table.effects())

    def receive(self, payload: bytes, now: float) -> None:
        """Take a word of parting; raises Refused. `moved_on` does what follows from it."""
        word = self.parting.receive(payload)
        self._tell(word.where.absent)

    def tick(self, now: float) -> None:
        """Say again, and tell the end."""
        if now >= self._next and self.parting.certificate is None:
            self._next = now + REPEAT
            self.parting.repeat()
        self._end(now)

    def moved_on(self, now: float) -> None:
        """The table has taken something: a wish may be over, or the place of parting reached."""
        self.parting.moved_on(self.table.chain.next_seq)
        self._end(now)

    def effects(self) -> list[Effect]:
        """To be done before the table's: a certificate is written down before it has effects."""
        self._out.pass_on(self.parting.effects())
        return self._out.effects()

    def events(self) -> list[Event]:
        return self._out.events()

    def _nick(self, player: int) -> str:
        return self.table.terms.players[player].nick

    def _tell(self, absent: int) -> None:
        ready = tuple(self._nick(n) for n in self.parting.ready_without(absent))
        needed = len(self.table.terms.keys) - 1
        if ready and not self.parting.bound:
            self._out.tell(events.PartingWished(self._nick(absent), ready, needed))

    def _end(self, now: float) -> None:
        """Nothing is written from the agreed place on; once it is reached, the table ends, or
        the hand is played out."""
        if self.table.course.parted:
            return
        self.table.course.last_place = self.parting.place
        if self.parting.certificate is not None:
            self.table.part(self.parting.certificate, now)
