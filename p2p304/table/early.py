"""What comes before its place is reached: kept a little while, and only a little of it.

Owns how many entries and receipts are kept for places ahead. It verifies nothing: when their
place is reached they take the way of all others.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p304.log.entry import Receipt, Unverified

MAX_AHEAD = 4
"""Entries for one place, or receipts of one player for one place."""


@dataclass(slots=True)
class Early:
    """Entries for the next place and the one after, receipts likewise."""

    _entries: dict[int, list[Unverified]] = field(default_factory=dict)
    _receipts: dict[tuple[int, int], list[Receipt]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._entries) + len(self._receipts)

    def keep_entry(self, unverified: Unverified, next_seq: int) -> None:
        """Keep it if its place is near; twice the same is kept once."""
        if unverified.entry.seq > next_seq + 1:
            return
        kept = self._entries.setdefault(unverified.entry.seq, [])
        if len(kept) < MAX_AHEAD and all(k.raw != unverified.raw for k in kept):
            kept.append(unverified)

    def keep_receipt(self, receipt: Receipt, next_seq: int) -> None:
        if receipt.seq > next_seq + 1:
            return
        kept = self._receipts.setdefault((receipt.seq, receipt.author), [])
        if len(kept) < MAX_AHEAD:
            kept.append(receipt)

    def entries_for(self, seq: int) -> list[Unverified]:
        """The entries kept for a place, which are forgotten here."""
        return self._entries.pop(seq, [])

    def receipts_for(self, seq: int) -> list[Receipt]:
        """The receipts kept for a place; everything for it and before is forgotten here."""
        self._entries = {at: kept for at, kept in self._entries.items() if at > seq}
        due = [key for key in self._receipts if key[0] <= seq]
        taken = [receipt for key in due for receipt in self._receipts.pop(key)]
        return [receipt for receipt in taken if receipt.seq == seq]
