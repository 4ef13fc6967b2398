"""One node at one table, without I/O: messages and choices in, effects and events out.

Owns the glue between the table's replica and this player's secrets: when to write and to receipt,
buffering, catching up with peers. It verifies by `Course` alone, for its own entries as for
everybody's, and never touches a socket, a clock or a disk.
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
from p2p304.table.node.presence import Away
from p2p304.table.node.turn_timer import TurnClock
from p2p304.table.player.entry_writer import EntryWriter
from p2p304.table.player.keyring import SECRETS, NotSecrets, Secrets, check_own_cards, own_view
from p2p304.table.player.pending_claim import PendingClaim, Search
from p2p304.table.proofs.statements import Binding
from p2p304.table.state import events
from p2p304.table.state.events import Event, PublicEvent
from p2p304.table.state.table import TableState
from p2p304.table.transition.parting import Certificate
from p2p304.table.transition.phases import Duty
from p2p304.table.transition.replica import Replica
from p2p304.wire.bodies import Agreement, Body, body_value
from p2p304.wire.effects import Effect
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox


@dataclass(frozen=True, slots=True)
class Member:
    """Who this node is at the table: its identity, its index among the players, its secrets."""

    key: SigningKey
    player: int
    secrets: Secrets


class TableMachine:
    """The table machine. Feed `receive`, `act`, `ready`, `tick`; drain `effects`, `events`."""

    def __init__(
        self,
        terms: Terms,
        me: Member,
        now: float,
        patient: bool = False,
        pause: float = 0.0,
        calls: bool = False,
    ) -> None:
        """``patient``: a new deal waits for `ready` (a person wants to see the last hand).
        ``pause``: seconds after a trick in which the player may still think of Caps;
        ``calls``: the program calls Caps by itself."""
        self.me = me
        self.terms = terms
        self.replica = Replica(terms)
        self._patient = patient
        self._ready_for = 1
        self._early = LookaheadBuffer(terms.keys)
        self._out = Outbox[Event](tuple(key for key in terms.keys if key != me.key.public))
        self._draw = DrawWatch(self.replica, me.key.public, self._out)
        self._blame = FaultHandler(self.replica, self._draw, self._out)
        self._catching = CatchUp(terms.keys, me.player)
        self._changed = now
        self._asked_for = -1
        self._wrote = -1
        self._signed_elsewhere = False
        """Whether the player has been told that the identity signs on another machine too."""
        timer = terms.rules.timer
        self._clock = TurnClock(timer if isinstance(timer, int) else None)
        self._pending_claim = PendingClaim(pause, calls, terms.rules.caps == "assist")
        self.searched_elsewhere = False
        """Whether somebody else runs what `search` asks for."""
        self._receipts = Receipts(
            me.key,
            me.player,
            self.replica,
            self._out,
            self._blame,
            self._pending_claim,
            self._early,
            self._tell_of_another_program,
        )
        self._away = Away()
        self._recovery: Recovery | None = None
        self._agreement: Agreement | None = None
        self._complete: set[bytes] = set()
        self._secrets_kept = None if me.secrets.is_erased else me.secrets.number
        """The hand whose seed is on disk; None once it is erased."""
        self._out.persist(TRANSCRIPT, MAGIC)

    # In

    def open(self, agreement: Agreement, now: float) -> None:
        """The first player writes entry 0 when everybody's assent is there; after a start, once
        the others have no such entry."""
        if self._recovery is not None:
            self._agreement = agreement
        else:
            self._write("agreement", agreement, now)

    def recover(self) -> None:
        """This node has been started again: it signs nothing until every other player has said
        that it has no more than is here."""
        self._recovery = Recovery(self.me.player)

    @property
    def awaited(self) -> tuple[bytes, ...]:
        """The players, by key, who must still say after a start that they have no more."""
        if self._recovery is None:
            return ()
        others = [key for key in self.replica.present if key != self.me.key.public]
        return self._recovery.awaited(others, self.chain)

    def _sign_again(self, now: float) -> None:
        """Every other player has said that it has no more: what is owed is signed now."""
        self._recovery, self._changed = None, now
        if self._agreement is not None and not self.chain.entries:
            self._write("agreement", self._agreement, now)
        elif self.me.player in self.chain.missing() and self.state is not None:
            self._give_receipt(self.chain.entries[-1], self.state, now)

    def restore(
        self, past: Iterable[PlaceRecord], now: float, certificate: Certificate | None = None
    ) -> tuple[PublicEvent, ...]:
        """Take the entries of a journal through all checks again; what had happened is returned
        and not told as new. With the ``certificate`` of a parting the hand may have been played
        out since. Raises Refused if they are not what this table accepted."""
        self.recover()
        for key in self.terms.keys:
            if key != self.me.key.public:
                self._away.gone(key, now)  # until it is linked again
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
        self._out.effects()  # all that was to be done then is done
        self._out.persist(TRANSCRIPT, transcript(self.chain, whole))
        self._changed = now
        if certificate is not None and not self.replica.is_parted:
            told += self._part(certificate)
        self._check_secrets(dealt_in)
        if self.state is not None and self.state.deal is not None and self.state.deal.dealt:
            self._out.emit(events.HandSeen(self.view))
        self._go_on(now)
        return tuple(told)

    def _check_secrets(self, dealt_in: int) -> None:
        """Raise NotSecrets where they have been erased too early, or are not
        those of the hand to which the last entry, ``dealt_in``, belongs, or which follows it."""
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
        return self._part(certificate)

    def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None:
        """Take one message of a member. What is refused changes nothing (SPEC.md, "Checks")."""
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
            self._blame.refuse(refused, peer)
            return
        self._go_on(now)

    def act(self, action: Action, now: float) -> None:
        """The player's choice or claim; raises RuleBroken if the rules forbid it, LookupError if
        it is not this player's turn to choose."""
        if isinstance(action, Claim):
            self._claim(action, now)
            return
        due = self.due
        if self.state is None or due is None or due.by_itself or not self._mine(due):
            raise LookupError("it is not this player's turn to choose")
        check(self.view, action)
        body = self._writer(due).chosen(action)
        self._write(body.KIND, body, now)
        self._go_on(now)

    def _claim(self, action: Claim, now: float) -> None:
        """A claim, out of turn too: it rides on this node's next receipt, or is made at once with
        the floor."""
        if self.state is None or self.state.hand is None:
            raise LookupError("no hand is being played")
        check_claim(self.view, action)
        self._pending_claim.request(action, self.state.number)
        self.release(now)
        self._asked_for = -1
        self._go_on(now)

    def ready(self, now: float) -> None:
        """The player has seen enough of the last hand: the one that has begun may be dealt."""
        if self.state is not None:
            self._ready_for = self.state.number
            self._go_on(now)

    def part(self, certificate: Certificate, now: float) -> None:
        """All but one have signed to do without that one after a place: once this node is there,
        the table ends, or the hand is played out."""
        if not self.replica.is_parted:
            self.release(now)
            self._out.emit(*self._part(certificate))
            self._go_on(now)

    def _part(self, certificate: Certificate) -> tuple[PublicEvent, ...]:
        self._draw.note(self.terms.keys[certificate.where.absent])
        told = self.replica.apply_certificate(certificate)
        if told is None:
            return ()
        self._out.persist(TRANSCRIPT, transcript(self.chain, certificate.where.seq))
        self._wrote, self._asked_for = certificate.where.seq - 1, -1
        self._clock.forget()
        return told

    def play_on(self, now: float) -> None:
        """No parting has come of what the players said: whoever has the floor is asked again."""
        self._asked_for = -1
        self._clock.forget()
        self._go_on(now)

    def give_up(self, now: float) -> None:
        """This player leaves the table, whatever state it is in."""
        if self.stopped is None:
            self._draw.give_up(self._late, self._changed, self._away.since, now)

    def prove(self, evidence: Evidence) -> None:
        """Evidence that this node has found; raises Refused where it proves nothing."""
        if self.stopped is None:
            self._blame.prove(evidence)

    def link_up(self, peer: bytes, now: float) -> None:
        self._away.back(peer)
        self._say_have(peer)
        self._blame.send_proof_to(peer)

    def link_down(self, peer: bytes, now: float) -> None:
        self._away.gone(peer, now)

    def handle_timer(self, now: float) -> None:
        """Ask for what is missing; say whom the table waits for."""
        if self.stopped is not None or self.replica.is_ended:
            return
        if self._catching.is_due(now, self._changed) and not self.finished:
            for peer in self.replica.terms.keys:
                if peer != self.me.key.public:
                    self._say_have(peer)
            self._receipts.repeat()
            self._catching.record_question(now, self._changed)
        self._draw.note_absent(self._late, self._changed, self._away.since, now)
        if self._away.says(now, self._changed):
            self._say_waiting(now)
        half = patience(self.terms.rules.timer) / 2
        recovery = self._recovery
        if recovery is not None and recovery.give_up_waiting(
            self.awaited, self.chain.next_seq, now, half
        ):
            self._go_on(now)
        if self._pending_claim.is_hold_over(now):
            self.release(now)
        if now >= self._pending_claim.search_at:
            self._pending_claim.search_at = math.inf
            if not self.searched_elsewhere:
                self._search_here(now)
        if self._clock.is_up(self.chain.next_seq, now):
            self._time_is_up(now)

    def next_timeout(self) -> float | None:
        if self.stopped is not None or self.replica.is_ended or self.finished:
            return None
        ask = self._catching.next_ask(self._changed)
        claim_due = min(self._pending_claim.hold_until, self._pending_claim.search_at)
        draw = self._draw.next_timeout(self._late, self._changed, self._away.since)
        return min(ask, self._away.next_word(self._changed), claim_due, self._clock.until, draw)

    def refuse(self, refused: Refused, peer: bytes) -> None:
        """A message of a member was refused elsewhere: it is told, and counted."""
        self._blame.refuse(refused, peer)

    @property
    def parts(self) -> tuple[object, ...]:
        """All that a message may change here, for the error boundary."""
        replica = self.replica
        return (
            self,
            replica,
            replica.chain,
            self._early,
            self._blame,
            self._catching,
            self._clock,
            self._pending_claim,
            self._receipts,
            self._away,
            self._draw,
            *filter(None, (self._recovery,)),
        )

    def kept_of(self, player: int) -> list[tuple[FrameKind, bytes]]:
        """What this player has signed and the log here does not hold: for places that are not
        reached, and receipts for another entry."""
        ahead = self._early.written_by(self.terms.keys[player], self.terms.table)
        return [*ahead, *self._receipts.contradicting_of(player)]

    # Out

    def effects(self) -> list[Effect]:
        """What is to be done, in order; a Persist before anything after it."""
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
        return self._blame.stopped

    @property
    def due(self) -> Duty | None:
        return self.replica.due

    @property
    def finished(self) -> bool:
        return self.replica.is_finished

    @property
    def everybody_finished(self) -> bool:
        """Every other player has said that nothing is missing: nobody needs this node more."""
        others = set(self.replica.present) - {self.me.key.public}
        return self.finished and others <= self._complete

    @property
    def signed(self) -> int:
        """This node has signed an entry or a receipt for every place before this one."""
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
    def _late(self) -> tuple[bytes, ...]:
        """For whom this node waits, by key: for a receipt, an entry, or a word after a start."""
        late = self.awaited or tuple(self.terms.keys[player] for player in self.lacking)
        return tuple(key for key in late if key != self.me.key.public)

    @property
    def draw_is_kept(self) -> bool:
        """Everybody has stayed until a hand that counts was played to its end."""
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
        """Nobody shall find later what a hand that is settled was dealt with. Whatever this seat
        said in it is in the journal already. Nothing of the next hand is written before.
        (Who was parted from has the end in no journal, and goes on without it after a stop.)"""
        secrets, without = self.me.secrets, self.chain.without
        parted = without is not None and without.absent != self.me.player
        if self.finished or (self.replica.is_ended and parted):
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
            self._early.keep_entry(peer, unverified, self.chain.next_seq)

    def _accept(self, unverified: Unverified, now: float) -> None:
        """Verify, then commit: the log, the state, the receipt, in that order."""
        signed = self.chain.authenticate(unverified)
        try:
            state, told = self.replica.judge(signed)
        except Refused as refused:
            if refused.finding.player is None and signed.entry.seq:
                raise
            self._blame.on_false_entry(signed, refused)
            return
        secrets = self.me.secrets
        false = share_complaint.false_box(signed, state, self.seat, secrets)
        if false is not None:
            self._out.send(FrameKind.ENTRY, signed.raw)
            self._blame.prove(false)
            return
        check_own_cards(state, state.seat_of(self.me.player), secrets)
        self._moved_on(self._late, now)
        self.replica.append(signed, state)
        self._look_for_another_program(signed)
        self._out.emit(*told)
        self._show_own_cards(told)
        self._pending_claim.update(state, self.seat, self.me.secrets)
        self._pending_claim.schedule_search(state, self.seat, signed.entry.seq, now)
        self._answer(signed, state, now)
        self._receipts.take_lookahead(signed.entry.seq)

    def _look_for_another_program(self, signed: Signed) -> None:
        """An own entry that this running node did not write comes from another machine."""
        if signed.entry.author == self.me.player and signed.entry.seq > self._wrote:
            self._tell_of_another_program()

    def _tell_of_another_program(self) -> None:
        """The same identity signs on another machine: the player is told once. What comes after a
        start may be this node's own, lost with its journal."""
        if self._recovery is None and not self._signed_elsewhere:
            self._signed_elsewhere = True
            self._out.emit(events.SignedElsewhere())

    def _answer(self, signed: Signed, state: TableState, now: float) -> None:
        """An own entry goes out; another's is receipted, if need be once the player has thought."""
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
        """What is to be searched for a call of Caps, or None. The search needs nothing else and
        may run elsewhere; `take_search_result` takes its outcome."""
        return self._pending_claim.search(self.state, self.seat, self.me.secrets)

    def take_search_result(self, place: int, order: tuple[Card, ...] | None, now: float) -> None:
        """A search after the entry at ``place`` is over. If play has gone on, it counts no more."""
        state = self.state
        if place != self._pending_claim.searching or state is None:
            return
        self._pending_claim.finish_search(order, self.seat, state.number)
        if order is not None and self._pending_claim.reminds and not self._pending_claim.calls:
            self._out.emit(events.CapsDue(order))
        if self._pending_claim.calls:
            self.release(now)
            self._go_on(now)

    def _search_here(self, now: float) -> None:
        """Nobody searches elsewhere for this machine: it does so itself."""
        wanted = self.search
        if wanted is not None:
            self.take_search_result(wanted.place, wanted.order(), now)

    def _show_own_cards(self, told: tuple[PublicEvent, ...]) -> None:
        """A batch is out: the player may look at the own cards."""
        if any(isinstance(event, events.Dealt) for event in told):
            self._out.emit(events.HandSeen(self.view))

    def _compare(self, unverified: Unverified) -> None:
        """An entry for a place already taken: the same one, or evidence of a fork. One by another
        author proves nothing by itself: that author may have been shown other claims (S04)."""
        entry = unverified.entry
        kept = self.chain.entries[entry.seq]
        if kept.raw == unverified.raw or entry.table != self.chain.table_at(entry.seq):
            return
        check_author_is_seated(entry.author < len(self.terms.keys))
        check_is_signed_by_author(entry_is_signed_by(entry, self.terms.keys[entry.author]))
        if entry.author == kept.entry.author:
            self._blame.prove(proof_of.of_fork(kept.raw, unverified.raw))

    def _on_receipt(self, peer: bytes, payload: bytes, now: float) -> None:
        late, was_settled = self._late, self.chain.is_settled
        self._receipts.receive(peer, payload)
        if self.chain.is_settled and not was_settled:  # else anybody could reset it by a repetition
            self._moved_on(late, now)

    def _moved_on(self, late: tuple[bytes, ...], now: float) -> None:
        """The table has waited for these players until now."""
        self._draw.record_wait(late, now - self._changed)
        self._changed = now

    def release(self, now: float) -> None:
        """Give the receipt that was held back while the player thought, if one was."""
        if self._receipts.release():
            self._go_on(now)

    # Whose turn

    def _go_on(self, now: float) -> None:
        """Take what had come early, do what a program does by itself, ask the player."""
        self._erase_secrets()
        if self._recovery is not None and self.stopped is None and not self.awaited:
            self._sign_again(now)
        while self._may_go_on:
            self._erase_secrets()
            early = self._early.entries_for(self.chain.next_seq)
            before = self.chain.next_seq
            for peer, unverified in early:
                self._try_early(peer, unverified, now)
            if self.chain.next_seq == before and not self._do_own_duty(now):
                return

    @property
    def _may_go_on(self) -> bool:
        past = self.replica.is_blocked(self.chain.next_seq)
        return self.chain.is_settled and self.stopped is None and not past

    def _try_early(self, peer: bytes, unverified: Unverified, now: float) -> None:
        """Take it, or compare it with the one that was taken before it."""
        try:
            handle_message(
                FrameKind.ENTRY,
                unverified.raw,
                self._out,
                self.parts,
                lambda: self._accept_or_compare(unverified, now),
            )
        except Refused as refused:
            self._blame.refuse(refused, peer)

    def _accept_or_compare(self, unverified: Unverified, now: float) -> None:
        if unverified.entry.seq < self.chain.next_seq:
            self._compare(unverified)
        elif self.stopped is None:
            self._accept(unverified, now)

    def _do_own_duty(self, now: float) -> bool:
        due = self.due
        if self.state is None or due is None or not self._mine(due):
            return False
        if due.kinds == ("shuffle",) and self._patient and self.state.number > self._ready_for:
            self._ask(events.NextHand(self.state.number))
            return False
        if self._pending_claim.must_wait:
            return False
        wish = self._pending_claim.take(self.state, self.seat, self.me.secrets, due.kinds)
        if wish is not None:
            body = self._writer(due).chosen(wish)
        elif not due.by_itself:
            self._ask(events.YourTurn(self.view))
            self._clock.start(self.chain.next_seq, now)
            return False
        else:
            body = self._writer(due).by_itself(due.kinds[0])
        self._write(body.KIND, body, now)
        return True

    def _time_is_up(self, now: float) -> None:
        """The player's own program passes, or plays any legal card."""
        due = self.due
        if due is None or not self._mine(due):
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

    def _mine(self, due: Duty) -> bool:
        """Whether this player is to write here, and has not: an own entry that was refused (D17)
        is not written again."""
        seq = self.chain.next_seq
        mine = due.player == self.me.player and self.chain.is_settled and self.stopped is None
        free = self._recovery is None and not self.replica.is_blocked(seq)
        return mine and seq > self._wrote and free

    def _writer(self, due: Duty) -> EntryWriter:
        if self.state is None:
            raise LookupError("the table has not begun")
        at = Binding(
            self.state.table, self.state.number, self.chain.next_seq, self.chain.head, due.seat
        )
        return EntryWriter(self.state, due.seat, self.me.secrets, at)

    def _write(self, kind: str, body: Body, now: float) -> None:
        """Sign an own entry, once for every place, and take it through everybody's checks."""
        seq = self.chain.next_seq
        if seq <= self._wrote:
            raise LookupError("an entry for this place was written already")
        self._wrote = seq
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
        except Unexplained as refused:  # somebody's earlier proof is false: tell, and wait
            self._blame.refuse(refused, self.me.key.public)

    # Catching up

    def _on_sync(self, peer: bytes, payload: bytes, now: float) -> None:
        """Give a peer what it lacks, in order; ask in turn where it has more."""
        have = parse_have(payload)
        if self._recovery is not None:
            self._recovery.on_have(peer, have)
        last = self.chain.next_seq - 1
        whole = last >= 0 and len(set(have.receipts)) == len(self.chain.witnesses(last))
        if self.replica.is_over and whole and have.next_seq == self.chain.next_seq:
            self._complete.add(peer)
        for kind, data in self._catching.answer(peer, have, self.chain, now):
            self._out.send_to(peer, kind, data)
        if have.next_seq > self.chain.next_seq and self._catching.take_question_back(peer, now):
            self._say_have(peer)

    def _say_have(self, peer: bytes) -> None:
        """Tell a peer what is here; before that, give it what is kept of its own for a place that
        is not reached. A peer that was started again may have lost it (SPEC.md, "Coming back")."""
        for kind, raw in self._early.written_by(peer, self.chain.table_at(self.chain.next_seq)):
            self._out.send_to(peer, kind, raw)
        self._out.send_to(peer, FrameKind.SYNC, sync_bytes(self.chain))

    def _on_evidence(self, peer: bytes, payload: bytes, now: float) -> None:
        self._blame.prove(proof_of.parse_evidence(payload))

    def _say_waiting(self, now: float) -> None:
        """Whose receipt, entry or word after a start is missing, but for this player's, and who is
        not connected."""
        players = [p for p in self.terms.players if p.key in self._late]
        gone = tuple(p.nick for p in players if self._away.is_gone(p.key))
        nicks = tuple(p.nick for p in players)
        self._away.said(now)
        if nicks:
            seconds = int(now - self._changed)
            self._out.emit(events.Waiting(nicks, self._changed, seconds, gone))
