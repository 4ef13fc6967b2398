"""Bounded buffers for messages that arrive early: before their place in the log is reached, or
before this node's table has begun.

Responsible for how many messages are kept; verifying them is entries.py's and receipts.py's once
their place is reached. They are not verified yet, so each sending peer has its own room and cannot
displace what came from another. If one turns out to be false, the peer that sent it is refused.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from p2p304.log.entry import Receipt, Unverified, entry_is_signed_by, receipt_is_signed_by
from p2p304.wire.framing import FrameKind

MAX_AHEAD = 2
"""Entries from one peer for one place, and receipts from one peer, of one player, for one place."""

MAX_EARLY = 16
"""Table messages kept of each member until this node's own agreement is complete."""
EARLY_KINDS = (
    FrameKind.ENTRY,
    FrameKind.RECEIPT,
    FrameKind.SYNC,
    FrameKind.EVIDENCE,
    FrameKind.NOTE,
)


class EarlyMessages:
    """Messages for a table that has not begun here."""

    def __init__(self) -> None:
        self._kept: list[tuple[bytes, FrameKind, bytes]] = []

    def keep(
        self, member: bytes, kind: FrameKind, payload: bytes, members: Collection[bytes]
    ) -> None:
        """Keep a message of a member if it is for the table and there is room. What players have
        sent who are members no more is dropped: otherwise memory would grow with each who comes,
        sends and leaves."""
        self._kept = [one for one in self._kept if one[0] in members]
        count = sum(sender == member for sender, _, _ in self._kept)
        if kind in EARLY_KINDS and count < MAX_EARLY:
            self._kept.append((member, kind, payload))

    def take(self) -> list[tuple[bytes, FrameKind, bytes]]:
        """Return all messages, and keep none."""
        taken, self._kept = self._kept, []
        return taken


@dataclass(slots=True)
class LookaheadBuffer:
    """Entries and receipts for the next place and the one after, by the key of the peer that sent
    them. ``players`` are the players' keys in order."""

    players: tuple[bytes, ...]
    _entries: dict[tuple[int, bytes], tuple[Unverified, ...]] = field(default_factory=dict)
    _receipts: dict[tuple[int, bytes, int], tuple[Receipt, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._entries) + len(self._receipts)

    def keep_entry(self, peer: bytes, unverified: Unverified, next_seq: int) -> None:
        """Keep an entry if its place is near. The same entry is kept once."""
        seq = unverified.entry.seq
        kept = self._entries.get((seq, peer), ())
        if seq <= next_seq + 1 and len(kept) < MAX_AHEAD and unverified not in kept:
            self._entries[seq, peer] = (*kept, unverified)

    def keep_receipt(self, peer: bytes, receipt: Receipt, next_seq: int) -> None:
        """Keep a receipt if its place is near. The same receipt is kept once."""
        key = (receipt.seq, peer, receipt.author)
        kept = self._receipts.get(key, ())
        if receipt.seq <= next_seq + 1 and len(kept) < MAX_AHEAD and receipt not in kept:
            self._receipts[key] = (*kept, receipt)

    def entries_for(self, seq: int) -> list[tuple[bytes, Unverified]]:
        """Remove and return the entries kept for a place, with the peers that sent them. Entries
        that came from their own author are first."""
        due = [key for key in self._entries if key[0] == seq]
        taken = [(key[1], one) for key in due for one in self._entries.pop(key)]
        return sorted(taken, key=lambda each: not self._is_own(each[0], each[1].entry.author))

    def receipts_for(self, seq: int) -> list[tuple[bytes, Receipt]]:
        """Remove and return the receipts kept for a place, in the same order. Everything for this
        place and earlier ones is dropped."""
        self._entries = {key: kept for key, kept in self._entries.items() if key[0] > seq}
        due = [key for key in self._receipts if key[0] <= seq]
        taken = [(key[1], one) for key in due for one in self._receipts.pop(key)]
        return sorted(
            ((peer, one) for peer, one in taken if one.seq == seq),
            key=lambda each: not self._is_own(each[0], each[1].author),
        )

    def written_by(self, peer: bytes, table: bytes) -> list[tuple[FrameKind, bytes]]:
        """Return everything kept that this peer has signed itself, whichever peer sent it."""
        found: dict[bytes, FrameKind] = {}
        for entries in self._entries.values():
            for one in entries:
                own = self._is_own(peer, one.entry.author) and one.entry.table == table
                if own and entry_is_signed_by(one.entry, peer):
                    found[one.raw] = FrameKind.ENTRY
        for receipts in self._receipts.values():
            for each in receipts:
                own = self._is_own(peer, each.author) and each.table == table
                if own and receipt_is_signed_by(each, peer):
                    found[each.encode()] = FrameKind.RECEIPT
        return [(kind, raw) for raw, kind in found.items()]

    def _is_own(self, peer: bytes, author: int) -> bool:
        return author < len(self.players) and self.players[author] == peer
