"""One node's machine at one table, without I/O: messages and choices in, effects and events out.

Responsible for the order in which messages, choices and time work on the parts of a table:
entries.py and table/exchange/receipts.py, own_turns.py for what this player writes, table_waits.py
for the waits. The machine touches no socket, no clock and no disk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial

from p2p304.log import evidence as proof_of
from p2p304.log.chain import Chain
from p2p304.log.evidence import Evidence
from p2p304.log.faults import Refused, Unexplained
from p2p304.log.transcript import MAGIC, Read, transcript
from p2p304.rules.core.actions import Action, Claim
from p2p304.rules.core.cards import Card
from p2p304.rules.core.errors import NotNow
from p2p304.rules.core.phrases import say
from p2p304.rules.play.view import View, check_claim
from p2p304.rules.variants.absence import LeaverCause
from p2p304.table.absence.certificate import Certificate
from p2p304.table.agreement.terms import Terms
from p2p304.table.evidence.fault_handler import FaultHandler
from p2p304.table.evidence.left_draws import DrawWatch
from p2p304.table.exchange.error_boundary import handle_message
from p2p304.table.exchange.journal_records import PlaceRecord
from p2p304.table.exchange.journal_replay import replay_journal
from p2p304.table.exchange.lookahead import LookaheadBuffer
from p2p304.table.exchange.receipts import Receipts
from p2p304.table.exchange.sync import CatchUp, parse_have
from p2p304.table.gathering.exchange.begin_record import TRANSCRIPT
from p2p304.table.machine.entries import Entries
from p2p304.table.machine.log_memory import LogMemory
from p2p304.table.machine.own_turns import OwnTurns
from p2p304.table.machine.table_waits import TableWaits
from p2p304.table.player.kept_cards import CardsKeeper
from p2p304.table.player.keyring import Member
from p2p304.table.player.own_cards import own_view
from p2p304.table.player.pending_claim import THINKING, PendingClaim, Search
from p2p304.table.player.secrets_lifetime import SecretsLifetime
from p2p304.table.state import events
from p2p304.table.state.events import Event, PublicEvent
from p2p304.table.state.table import TableState
from p2p304.table.transition.replica import Replica
from p2p304.wire.bodies import Agreement, Body
from p2p304.wire.effects import Effect, Outbox, WithOutbox
from p2p304.wire.framing import FrameKind


class TableMachine(WithOutbox[Event]):
    """The table machine. Feed `receive`, `act`, `ready` and `handle_timer`; drain `effects` and
    `events`."""

    def __init__(
        self,
        terms: Terms,
        me: Member,
        now: float,
        patient: bool = False,
        calls: bool = False,
        read: Read | None = None,
    ) -> None:
        """Create the machine before the first entry.

        ``patient``: the next cards wait for `ready`, because a person wants to see the last hand,
        and for the person's `cut`; after a trick the person has time to think of Caps.
        ``calls``: the program calls Caps by itself. ``read``: reads what was persisted of this
        table's transcript; without it, the whole log stays in memory."""
        self.me, self.terms, self.replica = me, terms, Replica(terms)
        self._memory = LogMemory(self.chain, read)
        self._lookahead = LookaheadBuffer(terms.keys)
        self._out = Outbox[Event](tuple(key for key in terms.keys if key != me.key.public))
        self._draw = DrawWatch(self.replica, me.key.public, self._out)
        self._fault_handler = FaultHandler(self.replica, self._draw, self._out)
        self._catch_up = CatchUp(me.key.public, self.replica, self._lookahead, self._out)
        self._pending_claim = PendingClaim(me, self.replica, THINKING if patient else 0.0, calls)
        self.searched_elsewhere = False
        """Whether another part of the program runs what `search` asks for."""
        self.waits = TableWaits(self.replica, me, self._draw, self._out, now)
        parts = (me, self.replica, self._out, self._fault_handler, self._pending_claim)
        self.turns = OwnTurns(*parts, self.waits, patient)
        self._receipts = Receipts(*parts, self._lookahead, self.turns.report_signed_elsewhere)
        self._entries = Entries(*parts, self._lookahead, self.waits, self.turns, self._receipts)
        self._secrets = SecretsLifetime(me, self.replica, self._out)
        self._cards = CardsKeeper(me, self.replica, self._out)
        self._agreement: Agreement | None = None
        self._out.persist(TRANSCRIPT, MAGIC)

    # In

    def open(self, agreement: Agreement, now: float) -> None:
        """Write entry 0, as the first player, once all signatures are there; after a restart, once
        the others have said that they have no such entry."""
        if self.waits.recovery is not None:
            self._agreement = agreement
        else:
            self._write("agreement", agreement, now)

    def restore(
        self, past: Iterable[PlaceRecord], now: float, certificate: Certificate | None = None
    ) -> tuple[PublicEvent, ...]:
        """Take the entries of a journal through all checks again, and return what had happened.

        That is not emitted as new. If there is a ``certificate`` of a parting, the hand may have
        been played out since. Raises Refused if this table did not accept these entries."""
        self.waits.recover()
        for key in self.terms.keys:
            if key != self.me.key.public:
                self.waits.presence.on_link_down(key, now)  # until it is linked again
        part = partial(self._apply_certificate, certificate)
        self._memory.begin_restore(reads_all_again=certificate is not None)  # for a parting
        happened, hand = replay_journal(self.replica, past, part, self._memory.on_restored)
        self._out.effects()  # these effects took place before the restart
        written = self._memory.end_restore()
        if written is not None:
            self._out.persist(TRANSCRIPT, written)
        self.waits.since = now
        if not self.replica.is_parted:
            happened += part()
        self._secrets.check(hand)
        if self.state is not None and self.state.deal is not None and self.state.deal.dealt:
            self._out.emit(events.HandSeen(self.view))
        self._advance(now)
        return tuple(happened)

    def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None:
        """Take one message of a member. A refused message changes nothing (SPEC.md, "Checks")."""
        handlers: dict[FrameKind, Callable[[], None]] = {
            FrameKind.ENTRY: lambda: self._entries.receive(peer, payload, now),
            FrameKind.RECEIPT: lambda: self._on_receipt(peer, payload, now),
            FrameKind.SYNC: lambda: self._on_sync(peer, payload, now),
            FrameKind.EVIDENCE: lambda: self._fault_handler.prove(proof_of.parse_evidence(payload)),
        }
        handler = handlers.get(kind)
        is_late = self.replica.is_ended and kind not in (FrameKind.SYNC, FrameKind.EVIDENCE)
        if handler is None or is_late or self.stopped is not None:
            return
        try:
            handle_message(kind, payload, self._out, self.parts, handler)
        except Refused as refused:
            self._fault_handler.refuse(refused, peer)
            return
        self._advance(now)

    def act(self, action: Action, now: float) -> None:
        """Apply the player's choice or claim. Raises RuleBroken if the rules forbid it, and
        LookupError if it is not this player's turn to choose. A claim may be made out of turn: it
        goes out with this node's next receipt, or at once if it is this player's turn."""
        if isinstance(action, Claim):
            if self.state is None or self.state.hand is None:
                raise NotNow(say("No hand is being played."))
            check_claim(self.view, action)
            self._pending_claim.request(action)
            self.release(now)
            self.turns.asked_for = None
        else:
            body = self.turns.chosen(action)
            self._write(body.KIND, body, now)
        self._advance(now)

    def cut(self, at: int | None, now: float) -> None:
        """Cut the pack as `OwnTurns.cut` says; raises NotNow. The cut is written at once if the
        player has asked for the deal, and otherwise as soon as it does."""
        self.turns.cut(at)
        self._advance(now)

    def ready(self, now: float) -> None:
        """Deal the hand that has begun: the player has seen enough of the last one. Its signature
        under the cut says so."""
        if self.state is not None and self.stopped is None:
            self.turns.ready_for = self.state.number
            self.waits.presence.on_ready()
            self.release(now)
            self._advance(now)

    def apply_certificate(self, certificate: Certificate, now: float) -> None:
        """Apply the certificate of a parting: the table ends there, or the hand is played out."""
        if not self.replica.is_parted:
            self.release(now)
            self._out.emit(*self._apply_certificate(certificate))
            self._advance(now)

    def _apply_certificate(self, certificate: Certificate | None) -> tuple[PublicEvent, ...]:
        if certificate is None:
            return ()
        self._draw.note(self.terms.keys[certificate.place.absent], LeaverCause.PARTED)
        happened = self.replica.apply_certificate(certificate)
        if happened is None:
            return ()
        self._out.persist(TRANSCRIPT, transcript(self.chain, certificate.place.seq))
        self.turns.go_back(certificate.place.seq)
        return happened

    def resume_play(self, now: float) -> None:
        """Ask the player again, after a proposal to part that came to nothing."""
        self.turns.ask_again()
        self._advance(now)

    def give_up(self, now: float) -> None:
        """Record that this player leaves the table, whatever its state is."""
        self.turns.drop()
        if self.stopped is None:
            self.waits.give_up(now)

    def prove(self, evidence: Evidence) -> None:
        """Stop the table on own evidence; raises Refused if it proves nothing."""
        if self.stopped is None:
            self._fault_handler.prove(evidence)

    def link_up(self, peer: bytes, now: float) -> None:
        self.waits.presence.on_link_up(peer)
        self._draw.on_link_up(peer)
        self._catch_up.send_to(peer)
        self._fault_handler.send_proof_to(peer)

    def link_down(self, peer: bytes, now: float, said: bool = False) -> None:
        """Record a lost link, and whether the player had ``said`` that it leaves."""
        if peer in self.terms.keys:
            self._draw.on_link_down(peer, said)
            self.waits.presence.on_link_down(peer, now)

    def handle_timer(self, now: float) -> None:
        """Ask for what is missing, and report for which players the table waits."""
        if self.stopped is not None or self.replica.is_ended:
            return
        if not self.is_finished and self._catch_up.ask_if_due(now, self.waits.since):
            self._receipts.repeat()
        self.waits.handle_timer(now)
        if self.waits.give_up_recovery(now):
            self._advance(now)
        if now >= self._pending_claim.hold_until:
            self.release(now)
        if now >= self._pending_claim.search_at:
            self._pending_claim.search_at = math.inf
            if (search := self.search) is not None and not self.searched_elsewhere:
                self.take_search_result(search.place, search.order(), now)
        if self.turns.has_cut_time_passed(now):
            self.cut(0, now)
        action = self.turns.timeout_action(now)
        if action is not None:
            self._cards.clock_at = self.chain.next_seq
            self.act(action, now)

    def next_timeout(self) -> float | None:
        if self.stopped is not None or self.replica.is_ended or self.is_finished:
            return None
        claim, turns = self._pending_claim, self.turns
        others = min(self._catch_up.next_ask(self.waits.since), self.waits.next_timeout())
        own = min(turns.clock.until, turns.cut_clock.until, claim.hold_until, claim.search_at)
        return min(others, own, turns.hint_at)

    def refuse(self, refused: Refused, peer: bytes) -> None:
        self._fault_handler.refuse(refused, peer)

    @property
    def parts(self) -> tuple[object, ...]:
        """The objects that a message may change here, for the error boundary."""
        turns, waits = self.turns, self.waits
        log = (self, self.replica, self.chain, self._lookahead, self._receipts, self._catch_up)
        own = (turns, turns.clock, turns.cut_clock, turns.hint, self._pending_claim)
        recovery = () if waits.recovery is None else (waits.recovery,)
        return (*log, *own, waits, waits.presence, *recovery, self._draw, self._fault_handler)

    def pending_of(self, player: int) -> list[tuple[FrameKind, bytes]]:
        """Return what this player has signed and the log here does not hold: messages for places
        that are not reached, and receipts for another entry."""
        ahead = self._lookahead.written_by(self.terms.keys[player], self.terms.table)
        return [*ahead, *self._receipts.contradicting_of(player)]

    # Out

    def effects(self) -> list[Effect]:
        """Return what is to be done, in order. A Persist must be done before anything after it."""
        self._cards.update()
        self._secrets.update(self.stopped is not None)
        self.turns.drop_if_passed()
        self._memory.forget()
        return self._out.effects()

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
    def is_finished(self) -> bool:
        return self.replica.is_finished

    @property
    def has_everybody_finished(self) -> bool:
        """Whether no player needs this node any more."""
        others = set(self.replica.present) - {self.me.key.public}
        return self.is_finished and all(map(self.has_finished, others))

    def has_finished(self, peer: bytes) -> bool:
        """Whether a player has said that nothing of the finished table is missing there."""
        return peer in self._catch_up.finished_peers

    @property
    def seat(self) -> int:
        return self.replica.seat_of(self.me.player)

    @property
    def view(self) -> View:
        if self.state is None:
            raise LookupError("the table has not begun")
        return own_view(self.state, self.seat, self.me.secrets)

    # A call of Caps that may be due

    @property
    def search(self) -> Search | None:
        """What is to be searched for a call of Caps, or None; it may be searched elsewhere."""
        return self._pending_claim.search

    def take_search_result(self, place: int, order: tuple[Card, ...] | None, now: float) -> None:
        """Take the result of a search, unless play has gone on since the entry at ``place``."""
        if place != self._pending_claim.searching:
            return
        self._pending_claim.finish_search(order)
        if order is not None and self._pending_claim.reminds and not self._pending_claim.calls:
            self._out.emit(events.CapsDue(order))
        if self._pending_claim.calls:
            self.release(now)
            self._advance(now)

    # The log

    def _on_receipt(self, peer: bytes, payload: bytes, now: float) -> None:
        late, was_settled = self.waits.awaited, self.chain.is_settled
        self._receipts.receive(peer, payload)
        if self.chain.is_settled and not was_settled:  # otherwise a repeated receipt could reset it
            self.waits.record_progress(late, now)

    def _on_sync(self, peer: bytes, payload: bytes, now: float) -> None:
        have = parse_have(payload)
        if self.waits.recovery is not None:
            self.waits.recovery.on_have(peer, have)
        self._catch_up.receive(peer, have, now)

    def release(self, now: float) -> None:
        """Give the receipt that was held back while the player thought, if there is one."""
        late, was_settled = self.waits.awaited, self.chain.is_settled
        if self._receipts.release():
            if self.chain.is_settled and not was_settled:  # the others waited for this player
                self.waits.record_progress(late, now)
            self._advance(now)

    def _advance(self, now: float) -> None:
        """Take what had come early, do what a program does by itself, and ask the player."""
        if self.waits.recovery is not None and self.stopped is None and not self.waits.silent:
            # Every other player has said that it has no more: what is due may be signed.
            self.waits.end_recovery(now)
            if self._agreement is not None and not self.chain.next_seq:
                self._write("agreement", self._agreement, now)
            elif self.me.player in self.chain.missing() and self.state is not None:
                self._entries.give_receipt(self.chain.last, now)
        self.turns.ask_about_deal()
        while self.chain.is_settled and self.stopped is None:
            if self.replica.is_blocked(self.chain.next_seq):
                return
            self._cards.update()
            self._secrets.update(self.stopped is not None)
            before = self.chain.next_seq
            self._entries.take_lookahead(self.parts, now)
            if self.chain.next_seq == before:
                body = self.turns.next_body(now)
                if body is None:
                    return
                self._write(body.KIND, body, now)

    def _write(self, kind: str, body: Body, now: float) -> None:
        """Sign an own entry, and take it through the checks of all entries."""
        try:
            self._entries.accept(self.turns.sign(kind, body), now)
        except Unexplained as refused:
            # An earlier proof of another player is false: report it and wait.
            self._fault_handler.refuse(refused, self.me.key.public)
