"""The absence of other players at one node, and the parting that may follow.

Responsible for the player without whom the others may go on, for what this player is told about it,
and for what follows from the vote; the vote is absence_voter.py's, the rules of what it decides are
ending.py's, and how long a player owes something is debts.py's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from p2p304.log.absence_vote import PART, AbsenceWord, PartingPlace, contradicts_log
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
from p2p304.rules.core.errors import NotNow
from p2p304.rules.core.phrases import say
from p2p304.rules.variants.absence import LONG, WAIT
from p2p304.table.absence.absence_voter import AbsenceVoter
from p2p304.table.absence.vote_record import LogPosition
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.debts import Debts
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.wire.effects import Effect, Outbox, WithOutbox
from p2p304.wire.framing import FrameKind

REPEAT = 2.0


class PlayerAbsence(WithOutbox[Event]):
    """One node's view of absent players. Feed words and time; drain effects and events."""

    def __init__(self, table: TableMachine) -> None:
        self.table = table
        self.voter = AbsenceVoter(table.me.key, table.terms)
        self._debts = Debts(table, self.voter)
        self._out = Outbox[Event]()
        self._next_repeat = 0.0

    def restore(self, records: Sequence[bytes]) -> None:
        """Restore the messages of parting from before this node stopped; raises Refused."""
        self.voter.restore(list(records))
        self.table.replica.blocked_from = self.voter.blocked_from

    @property
    def parts(self) -> tuple[object, ...]:
        """The objects that a message of parting may change here, for the error boundary."""
        return (self, self._out, self._debts, self.voter, self.voter.record, self.voter.outbox)

    @property
    def is_bound(self) -> bool:
        """Whether this node signs nothing at this table any more."""
        return self.voter.is_bound and not self.table.replica.is_playing_out

    @property
    def is_held(self) -> bool:
        """Whether this node signs nothing until the others have answered this player's *ready*."""
        return self.voter.is_held and not self.table.replica.is_playing_out

    def on_link_up(self) -> None:
        self.voter.resend()

    def on_player_back(self, player: int, now: float) -> None:
        """Note that a player is linked again who was told as gone."""
        self._debts.note_back(player, now)

    def propose_parting(self, now: float) -> None:
        """Propose to part from the absent player.

        Raises NotNow unless the rules allow it and exactly one player is absent: gone for LONG
        within a table, or owing something for longer than the table's patience."""
        if self.table.terms.rules.away == WAIT:
            raise NotNow(say("The rules of this table are to wait for absent players."))
        if self.table.replica.is_playing_out:
            raise NotNow(
                say("This hand already continues without one player. Only one seat can be empty.")
            )
        absent, state = self._absent_player(now), self.table.state
        if absent is None or state is None or self.table.replica.is_complete:
            raise NotNow(
                say(
                    "You can't do that now: exactly one player must be absent for {n} s, or late "
                    "for {late} s.",
                    n=round(LONG),
                    late=round(self._debts.patience),
                )
            )
        if set(self.table.waits.silent) - {self.table.terms.keys[absent]}:
            raise NotNow(
                say(
                    "You can't do that now: the other players' programs have not yet reported "
                    "their state of the game."
                )
            )
        # The receipt of the last entry may be held back. It must be on disk before this player's
        # *ready*, so that a restart cannot forget the place of the parting.
        self.table.release(now)
        self._out.pass_on(self.table.effects())
        chain = self.table.chain
        self.voter.propose(PartingPlace(chain.table, chain.next_seq, chain.head, absent))
        self._emit_proposal(absent)
        self._excuse_debtors(now)
        self._apply_agreement(now)

    def _absent_player(self, now: float) -> int | None:
        """Return the one player without whom the others may go on, or None."""
        presence, keys = self.table.waits.presence, self.table.terms.keys
        absentee = presence.long_absentee(now)
        if absentee is not None:
            return keys.index(absentee)
        debt = self._debts.overdue(self._position, now)
        if debt is None or debt.player == self.table.me.player:
            return None
        return debt.player if set(presence.since) <= {keys[debt.player]} else None

    # Messages of parting

    def receive(self, payload: bytes, now: float) -> None:
        """Take a message of parting; raises Refused. `on_table_advanced` does what follows from
        it."""
        word = self.voter.parse(payload)
        signed = self._signed_since(word)
        if signed is not None:
            self.voter.contradictions.append(of_broken_part(word.encode(), signed))
            return
        stay = self.voter.receive(word, self._position)
        if stay is not None:
            nick = self._nick(stay.author)
            self._out.emit(events.PartingRefused(nick, self._nick(stay.place.absent)))
        elif word.step != PART:
            self._emit_proposal(word.place.absent)

    @property
    def has_parts(self) -> bool:
        """Whether `compare_with_part` has anything to compare with."""
        return self.voter.is_held or bool(self.voter.parts())

    def compare_with_part(self, kind: FrameKind, payload: bytes) -> None:
        """Compare what a player signs for the log with the *part* that it has signed.

        `on_table_advanced` does what follows. The table refuses bytes that are neither entry nor
        receipt."""
        parts = self.voter.parts()
        if kind not in (FrameKind.ENTRY, FrameKind.RECEIPT):
            return
        try:
            signed = _parse(kind, payload)
        except Refused:
            return
        keys, me = self.table.terms.keys, self.table.me
        own = (signed.author, signed.table) == (me.player, self.table.terms.table)
        if own and _is_signed(signed, me.key.public):
            self.voter.note_signature(signed.seq)
        for part in parts:
            if contradicts_log(part, signed) and _is_signed(signed, keys[signed.author]):
                self.voter.contradictions.append(of_broken_part(part.encode(), payload))
                return

    def _signed_since(self, part: AbsenceWord) -> bytes | None:
        """Return what the author of a *part* has signed for its place or a later one, in the log or
        among the pending messages."""
        chain = self.table.chain
        if part.step != PART:
            return None
        end = chain.next_seq if chain.without is None else chain.without.seq
        for seq in range(part.place.seq, end):
            entry, receipt = chain.entry(seq), chain.receipt_of(seq, part.author)
            if entry.entry.author == part.author:
                return entry.raw
            if receipt is not None:
                return receipt.encode()
        for kind, raw in self.table.pending_of(part.author):
            if contradicts_log(part, _parse(kind, raw)):
                return raw
        return None

    def handle_timer(self, now: float) -> None:
        """Repeat and answer messages of parting, report overdue debts, and apply the agreement."""
        if now >= self._next_repeat and self.voter.certificate is None:
            self._next_repeat = now + REPEAT
            self.voter.resend()
            self._advance_parting(now)
        debt = self._debts.take_unreported(self._position, now)
        if debt is not None:  # at every node, also at that of the player who owes it
            mine, seconds = debt.player == self.table.me.player, int(self._debts.patience)
            may = self.table.terms.rules.away != WAIT and not self.voter.is_bound
            nick = self._nick(debt.player)
            self._out.emit(events.Overdue(nick, debt.missing, seconds, mine, may))
        self._excuse_debtors(now)
        self._apply_agreement(now)

    def next_timeout(self) -> float:
        """Return when to repeat a message or to report an overdue debt."""
        if self.table.stopped is not None or self.table.replica.is_complete:
            return math.inf
        says = self.is_held or self.is_bound or self.voter.has_resent
        repeats = says and self.voter.certificate is None
        return min(self._debts.next_timeout(), self._next_repeat if repeats else math.inf)

    def on_table_advanced(self, now: float) -> None:
        """Advance after the table has taken a message: a proposal may be over, or the place of the
        parting may be reached."""
        self._excuse_debtors(now)
        self._advance_parting(now)

    def _excuse_debtors(self, now: float) -> None:
        """Wait for no player who has agreed to go on without one who is gone."""
        self._debts.overdue(self._position, now)
        keys = self.table.terms.keys
        self.table.waits.excuse(frozenset(keys[player] for player in self._debts.excused), now)

    def _advance_parting(self, now: float) -> None:
        self._debts.now, here = now, self._position
        self.voter.advance(here)
        if not (self.voter.record.is_empty or self.table.replica.is_playing_out):
            self.voter.answer(here, self._debts.is_present)
        for evidence in self.voter.contradictions:
            self.table.prove(evidence)
        self.voter.contradictions.clear()
        self._apply_agreement(now)

    def effects(self) -> list[Effect]:
        """Return the effects. They come before the table's, because a certificate is persisted
        before it takes effect."""
        self._out.pass_on(self.voter.effects())
        return self._out.effects()

    @property
    def _position(self) -> LogPosition:
        chain = self.table.chain
        signed = self.table.replica.signed_before(self.table.me.player)
        before = chain.last.entry.prev if chain.next_seq else chain.head
        return LogPosition(chain.next_seq, chain.head, before, signed, chain.settled_count)

    def _nick(self, player: int) -> str:
        return self.table.terms.players[player].nick

    def _emit_proposal(self, absent: int) -> None:
        """Emit the proposal to part from this player, if some are ready.

        If only bots on the absent player's side have not agreed yet, they are named: such bots wait
        longer than others (bot.py), but for the player's own, which agree at once if it has said
        that it leaves."""
        ready = self.voter.ready_without(absent)
        if not ready or self.voter.is_bound or self.table.replica.is_complete:
            return
        state, players = self.table.state, self.table.terms.players
        partners = () if state is None else state.partners_of(absent)
        missing = sorted(set(range(len(players))) - {absent, *ready})
        owners = [bot.owner if (bot := players[n].bot) else None for n in missing]
        late = set(missing) <= set(partners) and not {None, players[absent].key} & set(owners)
        nicks, bots = map(self._nick, ready), map(self._nick, missing if late else ())
        self._out.emit(
            events.PartingProposed(self._nick(absent), tuple(nicks), len(players) - 1, tuple(bots))
        )

    def _apply_agreement(self, now: float) -> None:
        """Apply the agreement, if there is one.

        Nothing is written from the agreed place on. Once that place is reached, the table ends or
        the hand is played out. If the proposal came to nothing, play resumes."""
        if self.table.replica.is_parted:
            return
        before, place = self.table.replica.blocked_from, self.voter.blocked_from
        self.table.replica.blocked_from = place
        if self.voter.certificate is not None:
            self.table.apply_certificate(self.voter.certificate, now)
        elif before is not None and place is None:
            self.table.resume_play(now)


def _parse(kind: FrameKind, payload: bytes) -> Entry | Receipt:
    """Parse an entry or a receipt; raises Refused."""
    return parse_entry(payload).entry if kind is FrameKind.ENTRY else parse_receipt(payload)


def _is_signed(signed: Entry | Receipt, key: bytes) -> bool:
    if isinstance(signed, Receipt):
        return receipt_is_signed_by(signed, key)
    return entry_is_signed_by(signed, key)
