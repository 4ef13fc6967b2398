"""Receipts at a running table: those that this node gives, and those that it takes.

Responsible for what is journalled and sent with a receipt, for what a receipt settles, and for what
two of them prove. Holding a receipt back is pending_claim.py's; which player may claim is
receipt_claims.py's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from p2p304.log import evidence as proof_of
from p2p304.log.entry import Receipt, Signed, parse_receipt, sign_receipt
from p2p304.log.faults import Refused
from p2p304.log.transcript import encode_block
from p2p304.table.evidence.fault_handler import FaultHandler
from p2p304.table.exchange.error_boundary import handle_message
from p2p304.table.exchange.journal_records import PlaceRecord
from p2p304.table.exchange.lookahead import LookaheadBuffer
from p2p304.table.exchange.sync import sync_bytes
from p2p304.table.gathering.exchange.begin_record import JOURNAL, TRANSCRIPT
from p2p304.table.player.keyring import Member
from p2p304.table.player.pending_claim import PendingClaim
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.replica import Replica
from p2p304.wire.effects import Outbox
from p2p304.wire.framing import FrameKind


@dataclass(eq=False, repr=False)
class TablePart:
    """A part of a running table, with what all these parts work on."""

    _me: Member
    _replica: Replica
    _out: Outbox[Event]
    _fault_handler: FaultHandler
    _pending_claim: PendingClaim

    def _handle_early(
        self,
        peer: bytes,
        kind: FrameKind,
        raw: bytes,
        parts: tuple[object, ...],
        handler: Callable[[], None],
    ) -> None:
        """Handle a message that came early; a refused one is dropped."""
        try:
            handle_message(kind, raw, self._out, parts, handler)
        except Refused as refused:
            self._fault_handler.refuse(refused, peer)


@dataclass(eq=False, repr=False)
class Receipts(TablePart):
    """The receipts of one table. A settled place is written to the transcript. ``_on_own`` is
    called for a receipt of this player that this node has not given."""

    _lookahead: LookaheadBuffer
    _on_own: Callable[[], None]
    _contradicting: dict[tuple[int, int], Receipt] = field(default_factory=dict)
    """Receipts for another entry than the one here (L08), by place and author, for the last place
    and the one before."""

    # This player's receipts

    def is_due(self, signed: Signed) -> bool:
        """Whether the others wait for this player's receipt. They do not if they play without this
        player, nor after the last place of a parting that it has signed."""
        seq = signed.entry.seq
        chain = self._replica.chain
        is_witness = self._me.player in chain.witnesses(seq)
        has_given = chain.receipt_of(seq, self._me.player) is not None
        return is_witness and not has_given and not self._replica.is_blocked(seq)

    def give(self, signed: Signed) -> None:
        """Sign and send this player's receipt, with the claim that the player wants to make. It is
        journalled first."""
        receipt = self.make(signed)
        self.write_down(signed, receipt)
        self._out.send(FrameKind.RECEIPT, receipt.encode())
        if self._replica.chain.add_receipt(receipt):
            self._on_receipt_added(receipt.seq)

    def release(self) -> bool:
        """Give the receipt that was held back while the player thought; False if there was none."""
        signed = self._pending_claim.take_held()
        if signed is None or not self.is_due(signed):
            return False
        self.give(signed)
        return True

    def make(self, signed: Signed) -> Receipt:
        entry, me, claim = signed.entry, self._me, self._pending_claim.for_receipt()
        return sign_receipt(me.key, entry.table, entry.seq, signed.link, me.player, claim)

    def write_down(self, signed: Signed, receipt: Receipt | None) -> None:
        """Journal the last entry, this player's receipt, and the receipts for the entry before.
        ``receipt`` is None if the entry is this player's own or the receipt is not given yet."""
        chain, given = self._replica.chain, None if receipt is None else receipt.encode()
        before = chain.block(chain.next_seq - 2).receipts if chain.next_seq > 1 else ()
        self._out.persist(JOURNAL, PlaceRecord(signed.raw, given, before).encode())

    # Receipts of other players

    def receive(self, peer: bytes, payload: bytes) -> None:
        """Take a receipt from a peer, or keep it for a place that is not reached yet; raises
        Refused."""
        receipt = parse_receipt(payload)
        if receipt.seq < self._replica.chain.next_seq:
            self._take(receipt)
        else:
            self._lookahead.keep_receipt(peer, receipt, self._replica.chain.next_seq)

    def take_lookahead(self, seq: int) -> None:
        """Take the receipts that came before the entry at this place."""
        parts = (self, self._replica, self._replica.chain, self._fault_handler)
        for peer, receipt in self._lookahead.receipts_for(seq):
            if self._fault_handler.stopped is None:
                take, raw = partial(self._take, receipt), receipt.encode()
                self._handle_early(peer, FrameKind.RECEIPT, raw, parts, take)

    def _take(self, receipt: Receipt) -> None:
        chain = self._replica.chain
        kept = chain.receipt_of(receipt.seq, receipt.author)
        if kept == receipt:
            return
        chain.authenticate_receipt(receipt)
        earlier = kept or self._contradicting.get((receipt.seq, receipt.author))
        if earlier is not None and (earlier.head, earlier.claim) != (receipt.head, receipt.claim):
            self._fault_handler.prove(proof_of.of_split(earlier.encode(), receipt.encode()))
        elif kept is None and self._has_open_claim(receipt):
            self._add(receipt)

    def _add(self, receipt: Receipt) -> None:
        try:
            new = self._replica.chain.add_receipt(receipt)
        except Refused:
            self._on_contradiction(receipt)
            raise
        if receipt.claim is not None:
            # This reveals a player that claims to one player and not to another (L10).
            self._out.send(FrameKind.RECEIPT, receipt.encode())
        if receipt.author == self._me.player:
            self.write_down(self._replica.chain.entry(receipt.seq), receipt)
            self._on_own()
        if new:
            self._on_receipt_added(receipt.seq)

    def _on_contradiction(self, receipt: Receipt) -> None:
        """Handle L08: the receipt's author holds another entry for this place, or says so.

        All players get the entry here and the receipt. With the other entry, the one here convicts
        a player that signed both (L11); the receipt convicts its author if it gave another player a
        different one (L10)."""
        items = self._contradicting.items()
        self._contradicting = {key: one for key, one in items if key[0] >= receipt.seq - 1}
        if (receipt.seq, receipt.author) not in self._contradicting:
            self._contradicting[receipt.seq, receipt.author] = receipt
            self._send_contradiction(receipt)

    def repeat(self) -> None:
        """Repeat the receipts that contradict the last entry here. To be called now and then."""
        for (seq, _), receipt in self._contradicting.items():
            if seq == self._replica.chain.next_seq - 1:
                self._send_contradiction(receipt)

    def contradicting_of(self, player: int) -> list[tuple[FrameKind, bytes]]:
        """Return the kept receipts of this player that are for another entry than the one here."""
        found = [one for (_, author), one in self._contradicting.items() if author == player]
        return [(FrameKind.RECEIPT, contradicting.encode()) for contradicting in found]

    def _send_contradiction(self, contradicting: Receipt) -> None:
        self._out.send(FrameKind.ENTRY, self._replica.chain.entry(contradicting.seq).raw)
        self._out.send(FrameKind.RECEIPT, contradicting.encode())

    def _has_open_claim(self, receipt: Receipt) -> bool:
        """Whether a receipt for the last entry claims only what is open. A false claim convicts its
        author and stops the table."""
        try:
            self._replica.judge_claim(receipt)
        except Refused as refused:
            self._fault_handler.on_false_claim(receipt, refused)
            return False
        return True

    # Settling

    def _on_receipt_added(self, seq: int) -> None:
        """Settle the last entry once its last receipt is here."""
        chain = self._replica.chain
        if seq != chain.next_seq - 1 or not chain.is_settled:
            return
        self._replica.settle()
        self._out.persist(TRANSCRIPT, encode_block(chain.block(seq)))
        if self._replica.is_finished:
            self._out.send(FrameKind.SYNC, sync_bytes(chain))
            self._out.emit(events.Closed())
