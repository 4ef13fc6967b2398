"""Receipts at a running table: those that this node gives, and those that it takes.

Owns what is written down and sent with a receipt, what one settles, and what two of them prove.
When one is held back pending_claim.py says; who may claim is receipt_claims.py's.
"""

from __future__ import annotations

from collections.abc import Callable

from p2p304.crypto.signing import SigningKey
from p2p304.log import evidence as proof_of
from p2p304.log.entry import Receipt, Signed, parse_receipt, sign_receipt
from p2p304.log.faults import Refused
from p2p304.log.transcript import encode_block
from p2p304.table.evidence.fault_handler import Blame
from p2p304.table.exchange.error_boundary import handle_message
from p2p304.table.exchange.journal_records import PlaceRecord
from p2p304.table.exchange.lookahead import LookaheadBuffer
from p2p304.table.exchange.sync import sync_bytes
from p2p304.table.gathering.begin_record import JOURNAL, TRANSCRIPT
from p2p304.table.player.pending_claim import PendingClaim
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.replica import Replica
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox


class Receipts:
    """`give` and `take` them; what they settle is written to the transcript."""

    def __init__(
        self,
        key: SigningKey,
        player: int,
        replica: Replica,
        out: Outbox[Event],
        blame: Blame,
        pending_claim: PendingClaim,
        early: LookaheadBuffer,
        on_own: Callable[[], None],
    ) -> None:
        """``on_own`` is called for a receipt of this player that this node has not given."""
        self._key, self._player, self._replica, self._out = key, player, replica, out
        self._blame, self._pending_claim, self._early = blame, pending_claim, early
        self._on_own = on_own
        self._odd: dict[tuple[int, int], Receipt] = {}
        """By place and author: receipts for another entry than the one here (L08), for the last
        place and the one before."""

    # Own ones

    def is_owed(self, signed: Signed) -> bool:
        """Whether the others wait for this player's receipt: not if they play without it, nor for
        what comes after the parting that it has signed."""
        seq = signed.entry.seq
        chain = self._replica.chain
        here = self._player in chain.witnesses(seq) and chain.receipt_of(seq, self._player) is None
        return here and not self._replica.is_blocked(seq)

    def give(self, signed: Signed) -> None:
        """Say what was seen, with the claim that the player wishes to make; first write it down."""
        receipt = self.own(signed)
        self.write_down(signed, receipt)
        self._out.send(FrameKind.RECEIPT, receipt.encode())
        if self._replica.chain.add_receipt(receipt):
            self._settled(receipt.seq)

    def release(self) -> bool:
        """Give the one that was held back while the player thought; False if none was."""
        signed = self._pending_claim.take_held()
        if signed is None or not self.is_owed(signed):
            return False
        self.give(signed)
        return True

    def own(self, signed: Signed) -> Receipt:
        state, entry = self._replica.state, signed.entry
        seat = -1 if state is None else state.seat_of(self._player)
        claim = self._pending_claim.for_receipt(state, seat)
        return sign_receipt(self._key, entry.table, entry.seq, signed.link, self._player, claim)

    def write_down(self, signed: Signed, receipt: Receipt | None) -> None:
        """The last entry with the own receipt (None: it is this player's own, or its receipt is
        not given yet), and the receipts for the one before."""
        chain, given = self._replica.chain, None if receipt is None else receipt.encode()
        before = chain.block(chain.next_seq - 2).receipts if chain.next_seq > 1 else ()
        self._out.persist(JOURNAL, PlaceRecord(signed.raw, given, before).encode())

    # Those of others

    def receive(self, peer: bytes, payload: bytes) -> None:
        """Take one that a peer sent, or keep it for a place that is not reached yet; raises
        Refused."""
        receipt = parse_receipt(payload)
        if receipt.seq < self._replica.chain.next_seq:
            self._take(receipt)
        else:
            self._early.keep_receipt(peer, receipt, self._replica.chain.next_seq)

    def take_early(self, seq: int) -> None:
        """Those that came before the entry at this place."""
        for peer, receipt in self._early.receipts_for(seq):
            if self._blame.stopped is None:
                self._try(peer, receipt)

    def _try(self, peer: bytes, receipt: Receipt) -> None:
        parts = (self, self._replica, self._replica.chain, self._blame)
        try:
            handle_message(
                FrameKind.RECEIPT, receipt.encode(), self._out, parts, lambda: self._take(receipt)
            )
        except Refused as refused:
            self._blame.refuse(refused, peer)

    def _take(self, receipt: Receipt) -> None:
        chain = self._replica.chain
        if chain.receipt_of(receipt.seq, receipt.author) == receipt:
            return
        chain.authenticate_receipt(receipt)
        kept = self._known(receipt)
        if kept is not None and (kept.head, kept.claim) != (receipt.head, receipt.claim):
            self._blame.prove(proof_of.of_split(kept.encode(), receipt.encode()))
        elif chain.receipt_of(receipt.seq, receipt.author) is None and self._claims_truly(receipt):
            self._add(receipt)

    def _known(self, receipt: Receipt) -> Receipt | None:
        """What its author has said of this place before."""
        kept = self._replica.chain.receipt_of(receipt.seq, receipt.author)
        return kept or self._odd.get((receipt.seq, receipt.author))

    def _add(self, receipt: Receipt) -> None:
        try:
            new = self._replica.chain.add_receipt(receipt)
        except Refused:
            self._contradicted(receipt)
            raise
        if receipt.claim is not None:
            # Who claims to one player and not to the next is found out by it (L10).
            self._out.send(FrameKind.RECEIPT, receipt.encode())
        if receipt.author == self._player:
            self.write_down(self._replica.chain.entries[receipt.seq], receipt)
            self._on_own()
        if new:
            self._settled(receipt.seq)

    def _contradicted(self, receipt: Receipt) -> None:
        """L08: its author holds another entry for this place, or says so. Everybody gets the one
        here, which with that other one convicts whoever signed both (L11), and the receipt, which
        convicts its author if it has given anybody another (L10)."""
        self._odd = {key: odd for key, odd in self._odd.items() if key[0] >= receipt.seq - 1}
        if (receipt.seq, receipt.author) not in self._odd:
            self._odd[receipt.seq, receipt.author] = receipt
            self._show(receipt)

    def repeat(self) -> None:
        """Show once more what contradicts the last entry here; to be called now and then."""
        for (seq, _), receipt in self._odd.items():
            if seq == self._replica.chain.next_seq - 1:
                self._show(receipt)

    def odd_of(self, player: int) -> list[tuple[FrameKind, bytes]]:
        """The kept receipts of this player that are for another entry than the one here."""
        return [
            (FrameKind.RECEIPT, odd.encode())
            for (_, author), odd in self._odd.items()
            if author == player
        ]

    def _show(self, odd: Receipt) -> None:
        self._out.send(FrameKind.ENTRY, self._replica.chain.entries[odd.seq].raw)
        self._out.send(FrameKind.RECEIPT, odd.encode())

    def _claims_truly(self, receipt: Receipt) -> bool:
        """Whether a receipt for the last entry claims nothing that is not open: such a claim
        convicts, and stops the table."""
        try:
            self._replica.judge_claim(receipt)
        except Refused as refused:
            self._blame.of_claim(receipt, refused)
            return False
        return True

    # Together

    def _settled(self, seq: int) -> None:
        """After a new receipt: once the last one is here, everybody has seen the last entry."""
        chain = self._replica.chain
        if seq != chain.next_seq - 1 or not chain.is_settled:
            return
        self._replica.settle()
        self._out.persist(TRANSCRIPT, encode_block(chain.block(seq)))
        if self._replica.is_finished:
            self._out.send(FrameKind.SYNC, sync_bytes(chain))
            self._out.emit(events.Closed())
