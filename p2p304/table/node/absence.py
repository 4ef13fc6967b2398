"""Leaving for good, at one node: whom the others may do without, and the parting that may follow.

Owns who has been gone, or has owed something, for how long, and what the player is told; the
agreement itself is parting.py's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from p2p304.log.absence_vote import PART, AbsenceWord, contradicts_log
from p2p304.log.entry import (
    Entry,
    Receipt,
    entry_is_signed_by,
    parse_entry,
    parse_receipt,
    receipt_is_signed_by,
)
from p2p304.log.evidence import of_broken_part
from p2p304.log.faults import Refused
from p2p304.rules.variants.absence import LONG, WAIT, patience
from p2p304.table.node.table_machine import TableMachine
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.parting import LogPosition, Parting, PartingPlace, Round
from p2p304.wire.effects import Effect
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

REPEAT = 2.0
UNANSWERED = 5.0
"""Seconds for which a wish must have had no answer before the answer is owed. Honest programs
answer at once, so nobody escapes what it owes itself by one wish after another."""
Owing = tuple[int, str, int]
"""A player, what it owes (see events.Overdue), and the place of the log."""


class Leaving:
    """Feed links and time; drain effects and events."""

    def __init__(self, table: TableMachine) -> None:
        self.table = table
        self.parting = Parting(table.me.key, table.terms)
        self._gone: dict[bytes, float] = {}
        self._owing: tuple[Owing, float] | None = None
        self._overdue_told: Owing | None = None
        self._unanswered: dict[Round, float] = {}
        """Since when each wish to part is not answered."""
        self._out = Outbox[Event]()
        self._next = self._now = 0.0

    def restore(self, records: Sequence[bytes], now: float) -> None:
        """What was said before this node stopped; raises Refused. Until they are linked again the
        others count as gone from now on."""
        self.parting.restore(list(records))
        for key in self.table.terms.keys:
            if key != self.table.me.key.public:
                self.gone(key, now)
        self.table.replica.blocked_from = self.parting.blocked_from

    @property
    def parts(self) -> tuple[object, ...]:
        """All that a word of parting may change here, for the error boundary."""
        return (self, self._out, self.parting, self.parting.outbox)

    @property
    def bound(self) -> bool:
        """Whether this node signs nothing at this table any more."""
        return self.parting.is_bound and not self._plays_out

    @property
    def held(self) -> bool:
        """Whether it signs nothing until the others have answered this player's *ready*."""
        return self.parting.is_held and not self._plays_out

    @property
    def _plays_out(self) -> bool:
        return self.table.replica.is_parted and not self.table.replica.is_ended

    def gone(self, peer: bytes, now: float) -> None:
        if peer in self.table.terms.keys:
            self._gone.setdefault(peer, now)

    def back(self, peer: bytes) -> None:
        self._gone.pop(peer, None)
        self.parting.resend()

    def wish(self, now: float) -> None:
        """LookupError unless the rules allow it and exactly one player has been gone for LONG
        within a table, or has owed something for the table's patience."""
        if self.table.terms.rules.away == WAIT:
            raise LookupError("this table's rules are to wait for whoever is gone (away=wait)")
        if self._plays_out:
            raise LookupError("this hand is being played out already: only one seat can be empty")
        absent, state = self._without(now), self.table.state
        if absent is None or state is None or state.over:
            raise LookupError(
                f"nobody alone has been gone for {LONG:.0f} s, and nobody alone has "
                f"owed anything for {self._patience:.0f} s"
            )
        if set(self.table.awaited) - {self.table.terms.keys[absent]}:
            raise LookupError("not everybody else has said yet what they have of this table")
        self._write_down(now)
        chain = self.table.chain
        self.parting.propose(PartingPlace(chain.table, chain.next_seq, chain.head, absent))
        self._tell(absent)
        self._end(now)

    def _without(self, now: float) -> int | None:
        """The one player whom the others may do without, or None."""
        long = [key for key, since in self._gone.items() if now - since >= LONG]
        if len(self._gone) == 1 and len(long) == 1:
            return self.table.terms.keys.index(long[0])
        owing = self._look(now)
        if owing is None or owing[0] == self.table.me.player:
            return None
        key = self.table.terms.keys[owing[0]]
        return owing[0] if set(self._gone) <= {key} else None

    def _write_down(self, now: float) -> None:
        """A place at which one is ready to part must not be forgotten by a stop: the last entry
        before it, if its receipt is held back, is on disk before that word is."""
        self.table.release(now)
        self._out.pass_on(self.table.effects())

    # Who owes something

    def _look(self, now: float) -> Owing | None:
        """Who alone has owed something for longer than the table's patience."""
        self._now = now
        owing = self._owes()
        if owing is None or self._owing is None or self._owing[0] != owing:
            self._owing = None if owing is None else (owing, now)
            return None
        return owing if now >= self._owing[1] + self._patience else None

    def _owes(self) -> Owing | None:
        """The only player who keeps the others waiting, if there is one. A player who has been
        ready to part for a while owes nothing until all others have answered; they owe that
        answer. Nor does the player who is back: those who are ready take none of its entries."""
        if self.table.replica.is_over or self.table.stopped is not None:
            return None
        late = dict.fromkeys(
            self.table.lacking, "entry" if self.table.chain.is_settled else "receipt"
        )
        waits = self.parting.unanswered_rounds(self._here)
        self._unanswered = {at: self._unanswered.get(at, self._now) for at, _, _ in waits}
        for at, ready, missing in waits:
            long = self._now >= self._unanswered[at] + UNANSWERED
            if long and self._is_here(at[0].absent):
                excused = {*ready, at[0].absent}
                late = {player: what for player, what in late.items() if player not in excused}
                late |= dict.fromkeys(missing, "word")
        if len(late) != 1:
            return None
        ((player, what),) = late.items()
        return player, what, self.table.chain.next_seq

    def _is_here(self, player: int, says_so: bool = False) -> bool:
        """Linked, or heard of through others (``says_so``), and not late already with what all
        others wait for: clocks differ a little, so nobody says *stay* for a player of whom half
        the patience is used up."""
        key = self.table.terms.keys[player]
        if key == self.table.me.key.public:
            return True
        late = self._owing is not None and self._owing[0][0] == player
        since = self._owing[1] if self._owing is not None and late else self._now
        return (says_so or key not in self._gone) and self._now - since < self._patience / 2

    @property
    def _patience(self) -> float:
        return patience(self.table.terms.rules.timer)

    def _tell_overdue(self, now: float) -> None:
        """Once for each thing that is owed, at every node, at the one who owes it too."""
        owing = self._look(now)
        if owing is None or owing == self._overdue_told or self._plays_out:
            return
        self._overdue_told = owing
        player, what, _ = owing
        seconds = int(self._patience)
        mine = player == self.table.me.player
        may = self.table.terms.rules.away != WAIT and not self.parting.is_bound
        self._out.emit(events.Overdue(self._nick(player), what, seconds, mine, may))

    # Words

    def receive(self, payload: bytes, now: float) -> None:
        """Take a word of parting; raises Refused. `moved_on` does what follows from it."""
        word = self.parting.parse(payload)
        signed = self._signed_since(word)
        if signed is not None:
            self.parting.contradictions.append(of_broken_part(word.encode(), signed))
            return
        stay = self.parting.receive(word, self._here)
        if stay is not None:
            nick = self._nick(stay.author)
            self._out.emit(events.PartingRefused(nick, self._nick(stay.where.absent)))
        elif word.step != PART:
            self._tell(word.where.absent)

    def hear(self, kind: FrameKind, payload: bytes) -> None:
        """Compare what a player signs for the log with the part that it has signed; `moved_on`
        does what follows. Bytes that are neither entry nor receipt the table refuses."""
        parts = self.parting.parts()
        relevant = bool(parts) or self.parting.is_held
        if not relevant or kind not in (FrameKind.ENTRY, FrameKind.RECEIPT):
            return
        try:
            signed = _parse(kind, payload)
        except Refused:
            return
        keys, me = self.table.terms.keys, self.table.me
        own = (signed.author, signed.table) == (me.player, self.table.terms.table)
        if own and _is_signed(signed, me.key.public):
            self.parting.note_signature(signed.seq)
        for part in parts:
            if contradicts_log(part, signed) and _is_signed(signed, keys[signed.author]):
                self.parting.contradictions.append(of_broken_part(part.encode(), payload))
                return

    def _signed_since(self, part: AbsenceWord) -> bytes | None:
        """What the author of a part has signed for its place or a later one: in the log, or kept
        beside it."""
        chain = self.table.chain
        if part.step != PART:
            return None
        end = chain.next_seq if chain.without is None else chain.without.seq
        for seq in range(part.where.seq, end):
            entry, receipt = chain.entries[seq], chain.receipt_of(seq, part.author)
            if entry.entry.author == part.author:
                return entry.raw
            if receipt is not None:
                return receipt.encode()
        for kind, raw in self.table.kept_of(part.author):
            if contradicts_log(part, _parse(kind, raw)):
                return raw
        return None

    def handle_timer(self, now: float) -> None:
        """Say again, answer, tell who owes something, and tell the end."""
        if now >= self._next and self.parting.certificate is None:
            self._next = now + REPEAT
            self.parting.resend()
            self._after_words(now)
        self._tell_overdue(now)
        self._end(now)

    def next_timeout(self) -> float:
        """When a word is to be said again, or it is to be told that somebody is overdue."""
        if self.table.stopped is not None or self.table.replica.is_over:
            return math.inf
        says = self.held or self.bound or self.parting.has_resent
        word = self._next if says and self.parting.certificate is None else math.inf
        owed = [since + UNANSWERED for since in self._unanswered.values()]
        word = min([word, *(at for at in owed if at > self._now)])
        if self._owing is None or self._owing[0] == self._overdue_told or self._plays_out:
            return word
        return min(word, self._owing[1] + self._patience)

    def moved_on(self, now: float) -> None:
        """The table has taken something: a wish may be over, or the place of parting reached."""
        self._look(now)
        self._after_words(now)

    def _after_words(self, now: float) -> None:
        self._now = now
        self.parting.advance(self._here)
        if not self._plays_out:
            self.parting.answer(self._here, self._is_here)
        for evidence in self.parting.contradictions:
            self.table.prove(evidence)
        self.parting.contradictions.clear()
        self._end(now)

    def effects(self) -> list[Effect]:
        """To be done before the table's: a certificate is written down before it has effects."""
        self._out.pass_on(self.parting.effects())
        return self._out.effects()

    def events(self) -> list[Event]:
        return self._out.events()

    @property
    def _here(self) -> LogPosition:
        chain, signed = self.table.chain, self.table.signed
        settled = chain.next_seq if chain.is_settled else chain.next_seq - 1
        before = chain.entries[-1].entry.prev if chain.entries else chain.head
        return LogPosition(chain.next_seq, chain.head, before, signed, settled)

    def _nick(self, player: int) -> str:
        return self.table.terms.players[player].nick

    def _tell(self, absent: int) -> None:
        ready = self.parting.ready_without(absent)
        needed = len(self.table.terms.keys) - 1
        if ready and not self.parting.is_bound:
            nicks, bots = map(self._nick, ready), map(self._nick, self._bots_alone(absent, ready))
            wished = events.PartingWished(self._nick(absent), tuple(nicks), needed, tuple(bots))
            self._out.emit(wished)

    def _bots_alone(self, absent: int, ready: Sequence[int]) -> tuple[int, ...]:
        """Who has not agreed yet, if these are all bots on the absent one's side: they wait longer
        than others (bot.py)."""
        state, players = self.table.state, self.table.terms.players
        partners = () if state is None else state.partners_of(absent)
        missing = set(range(len(players))) - {absent, *ready}
        late = all(n in partners and players[n].bot is not None for n in missing)
        return tuple(sorted(missing)) if late else ()

    def _end(self, now: float) -> None:
        """Nothing is written from the agreed place on; once it is reached, the table ends, or
        the hand is played out. Where no agreement has come about, play goes on."""
        if self.table.replica.is_parted:
            return
        before, place = self.table.replica.blocked_from, self.parting.blocked_from
        self.table.replica.blocked_from = place
        if self.parting.certificate is not None:
            self.table.part(self.parting.certificate, now)
        elif before is not None and place is None:
            self.table.play_on(now)


def _parse(kind: FrameKind, payload: bytes) -> Entry | Receipt:
    """Raises Refused."""
    return parse_entry(payload).entry if kind is FrameKind.ENTRY else parse_receipt(payload)


def _is_signed(signed: Entry | Receipt, key: bytes) -> bool:
    if isinstance(signed, Receipt):
        return receipt_is_signed_by(signed, key)
    return entry_is_signed_by(signed, key)
