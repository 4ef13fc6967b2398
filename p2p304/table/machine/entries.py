"""Entries at a running table: verified, committed, and answered with a receipt.

Responsible for the way of an entry, this node's own included, also if it comes early or twice. The
checks are replica.py's, for all entries alike; receipts are table/exchange/receipts.py's, and what
this player writes is own_turns.py's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from p2p304.log import evidence as proof_of
from p2p304.log.chain import check_author_is_seated, check_is_signed_by_author
from p2p304.log.entry import Signed, Unverified, entry_is_signed_by, parse_entry
from p2p304.log.faults import Refused
from p2p304.rules.core.actions import Announce
from p2p304.table.evidence import share_complaint
from p2p304.table.exchange.lookahead import LookaheadBuffer
from p2p304.table.exchange.receipts import Receipts, TablePart
from p2p304.table.machine.own_turns import OwnTurns
from p2p304.table.machine.table_waits import TableWaits
from p2p304.table.player.own_cards import check_own_cards, own_view
from p2p304.table.state import events
from p2p304.table.state.events import PublicEvent
from p2p304.wire.framing import FrameKind


@dataclass(eq=False, repr=False)
class Entries(TablePart):
    """The entries of one table. Call `take_lookahead` when a place is settled."""

    _lookahead: LookaheadBuffer
    _waits: TableWaits
    _turns: OwnTurns
    _receipts: Receipts

    def receive(self, peer: bytes, payload: bytes, now: float) -> None:
        """Take an entry from a peer, or keep it for a place that is not reached yet; raises
        Refused."""
        unverified, chain = parse_entry(payload), self._replica.chain
        place = unverified.entry.seq
        if self._replica.is_blocked(place):
            return
        if place < chain.next_seq:
            self._compare(unverified)
        elif place == chain.next_seq and chain.is_settled:
            self.accept(unverified, now)
        else:
            self._lookahead.keep_entry(peer, unverified, chain.next_seq)

    def take_lookahead(self, parts: tuple[object, ...], now: float) -> None:
        """Take the entries that came early for the next place; compare the others with the first
        one. A message changes only ``parts``."""

        def take(unverified: Unverified) -> None:
            if unverified.entry.seq < self._replica.chain.next_seq:
                self._compare(unverified)
            elif self._fault_handler.stopped is None:
                self.accept(unverified, now)

        for peer, early in self._lookahead.entries_for(self._replica.chain.next_seq):
            self._handle_early(peer, FrameKind.ENTRY, early.raw, parts, partial(take, early))

    def accept(self, unverified: Unverified, now: float) -> None:
        """Verify an entry, then commit it: the log, the state, the receipt, in this order."""
        signed = self._replica.chain.authenticate(unverified)
        seq, me = signed.entry.seq, self._me
        try:
            foreseen = self._turns.foreseen(signed.entry)
            state, happened = foreseen or self._replica.judge(signed)
        except Refused as refused:
            if refused.finding.player is None and seq:
                raise
            self._fault_handler.on_false_entry(signed, refused)
            return
        seat = self._replica.seat_of(me.player)
        false = share_complaint.false_box(signed, state, seat, me.secrets)
        if false is not None:
            self._out.send(FrameKind.ENTRY, signed.raw)
            self._fault_handler.prove(false)
            return
        check_own_cards(state, state.seat_of(me.player), me.secrets)
        self._waits.record_progress(self._waits.awaited, now)
        self._replica.append(signed, state)
        if signed.entry.author == me.player and seq > self._turns.last_written:
            self._turns.report_signed_elsewhere()
        self._out.emit(*happened)
        self._show_own_cards(happened)
        self._pending_claim.on_entry(seq, now)
        if signed.entry.author == me.player:
            self._receipts.write_down(signed, None)
            self._out.send(FrameKind.ENTRY, signed.raw)
        elif self._waits.recovery is not None:
            self._receipts.write_down(signed, None)
        else:
            self.give_receipt(signed, now)
        self._receipts.take_lookahead(seq)

    def give_receipt(self, signed: Signed, now: float) -> None:
        """Give this player's receipt if it is due: that for the cut once the player has asked for
        the deal, and others if need be once the player has thought."""
        if not self._receipts.is_due(signed):
            return
        if self._turns.must_hold_receipt():
            self._pending_claim.hold(signed)
        elif not self._pending_claim.hold_receipt(signed, now):
            self._receipts.give(signed)

    def _show_own_cards(self, happened: tuple[PublicEvent, ...]) -> None:
        """Emit what the player knows once a batch has been dealt, and once the player has
        inspected face-down cards."""
        state, me = self._replica.state, self._me
        is_over = any(isinstance(event, events.HandOver) for event in happened)
        if state is None or state.deal is None or is_over:
            return
        seat = state.seat_of(me.player)
        for event in happened:
            action = event.action if isinstance(event, events.Acted) else None
            has_inspected = isinstance(action, Announce) and action.seat == seat
            if isinstance(event, events.Dealt) or has_inspected:
                self._out.emit(events.HandSeen(own_view(state, seat, me.secrets)))
                return

    def _compare(self, unverified: Unverified) -> None:
        """Compare an entry with the one already at its place: it is the same, or evidence of a
        fork.

        An entry by another author proves nothing by itself, because that author may have been shown
        other claims (S04)."""
        entry, chain, keys = unverified.entry, self._replica.chain, self._replica.terms.keys
        kept = chain.entry(entry.seq)
        if kept.raw == unverified.raw or entry.table != chain.table_at(entry.seq):
            return
        check_author_is_seated(entry.author < len(keys))
        check_is_signed_by_author(entry_is_signed_by(entry, keys[entry.author]))
        if entry.author == kept.entry.author:
            self._fault_handler.prove(proof_of.of_fork(kept.raw, unverified.raw))
