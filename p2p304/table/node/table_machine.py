"""One node's machine at one table, without I/O: messages and choices in, effects and events out.

Responsible for joining the table's replica with this player's secrets: when to write an entry and
when to give a receipt, keeping early messages, and synchronizing with peers. Verifying is
replica.py's, for this node's own entries as for all others. The machine touches no socket, no clock
and no disk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from p2p304.crypto.signing import SigningKey
from p2p304.log import evidence as proof_of
from p2p304.log.chain import Chain, check_author_is_seated, check_is_signed_by_author
from p2p304.log.entry import (
    Signed,
    Unverified,
    entry_is_signed_by,
    parse_entry,
    parse_receipt,
    sign_entry,
)
from p2p304.log.evidence import Evidence
from p2p304.log.faults import Refused, Unexplained
from p2p304.log.transcript import MAGIC, transcript
from p2p304.rules.core.actions import Action, Claim, Pass
from p2p304.rules.core.cards import Card
from p2p304.rules.play.view import View, check, check_claim, legal
from p2p304.rules.variants.absence import patience
from p2p304.table.agreement.terms import Terms
from p2p304.table.evidence import share_complaint
from p2p304.table.evidence.fault_handler import FaultHandler
from p2p304.table.evidence.left_draws import DrawWatch
from p2p304.table.exchange.error_boundary import handle_message
from p2p304.table.exchange.journal_records import PlaceRecord
from p2p304.table.exchange.lookahead import LookaheadBuffer
from p2p304.table.exchange.receipts import Receipts
from p2p304.table.exchange.recovery import Recovery
from p2p304.table.exchange.sync import CatchUp, parse_have, sync_bytes
from p2p304.table.gathering.begin_record import TRANSCRIPT
from p2p304.table.node.presence import Presence
from p2p304.table.node.turn_timer import TurnClock
from p2p304.table.player.entry_writer import EntryWriter
from p2p304.table.player.keyring import SECRETS, NotSecrets, Secrets, check_own_cards, own_view
from p2p304.table.player.pending_claim import PendingClaim, Search
from p2p304.table.proofs.statements import Binding
from p2p304.table.state import events
from p2p304.table.state.events import Event, PublicEvent
from p2p304.table.state.table import TableState
from p2p304.table.transition.certificate import Certificate
from p2p304.table.transition.phases import Duty
from p2p304.table.transition.replica import Replica
from p2p304.wire.bodies import Agreement, Body, body_value
from p2p304.wire.effects import Effect
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox


@dataclass(frozen=True, slots=True)
class Member:
    """A node's identity at the table: its key, its number among the players, and its secrets."""

    key: SigningKey
    player: int
    secrets: Secrets


