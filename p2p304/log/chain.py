"""The chain: entries in their places, and everybody's receipts for each.

Owns what may be appended next as far as the log alone can tell: place, link, author's
signature, receipts. Who has the floor and what a body means is the table's to say.
An entry is *settled* when every other player's receipt for it is here; the next entry may be
accepted only then, so that every player has signed what it saw before play goes on. Where all but
one have parted (SPEC.md, "Leaving for good"), their signed parts stand in place of the receipts
for the last entry, and a hand that is played out goes on without that player's receipts, under
another name of the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p304.log.entry import (
    NO_LINK,
    Receipt,
    Signed,
    Unverified,
    entry_is_signed_by,
    link_of,
    receipt_is_signed_by,
)
from p2p304.log.evidence import split
from p2p304.log.faults import Refused

Parts = tuple[tuple[int, bytes], ...]
"""Players and their signatures that the table does without one of them from a place on."""


@dataclass(frozen=True, slots=True)
class Block:
    """A settled entry with its receipts, in the order of players from the author's right, or with
    the parts that stand in their place."""

    signed: Signed
    receipts: tuple[Receipt, ...]
    parts: Parts | None = None


@dataclass(frozen=True, slots=True)
class Without:
    """All but ``absent`` have parted from that player before place ``seq``, and signed ``parts``;
    from there on the table is called ``table``."""

    seq: int
    absent: int
    parts: Parts
    table: bytes


@dataclass(slots=True)
class Chain:
    """The log of one table, as one node holds it; players are their Ed25519 keys in order."""

    table: bytes
    players: tuple[bytes, ...]
    entries: list[Signed] = field(default_factory=list)
    without: Without | None = None
    _receipts: list[dict[int, Receipt]] = field(default_factory=list)

    @property
    def next_seq(self) -> int:
        return len(self.entries)

    @property
    def head(self) -> bytes:
        return self.entries[-1].link if self.entries else NO_LINK

    def missing(self) -> tuple[int, ...]:
        """Players whose receipt for the last entry is not here, from its author's right."""
        if not self.entries or (self.without is not None and self.next_seq == self.without.seq):
            return ()
        have = self._receipts[-1]
        return tuple(player for player in self.witnesses(self.next_seq - 1) if player not in have)

    @property
    def is_settled(self) -> bool:
        return not self.missing()

    def require_settled(self) -> None:
        """L06: every other player has seen the last entry."""
        if not self.is_settled:
            raise Refused("L06", "receipts for an entry are missing: not everybody saw it")

    def block(self, seq: int) -> Block:
        """The settled entry at ``seq``, with receipts in canonical order."""
        signed = self.entries[seq]
        if self.without is not None and seq == self.without.seq - 1:
            return Block(signed, (), self.without.parts)
        have = self._receipts[seq]
        return Block(signed, tuple(have[player] for player in self.witnesses(seq)))

    def continue_without(self, without: Without) -> None:
        """Go on without a player: what was written at that place or later is no part of the log."""
        del self.entries[without.seq :]
        del self._receipts[without.seq :]
        self.without = without

    @property
    def tables(self) -> tuple[bytes, ...]:
        """What the table was called so far in entries and receipts."""
        return (self.table,) if self.without is None else (self.table, self.without.table)

    def table_at(self, seq: int) -> bytes:
        """What the table is called in entries and receipts for this place."""
        return self.table if self.without is None or seq < self.without.seq else self.without.table

    def receipt_of(self, seq: int, player: int) -> Receipt | None:
        """The player's receipt for the entry at ``seq``, if it is here."""
        return self._receipts[seq].get(player)

    def receipts_at(self, seq: int) -> tuple[Receipt, ...]:
        return tuple(self._receipts[seq].values())

    def authenticate(self, unverified: Unverified) -> Signed:
        """Checks L01 to L05; returns the entry as Signed, changes nothing."""
        entry = unverified.entry
        check_is_of_this_table(entry.table == self.table_at(entry.seq))
        check_author_is_seated(entry.author < len(self.players))
        check_is_signed_by_author(entry_is_signed_by(entry, self.players[entry.author]))
        _check_place(entry.seq == self.next_seq, entry.seq)
        if entry.prev != self.head:
            raise Refused("L05", "this entry does not follow the last one here")
        return Signed(entry, unverified.raw, link_of(unverified.raw))

    def append(self, signed: Signed) -> None:
        """Accept an entry that the table has checked; the one before must be settled."""
        self.require_settled()
        self.entries.append(signed)
        self._receipts.append({})

    def authenticate_receipt(self, receipt: Receipt) -> None:
        """Checks L01, L02, L07 and L09: who signed it and whether it is theirs to sign."""
        check_is_of_this_table(receipt.table == self.table_at(receipt.seq))
        check_author_is_seated(receipt.author < len(self.players))
        if not receipt_is_signed_by(receipt, self.players[receipt.author]):
            raise Refused("L07", "this receipt's signature is not its author's")
        _check_place(receipt.seq < self.next_seq, receipt.seq)
        if receipt.author not in self.witnesses(receipt.seq):
            why = "this receipt is for its author's own entry, or from who has left the table"
            raise Refused("L09", why)

    def add_receipt(self, receipt: Receipt) -> bool:
        """Keep an authenticated receipt; True if it is new. Raises L08 if it saw another head. For
        places before a parting none is needed any more."""
        if receipt.head != self.entries[receipt.seq].link:
            raise Refused("L08", "this receipt is for another entry than ours at that place")
        have = self._receipts[receipt.seq]
        kept = have.get(receipt.author)
        if kept is not None and kept.claim != receipt.claim:
            raise Refused.of(split(receipt))
        if kept is None:
            # A new dict: who remembers the old one can go back to it
            # (table/exchange/error_boundary.py).
            self._receipts[receipt.seq] = {**have, receipt.author: receipt}
        return kept is None and (self.without is None or receipt.seq >= self.without.seq)

    def witnesses(self, seq: int) -> tuple[int, ...]:
        """Players who receipt the entry at ``seq``, from its author's right."""
        author, count = self.entries[seq].entry.author, len(self.players)
        gone = self.without.absent if self.without is not None and seq >= self.without.seq else None
        round_the_table = ((author + step) % count for step in range(1, count))
        return tuple(player for player in round_the_table if player != gone)


def check_is_of_this_table(holds: bool) -> None:
    """L01: an entry, a receipt or a word of parting belongs to this table."""
    if not holds:
        raise Refused("L01", "this message belongs to another table")


def check_author_is_seated(holds: bool) -> None:
    """L02: its author sits here."""
    if not holds:
        raise Refused("L02", "this message's author does not sit at this table")


def check_is_signed_by_author(holds: bool) -> None:
    """L03: it is signed by its author."""
    if not holds:
        raise Refused("L03", "this message's signature is not its author's")


def _check_place(holds: bool, seq: int) -> None:
    """L04: an entry is for the next place, a receipt for one that is reached."""
    if not holds:
        raise Refused("L04", f"this message is for place {seq}, which is not its turn")


def claims_on(block: Block, order: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    """Player and claim of every claim on the receipts of ``block``, in ``order`` (players by seat
    from the author's right; SPEC.md, "Claims"): the first takes the floor. Neither clock nor race
    decides."""
    claims = {receipt.author: receipt.claim for receipt in block.receipts}
    pairs = ((player, claims.get(player)) for player in order)
    return tuple((player, claim) for player, claim in pairs if claim is not None)
