"""The players for whom a table waits at one node, and since when.

Responsible for the time of the last progress, for the players whose receipt, entry or answer is
missing, and for what follows from a long wait: it is reported (presence.py has the times), and
players who leave early are noted (table/evidence/left_draws.py). Asking the players again is
table_machine.py's.
"""

from __future__ import annotations

from p2p304.rules.variants.absence import WAIT, patience
from p2p304.table.evidence.left_draws import DrawWatch
from p2p304.table.exchange.recovery import Recovery
from p2p304.table.machine.presence import Presence
from p2p304.table.player.keyring import Member
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.replica import Replica
from p2p304.wire.effects import Outbox


class TableWaits:
    """The waits of one table. Feed links and progress; call `handle_timer`."""

    def __init__(
        self, replica: Replica, me: Member, draw: DrawWatch, out: Outbox[Event], now: float
    ) -> None:
        self.since = now
        """The time of the last progress."""
        self.presence = Presence()
        self.recovery: Recovery | None = None
        """Set after a restart, until this node may sign again."""
        self._excused: frozenset[bytes] = frozenset()
        """Players, by key, who may sign nothing before others have answered (`excuse`)."""
        self._replica, self._me, self._draw, self._out = replica, me, draw, out

    def recover(self) -> None:
        """Wait until every other player has said that it has no more than this node."""
        self.recovery = Recovery(self._me.player)

    def end_recovery(self, now: float) -> None:
        self.recovery, self.since = None, now

    @property
    def silent(self) -> tuple[bytes, ...]:
        """The players, by key, that must still say after a restart that they have no more."""
        if self.recovery is None:
            return ()
        others = [key for key in self._replica.present if key != self._me.key.public]
        return self.recovery.awaited(others, self._replica.chain)

    @property
    def lacking(self) -> tuple[int, ...]:
        """The players whose receipt or entry all others wait for."""
        missing, due = self._replica.chain.missing(), self._replica.due
        return missing or (() if due is None else (due.player,))

    @property
    def awaited(self) -> tuple[bytes, ...]:
        """The players, by key, for which this node waits: for a receipt, an entry, or an answer
        after a restart. It waits for nobody while its own player keeps the others waiting."""
        if not self.silent and self._me.player in self.lacking:
            return ()
        late = self.silent or tuple(self._replica.terms.keys[player] for player in self.lacking)
        return tuple(key for key in late if key not in {self._me.key.public, *self._excused})

    def excuse(self, players: frozenset[bytes], now: float) -> None:
        """Wait for none of these players from now on: they have agreed to go on without one who is
        gone, and may sign nothing before the others have answered (table/node/debts.py)."""
        before, self._excused = self.awaited, players
        if self.awaited != before:
            self.record_progress(before, now)

    def record_progress(self, late: tuple[bytes, ...], now: float) -> None:
        """Record that the table has waited for these players until now."""
        self._draw.record_wait(late, now - self.since)
        self.since = now

    def give_up(self, now: float) -> None:
        """Record that this player leaves the table."""
        self._draw.give_up(self.awaited, self.since, self.presence.since, now)

    def handle_timer(self, now: float) -> None:
        """Note players who leave early, and report for which players the table waits."""
        self._draw.note_absent(self.awaited, self.since, self.presence.since, now)
        if not self.presence.is_due(now, self.since):
            return
        self.presence.record_notice(now)
        absentee = self._absentee(now)
        if absentee is not None:
            lost = self.presence.since[absentee]
            self._out.emit(events.MayPart(self._nick(absentee), lost))
        players = [p for p in self._replica.terms.players if p.key in self.awaited]
        if players:
            nicks = tuple(p.nick for p in players)
            gone = tuple(p.nick for p in players if self.presence.is_gone(p.key))
            seconds, may_part = int(now - self.since), absentee is not None
            self._out.emit(events.Waiting(nicks, self.since, seconds, gone, may_part))

    def _absentee(self, now: float) -> bytes | None:
        """Return the one player who has been absent for so long that the others may go on; None
        where this node would refuse to propose that (table/node/player_absence.py,
        `propose_parting`)."""
        replica, absentee = self._replica, self.presence.long_absentee(now)
        if absentee is None or replica.terms.rules.away == WAIT or replica.is_playing_out:
            return None
        refuses = replica.state is None or replica.is_complete or set(self.silent) - {absentee}
        return None if refuses else absentee

    def _nick(self, key: bytes) -> str:
        terms = self._replica.terms
        return terms.players[terms.keys.index(key)].nick

    def give_up_recovery(self, now: float) -> bool:
        """Stop waiting for the answer of one player alone after a while; return whether that
        happened now."""
        half = patience(self._replica.terms.rules.timer) / 2
        return self.recovery is not None and self.recovery.give_up_waiting(
            self.silent, self._replica.chain.next_seq, now, half
        )

    def next_timeout(self) -> float:
        return min(
            self.presence.next_notice(self.since),
            self._draw.next_timeout(self.awaited, self.since, self.presence.since),
        )