class TableMachine:
    """The table machine. Feed `receive`, `act`, `ready` and `handle_timer`; drain `effects` and
    `events`."""

    def __init__(
        self,
        terms: Terms,
        me: Member,
        now: float,
        patient: bool = False,
        pause: float = 0.0,
        calls: bool = False,
    ) -> None:
        """Create the machine before the first entry.

        ``patient``: a new deal waits for `ready`, because a person wants to see the last hand.
        ``pause``: seconds after a trick in which the player may think of Caps. ``calls``: the
        program calls Caps by itself."""
        self.me = me
        self.terms = terms
        self.replica = Replica(terms)
        self._patient = patient
        self._ready_for = 1
        self._lookahead = LookaheadBuffer(terms.keys)
        self._out = Outbox[Event](tuple(key for key in terms.keys if key != me.key.public))
        self._draw = DrawWatch(self.replica, me.key.public, self._out)
        self._fault_handler = FaultHandler(self.replica, self._draw, self._out)
        self._catch_up = CatchUp(terms.keys, me.player)
        self._last_progress = now
        self._asked_for = -1
        self._last_written = -1
        self._signed_elsewhere = False
        """Whether the player has been told that the same identity signs on another machine."""
        timer = terms.rules.timer
        self._turn_clock = TurnClock(timer if isinstance(timer, int) else None)
        self._pending_claim = PendingClaim(pause, calls, terms.rules.caps == "assist")
        self.searched_elsewhere = False
        """Whether another part of the program runs what `search` asks for."""
        self._receipts = Receipts(
            me.key,
            me.player,
            self.replica,
            self._out,
            self._fault_handler,
            self._pending_claim,
            self._lookahead,
            self._report_signed_elsewhere,
        )
        self._presence = Presence()
        self._recovery: Recovery | None = None
        self._agreement: Agreement | None = None
        self._finished_peers: set[bytes] = set()
        self._secrets_kept = None if me.secrets.is_erased else me.secrets.number
        """The hand whose seed is on disk; None once it is erased."""
        self._out.persist(TRANSCRIPT, MAGIC)

    # In

    def open(self, agreement: Agreement, now: float) -> None:
        """Write entry 0, as the first player, once all signatures are there; after a restart, once
        the others have said that they have no such entry."""
        if self._recovery is not None:
            self._agreement = agreement
        else:
            self._write("agreement", agreement, now)

    def recover(self) -> None:
        """Start recovery after a restart: this node signs nothing until every other player has said
        that it has no more than this node."""
        self._recovery = Recovery(self.me.player)

    @property
    def awaited(self) -> tuple[bytes, ...]:
        """The players, by key, that must still say after a restart that they have no more."""
        if self._recovery is None:
            return ()
        others = [key for key in self.replica.present if key != self.me.key.public]
        return self._recovery.awaited(others, self.chain)

    def _sign_again(self, now: float) -> None:
        """Sign what is owed, once every other player has said that it has no more."""
        self._recovery, self._last_progress = None, now
        if self._agreement is not None and not self.chain.entries:
            self._write("agreement", self._agreement, now)
        elif self.me.player in self.chain.missing() and self.state is not None:
            self._give_receipt(self.chain.entries[-1], self.state, now)

    def restore(
        self, past: Iterable[PlaceRecord], now: float, certificate: Certificate | None = None
    ) -> tuple[PublicEvent, ...]:
        """Take the entries of a journal through all checks again, and return what had happened.

        That is not emitted as new. If there is a ``certificate`` of a parting, the hand may have
        been played out since. Raises Refused if this table did not accept these entries."""
        self.recover()
        for key in self.terms.keys:
            if key != self.me.key.public:
                self._presence.on_link_down(key, now)  # until it is linked again
        told: list[PublicEvent] = []
        dealt_in = 0
        for place in past:
            told += self._parted_before(place, certificate)
            for receipt in place.before:
                self.chain.authenticate_receipt(receipt)
                self.chain.add_receipt(receipt)
            self.replica.settle()
            dealt_in = 0 if self.state is None else self.state.number
            signed = self.chain.authenticate(parse_entry(place.entry))
            state, more = self.replica.judge(signed)
            self.replica.append(signed, state)
            told.extend(more)
            if place.receipt is not None:
                self.chain.add_receipt(parse_receipt(place.receipt))
        self.replica.settle()
        whole = self.chain.next_seq - (0 if self.chain.is_settled else 1)
        self._out.effects()  # these effects took place before the restart
        self._out.persist(TRANSCRIPT, transcript(self.chain, whole))
        self._last_progress = now
        if certificate is not None and not self.replica.is_parted:
            told += self._apply_certificate(certificate)
        self._check_secrets(dealt_in)
        if self.state is not None and self.state.deal is not None and self.state.deal.dealt:
            self._out.emit(events.HandSeen(self.view))
        self._advance(now)
        return tuple(told)

    def _check_secrets(self, dealt_in: int) -> None:
        """Raise NotSecrets if the secrets were erased too early, or if they belong neither to the
        hand of the last entry (``dealt_in``) nor to the next one."""
        secrets, state = self.me.secrets, self.state
        if secrets.is_erased and not self.replica.is_over:
            raise NotSecrets("the secrets that it needs are gone")
        following = 0 if state is None else state.number
        if not secrets.is_erased and not dealt_in <= secrets.number <= following:
            raise NotSecrets("its secrets are those of another hand")

    def _parted_before(
        self, place: PlaceRecord, certificate: Certificate | None
    ) -> tuple[PublicEvent, ...]:
        entry = parse_entry(place.entry).entry
        if certificate is None or entry.table == self.chain.table or self.replica.is_parted:
            return ()
        return self._apply_certificate(certificate)

    def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None:
        """Take one message of a member. A refused message changes nothing (SPEC.md, "Checks")."""
        handlers: dict[FrameKind, Callable[[bytes, bytes, float], None]] = {
            FrameKind.ENTRY: self._on_entry,
            FrameKind.RECEIPT: self._on_receipt,
            FrameKind.SYNC: self._on_sync,
            FrameKind.EVIDENCE: self._on_evidence,
        }
        handler = handlers.get(kind)
        if handler is None or self.stopped is not None:
            return
        if self.replica.is_ended and kind not in (FrameKind.SYNC, FrameKind.EVIDENCE):
            return
        try:
            handle_message(
                kind, payload, self._out, self.parts, lambda: handler(peer, payload, now)
            )
        except Refused as refused:
            self._fault_handler.refuse(refused, peer)
            return
        self._advance(now)

    def act(self, action: Action, now: float) -> None:
        """Apply the player's choice or claim. Raises RuleBroken if the rules forbid it, and
        LookupError if it is not this player's turn to choose."""
        if isinstance(action, Claim):
            self._claim(action, now)
            return
        due = self.due
        if self.state is None or due is None or due.by_itself or not self._must_write(due):
            raise LookupError("it is not this player's turn to choose")
        check(self.view, action)
        body = self._writer(due).chosen(action)
        self._write(body.KIND, body, now)
        self._advance(now)

    def _claim(self, action: Claim, now: float) -> None:
        """Make a claim, also out of turn. It goes out with this node's next receipt, or at once if
        it is this player's turn."""
        if self.state is None or self.state.hand is None:
            raise LookupError("no hand is being played")
        check_claim(self.view, action)
        self._pending_claim.request(action, self.state.number)
        self.release(now)
        self._asked_for = -1
        self._advance(now)

    def ready(self, now: float) -> None:
        """Deal the hand that has begun: the player has seen enough of the last one."""
        if self.state is not None:
            self._ready_for = self.state.number
            self._advance(now)

    def apply_certificate(self, certificate: Certificate, now: float) -> None:
        """Apply the certificate with which all but one have parted. Once this node reaches its
        place, the table ends or the hand is played out."""
        if not self.replica.is_parted:
            self.release(now)
            self._out.emit(*self._apply_certificate(certificate))
            self._advance(now)

    def _apply_certificate(self, certificate: Certificate) -> tuple[PublicEvent, ...]:
        self._draw.note(self.terms.keys[certificate.where.absent])
        told = self.replica.apply_certificate(certificate)
        if told is None:
            return ()
        self._out.persist(TRANSCRIPT, transcript(self.chain, certificate.where.seq))
        self._last_written, self._asked_for = certificate.where.seq - 1, -1
        self._turn_clock.reset()
        return told

    def resume_play(self, now: float) -> None:
        """Resume play after a proposal to part that came to nothing. The player whose turn it is is
        asked again."""
        self._asked_for = -1
        self._turn_clock.reset()
        self._advance(now)

    def give_up(self, now: float) -> None:
        """Record that this player leaves the table, whatever its state is."""
        if self.stopped is None:
            self._draw.give_up(self._awaited_keys, self._last_progress, self._presence.since, now)

    def prove(self, evidence: Evidence) -> None:
        """Stop the table on evidence that this node has found; raises Refused if it proves
        nothing."""
        if self.stopped is None:
            self._fault_handler.prove(evidence)

    def link_up(self, peer: bytes, now: float) -> None:
        self._presence.on_link_up(peer)
        self._send_sync(peer)
        self._fault_handler.send_proof_to(peer)

    def link_down(self, peer: bytes, now: float) -> None:
        self._presence.on_link_down(peer, now)

    def handle_timer(self, now: float) -> None:
        """Ask for what is missing, and report for which players the table waits."""
        if self.stopped is not None or self.replica.is_ended:
            return
        if self._catch_up.is_due(now, self._last_progress) and not self.is_finished:
            for peer in self.replica.terms.keys:
                if peer != self.me.key.public:
                    self._send_sync(peer)
            self._receipts.repeat()
            self._catch_up.record_question(now, self._last_progress)
        self._draw.note_absent(self._awaited_keys, self._last_progress, self._presence.since, now)
        if self._presence.is_due(now, self._last_progress):
            self._emit_waiting(now)
        half = patience(self.terms.rules.timer) / 2
        recovery = self._recovery
        if recovery is not None and recovery.give_up_waiting(
            self.awaited, self.chain.next_seq, now, half
        ):
            self._advance(now)
        if self._pending_claim.is_hold_over(now):
            self.release(now)
        if now >= self._pending_claim.search_at:
            self._pending_claim.search_at = math.inf
            if not self.searched_elsewhere:
                self._search_here(now)
        if self._turn_clock.take_timeout(self.chain.next_seq, now):
            self._act_on_timeout(now)

    def next_timeout(self) -> float | None:
        if self.stopped is not None or self.replica.is_ended or self.is_finished:
            return None
        ask = self._catch_up.next_ask(self._last_progress)
        claim_due = min(self._pending_claim.hold_until, self._pending_claim.search_at)
        draw = self._draw.next_timeout(
            self._awaited_keys, self._last_progress, self._presence.since
        )
        return min(
            ask,
            self._presence.next_notice(self._last_progress),
            claim_due,
            self._turn_clock.until,
            draw,
        )

    def refuse(self, refused: Refused, peer: bytes) -> None:
        """Report and count a message of a member that was refused elsewhere."""
        self._fault_handler.refuse(refused, peer)

    @property
    def parts(self) -> tuple[object, ...]:
        """The objects that a message may change here, for the error boundary."""
        replica = self.replica
        return (
            self,
            replica,
            replica.chain,
            self._lookahead,
            self._fault_handler,
            self._catch_up,
            self._turn_clock,
            self._pending_claim,
            self._receipts,
            self._presence,
            self._draw,
            *filter(None, (self._recovery,)),
        )

    def pending_of(self, player: int) -> list[tuple[FrameKind, bytes]]:
        """Return what this player has signed and the log here does not hold: messages for places
        that are not reached, and receipts for another entry."""
        ahead = self._lookahead.written_by(self.terms.keys[player], self.terms.table)
        return [*ahead, *self._receipts.contradicting_of(player)]

    # Out

    def effects(self) -> list[Effect]:
        """Return what is to be done, in order. A Persist must be done before anything after it."""
        self._erase_secrets()
        return self._out.effects()

    def events(self) -> list[Event]:
        return self._out.events()

    @property
    def chain(self) -> Chain:
        return self.replica.chain

    @property
    def state(self) -> TableState | None:
        return self.replica.state

    @property
    def stopped(self) -> Refused | None:
        return self._fault_handler.stopped

    @property
    def due(self) -> Duty | None:
        return self.replica.due

    @property
    def is_finished(self) -> bool:
        return self.replica.is_finished

    @property
    def has_everybody_finished(self) -> bool:
        """Whether every other player has said that nothing is missing, so that no player needs this
        node any more."""
        others = set(self.replica.present) - {self.me.key.public}
        return self.is_finished and others <= self._finished_peers

    @property
    def signed(self) -> int:
        """The place up to which this node has signed an entry or a receipt for every place."""
        last = self.chain.next_seq - 1
        if last < 0:
            return 0
        own = self.chain.entries[last].entry.author == self.me.player
        given = self.chain.receipt_of(last, self.me.player) is not None
        return last + 1 if own or given else last

    @property
    def lacking(self) -> tuple[int, ...]:
        """The players whose receipt or entry all others wait for."""
        missing, due = self.chain.missing(), self.due
        return missing or (() if due is None else (due.player,))

    @property
    def _awaited_keys(self) -> tuple[bytes, ...]:
        """The players, by key, for which this node waits: for a receipt, an entry, or an answer
        after a restart."""
        late = self.awaited or tuple(self.terms.keys[player] for player in self.lacking)
        return tuple(key for key in late if key != self.me.key.public)

    @property
    def has_kept_draw(self) -> bool:
        """Whether all players have stayed until a hand that counts was played to its end."""
        played = self.state is not None and self.state.hands_played > 0
        return played and not self.replica.is_parted

    @property
    def seat(self) -> int:
        return -1 if self.state is None else self.state.seat_of(self.me.player)

    @property
    def view(self) -> View:
        if self.state is None:
            raise LookupError("the table has not begun")
        return own_view(self.state, self.seat, self.me.secrets)

    def _erase_secrets(self) -> None:
        """Erase the secrets of a hand that is settled, so that nobody can find later how it was
        dealt.

        What this seat said in the hand is in the journal already, and nothing of the next hand is
        written before. An absent player has no ending in its journal and continues without it after
        a restart, so its secrets stay."""
        secrets, without = self.me.secrets, self.chain.without
        parted = without is not None and without.absent != self.me.player
        if self.is_finished or (self.replica.is_ended and parted):
            secrets.erase()
        elif self.state is not None and self.chain.is_settled:
            secrets.renew(self.state.number)
        left = None if secrets.is_erased or self.stopped is not None else secrets.number
        if left != self._secrets_kept:
            self._secrets_kept = left
            self._out.persist(SECRETS, b"" if left is None else secrets.record())

    # Entries

    def _on_entry(self, peer: bytes, payload: bytes, now: float) -> None:
        unverified = parse_entry(payload)
        place = unverified.entry.seq
        if self.replica.is_blocked(place):
            return
        if place < self.chain.next_seq:
            self._compare(unverified)
        elif place == self.chain.next_seq and self.chain.is_settled:
            self._accept(unverified, now)
        else:
            self._lookahead.keep_entry(peer, unverified, self.chain.next_seq)

    def _accept(self, unverified: Unverified, now: float) -> None:
        """Verify an entry, then commit it: the log, the state, the receipt, in this order."""
        signed = self.chain.authenticate(unverified)
        try:
            state, told = self.replica.judge(signed)
        except Refused as refused:
            if refused.finding.player is None and signed.entry.seq:
                raise
            self._fault_handler.on_false_entry(signed, refused)
            return
        secrets = self.me.secrets
        false = share_complaint.false_box(signed, state, self.seat, secrets)
        if false is not None:
            self._out.send(FrameKind.ENTRY, signed.raw)
            self._fault_handler.prove(false)
            return
        check_own_cards(state, state.seat_of(self.me.player), secrets)
        self._record_progress(self._awaited_keys, now)
        self.replica.append(signed, state)
        self._detect_other_program(signed)
        self._out.emit(*told)
        self._show_own_cards(told)
        self._pending_claim.update(state, self.seat, self.me.secrets)
        self._pending_claim.schedule_search(state, self.seat, signed.entry.seq, now)
        self._send_or_receipt(signed, state, now)
        self._receipts.take_lookahead(signed.entry.seq)

    def _detect_other_program(self, signed: Signed) -> None:
        """Report an own entry that this running node did not write: it comes from another
        machine."""
        if signed.entry.author == self.me.player and signed.entry.seq > self._last_written:
            self._report_signed_elsewhere()

    def _report_signed_elsewhere(self) -> None:
        """Report once that the same identity signs on another machine. After a restart the entry
        may be this node's own, lost with its journal, so nothing is reported then."""
        if self._recovery is None and not self._signed_elsewhere:
            self._signed_elsewhere = True
            self._out.emit(events.SignedElsewhere())

    def _send_or_receipt(self, signed: Signed, state: TableState, now: float) -> None:
        """Send an own entry, or give a receipt for another player's entry, if need be once the
        player has thought."""
        if signed.entry.author == self.me.player:
            self._receipts.write_down(signed, None)
            self._out.send(FrameKind.ENTRY, signed.raw)
        elif self._recovery is not None:
            self._receipts.write_down(signed, None)
        else:
            self._give_receipt(signed, state, now)

    def _give_receipt(self, signed: Signed, state: TableState, now: float) -> None:
        owed = self._receipts.is_owed(signed)
        if owed and not self._pending_claim.hold_receipt(signed, state, self.seat, now):
            self._receipts.give(signed)

    # A call of Caps that may be due

    @property
    def search(self) -> Search | None:
        """What is to be searched for a call of Caps, or None. The search needs nothing else and may
        run elsewhere; `take_search_result` takes its result."""
        return self._pending_claim.search(self.state, self.seat, self.me.secrets)

    def take_search_result(self, place: int, order: tuple[Card, ...] | None, now: float) -> None:
        """Take the result of a search after the entry at ``place``. If play has gone on, the result
        is dropped."""
        state = self.state
        if place != self._pending_claim.searching or state is None:
            return
        self._pending_claim.finish_search(order, self.seat, state.number)
        if order is not None and self._pending_claim.reminds and not self._pending_claim.calls:
            self._out.emit(events.CapsDue(order))
        if self._pending_claim.calls:
            self.release(now)
            self._advance(now)

    def _search_here(self, now: float) -> None:
        """Run the search here, if no other part of the program does."""
        wanted = self.search
        if wanted is not None:
            self.take_search_result(wanted.place, wanted.order(), now)

    def _show_own_cards(self, told: tuple[PublicEvent, ...]) -> None:
        """Emit the player's own cards once a batch has been dealt."""
        if any(isinstance(event, events.Dealt) for event in told):
            self._out.emit(events.HandSeen(self.view))

    def _compare(self, unverified: Unverified) -> None:
        """Compare an entry with the one already at its place: it is the same, or evidence of a
        fork.

        An entry by another author proves nothing by itself, because that author may have been shown
        other claims (S04)."""
        entry = unverified.entry
        kept = self.chain.entries[entry.seq]
        if kept.raw == unverified.raw or entry.table != self.chain.table_at(entry.seq):
            return
        check_author_is_seated(entry.author < len(self.terms.keys))
        check_is_signed_by_author(entry_is_signed_by(entry, self.terms.keys[entry.author]))
        if entry.author == kept.entry.author:
            self._fault_handler.prove(proof_of.of_fork(kept.raw, unverified.raw))

    def _on_receipt(self, peer: bytes, payload: bytes, now: float) -> None:
        late, was_settled = self._awaited_keys, self.chain.is_settled
        self._receipts.receive(peer, payload)
        if self.chain.is_settled and not was_settled:  # otherwise a repeated receipt could reset it
            self._record_progress(late, now)

    def _record_progress(self, late: tuple[bytes, ...], now: float) -> None:
        """Record that the table has waited for these players until now."""
        self._draw.record_wait(late, now - self._last_progress)
        self._last_progress = now

    def release(self, now: float) -> None:
        """Give the receipt that was held back while the player thought, if there is one."""
        if self._receipts.release():
            self._advance(now)

    # Turns

    def _advance(self, now: float) -> None:
        """Take what had come early, do what a program does by itself, and ask the player."""
        self._erase_secrets()
        if self._recovery is not None and self.stopped is None and not self.awaited:
            self._sign_again(now)
        while self._may_advance:
            self._erase_secrets()
            early = self._lookahead.entries_for(self.chain.next_seq)
            before = self.chain.next_seq
            for peer, unverified in early:
                self._take_ahead(peer, unverified, now)
            if self.chain.next_seq == before and not self._do_own_duty(now):
                return

    @property
    def _may_advance(self) -> bool:
        past = self.replica.is_blocked(self.chain.next_seq)
        return self.chain.is_settled and self.stopped is None and not past

    def _take_ahead(self, peer: bytes, unverified: Unverified, now: float) -> None:
        """Take an entry that came early, or compare it with the one that was taken before it."""
        try:
            handle_message(
                FrameKind.ENTRY,
                unverified.raw,
                self._out,
                self.parts,
                lambda: self._accept_or_compare(unverified, now),
            )
        except Refused as refused:
            self._fault_handler.refuse(refused, peer)

    def _accept_or_compare(self, unverified: Unverified, now: float) -> None:
        if unverified.entry.seq < self.chain.next_seq:
            self._compare(unverified)
        elif self.stopped is None:
            self._accept(unverified, now)

    def _do_own_duty(self, now: float) -> bool:
        due = self.due
        if self.state is None or due is None or not self._must_write(due):
            return False
        if due.kinds == ("shuffle",) and self._patient and self.state.number > self._ready_for:
            self._ask(events.NextHand(self.state.number))
            return False
        if self._pending_claim.must_wait:
            return False
        claim = self._pending_claim.take(self.state, self.seat, self.me.secrets, due.kinds)
        if claim is not None:
            body = self._writer(due).chosen(claim)
        elif not due.by_itself:
            self._ask(events.YourTurn(self.view))
            self._turn_clock.start(self.chain.next_seq, now)
            return False
        else:
            body = self._writer(due).by_itself(due.kinds[0])
        self._write(body.KIND, body, now)
        return True

    def _act_on_timeout(self, now: float) -> None:
        """Pass for the player, or play any legal card."""
        due = self.due
        if due is None or not self._must_write(due):
            return
        choices = legal(self.view)
        passes = [action for action in choices if isinstance(action, Pass)]
        number = 0 if self.state is None else self.state.number
        place = self.chain.next_seq.to_bytes(8, "big")
        chance = self.me.secrets.hand(number).child(b"timeout", place)
        self.act(passes[0] if passes else choices[chance.below(len(choices))], now)

    def _ask(self, event: Event) -> None:
        if self._asked_for != self.chain.next_seq:
            self._asked_for = self.chain.next_seq
            self._out.emit(event)

    def _must_write(self, due: Duty) -> bool:
        """Whether this player must write here and has not yet. An own entry that was refused (D17)
        is not written again."""
        seq = self.chain.next_seq
        mine = due.player == self.me.player and self.chain.is_settled and self.stopped is None
        free = self._recovery is None and not self.replica.is_blocked(seq)
        return mine and seq > self._last_written and free

    def _writer(self, due: Duty) -> EntryWriter:
        if self.state is None:
            raise LookupError("the table has not begun")
        at = Binding(
            self.state.table, self.state.number, self.chain.next_seq, self.chain.head, due.seat
        )
        return EntryWriter(self.state, due.seat, self.me.secrets, at)

    def _write(self, kind: str, body: Body, now: float) -> None:
        """Sign an own entry, once for every place, and take it through the checks of all
        entries."""
        seq = self.chain.next_seq
        if seq <= self._last_written:
            raise LookupError("an entry for this place was written already")
        self._last_written = seq
        unverified = sign_entry(
            self.me.key,
            self.chain.table_at(seq),
            seq,
            self.chain.head,
            self.me.player,
            kind,
            body_value(body),
        )
        try:
            self._accept(unverified, now)
        except (
            Unexplained
        ) as refused:  # an earlier proof of another player is false: report it and wait
            self._fault_handler.refuse(refused, self.me.key.public)

    # Synchronizing

    def _on_sync(self, peer: bytes, payload: bytes, now: float) -> None:
        """Send a peer what it lacks, in order, and ask in turn if it has more."""
        have = parse_have(payload)
        if self._recovery is not None:
            self._recovery.on_have(peer, have)
        last = self.chain.next_seq - 1
        whole = last >= 0 and len(set(have.receipts)) == len(self.chain.witnesses(last))
        if self.replica.is_over and whole and have.next_seq == self.chain.next_seq:
            self._finished_peers.add(peer)
        for kind, data in self._catch_up.answer(peer, have, self.chain, now):
            self._out.send_to(peer, kind, data)
        if have.next_seq > self.chain.next_seq and self._catch_up.take_question_back(peer, now):
            self._send_sync(peer)

    def _send_sync(self, peer: bytes) -> None:
        """Tell a peer what is here.

        First give it its own messages for a place that is not reached: a peer that was restarted
        may have lost them (SPEC.md, "Coming back")."""
        for kind, raw in self._lookahead.written_by(peer, self.chain.table_at(self.chain.next_seq)):
            self._out.send_to(peer, kind, raw)
        self._out.send_to(peer, FrameKind.SYNC, sync_bytes(self.chain))

    def _on_evidence(self, peer: bytes, payload: bytes, now: float) -> None:
        self._fault_handler.prove(proof_of.parse_evidence(payload))

    def _emit_waiting(self, now: float) -> None:
        """Emit the other players whose receipt, entry or answer is missing, and which of them are
        not connected."""
        players = [p for p in self.terms.players if p.key in self._awaited_keys]
        gone = tuple(p.nick for p in players if self._presence.is_gone(p.key))
        nicks = tuple(p.nick for p in players)
        self._presence.record_notice(now)
        if nicks:
            seconds = int(now - self._last_progress)
            self._out.emit(events.Waiting(nicks, self._last_progress, seconds, gone))
