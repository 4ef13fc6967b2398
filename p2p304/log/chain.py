"""The chain: entries in their places, and the receipts of all players for each.

Responsible for what may be appended next as far as the log alone can tell: place, link, author's
signature, receipts. Which player has the floor is table/transition/phases.py's; what a body means
is table/transition/step.py's.

An entry is *settled* when the receipts of all other players are here. Only then may the next entry
be accepted, so that every player has signed what it saw before play goes on. Where all but one
player have parted (SPEC.md, "Leaving for good"), their signed parts replace the receipts for the
last entry. A hand that is then played out goes on under another table identifier, without the
absent player's receipts.

What is settled can leave memory (`Chain.forget`). The chain gives it to its store, and asks the
store when it is needed again. A node's store is transcript.py's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

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

LEAST_KEPT = 2
"""Places that never leave memory: the last one and the one before it, to which it is linked."""
Parts = tuple[tuple[int, bytes], ...]
"""Players and their signatures that the table goes on without one of them from a place on."""


@dataclass(frozen=True, slots=True)
class Block:
    """A settled entry with its receipts, in the order of players from the author's right, or with
    the parts that replace them."""

    signed: Signed
    receipts: tuple[Receipt, ...]
    parts: Parts | None = None


@dataclass(frozen=True, slots=True)
class Without:
    """All but ``absent`` have parted before place ``seq`` and signed ``parts``. From there on,
    ``table`` is the table's identifier."""

    seq: int
    absent: int
    parts: Parts
    table: bytes


class BlockStore(Protocol):
    """Where a chain finds the settled blocks that have left its memory."""

    def add(self, block: Block) -> None:
        """Take the next block, from place 0 on."""

    def block(self, seq: int) -> Block:
        """Return the block of a place that was added."""

    def encoded(self, first: int, end: int) -> bytes:
        """Return the blocks of the places from ``first`` to before ``end``, as they stand in a
        transcript file."""


class NoStore:
    """The store of a chain that never looks back, such as an auditor's."""

    def add(self, block: Block) -> None:
        pass

    def block(self, seq: int) -> Block:
        raise LookupError("this place of the log has left memory")

    def encoded(self, first: int, end: int) -> bytes:
        raise LookupError("these places of the log have left memory")


@dataclass(slots=True)
class Chain:
    """The log of one table, as one node holds it. ``players`` are Ed25519 keys in the agreement's
    order."""

    table: bytes
    players: tuple[bytes, ...]
    without: Without | None = None
    store: BlockStore = field(default_factory=NoStore)
    """Gets the places that leave memory, and gives them back."""
    first_kept: int = 0
    """The places before this one have left memory."""
    _entries: list[Signed] = field(default_factory=list)
    _receipts: list[dict[int, Receipt]] = field(default_factory=list)

    @property
    def next_seq(self) -> int:
        """The place of the next entry, from 0."""
        return self.first_kept + len(self._entries)

    @property
    def head(self) -> bytes:
        """The link of the last entry (32 bytes), or `NO_LINK` before entry 0."""
        return self._entries[-1].link if self._entries else NO_LINK

    @property
    def entries(self) -> tuple[Signed, ...]:
        """All entries. Those that have left memory are read where they are stored."""
        return tuple(self.entry(seq) for seq in range(self.next_seq))

    @property
    def last(self) -> Signed:
        """The last entry, which is always in memory; IndexError before entry 0."""
        return self._entries[-1]

    def entry(self, seq: int) -> Signed:
        """Return the entry at ``seq``."""
        if seq < self.first_kept:
            return self.store.block(seq).signed
        return self._entries[seq - self.first_kept]

    def forget(self, before: int) -> None:
        """Let the places before this one leave memory. They must be settled; the last two stay,
        and so does all from the last place of a parting on, where receipts may still come."""
        bounds = [before, self.settled_count, self.next_seq - LEAST_KEPT]
        if self.without is not None:
            bounds.append(self.without.seq - 1)
        count = min(bounds) - self.first_kept
        if count <= 0:
            return
        for seq in range(self.first_kept, self.first_kept + count):
            self.store.add(self.block(seq))
        self._entries, self._receipts = self._entries[count:], self._receipts[count:]
        self.first_kept += count

    def missing(self) -> tuple[int, ...]:
        """Return the players whose receipt for the last entry is not here, from its author's
        right."""
        if not self._entries:
            return ()
        gone, without = None, self.without  # asked for dozens of times with every message
        if without is not None and self.next_seq >= without.seq:
            if self.next_seq == without.seq:
                return ()
            gone = without.absent
        have, author = self._receipts[-1], self._entries[-1].entry.author
        witnesses = _round_the_table(author, len(self.players), gone)
        return tuple([player for player in witnesses if player not in have])

    @property
    def is_settled(self) -> bool:
        """Whether the receipts of all other players for the last entry are here."""
        return not self.missing()

    @property
    def settled_count(self) -> int:
        """The number of places that are settled."""
        return self.next_seq if self.is_settled else self.next_seq - 1

    def require_settled(self) -> None:
        """L06: every other player has receipted the last entry."""
        if not self.is_settled:
            raise Refused(
                "L06",
                "the receipts for an entry are not complete: not every player has confirmed it",
            )

    def block(self, seq: int) -> Block:
        """Return the settled entry at ``seq``, with its receipts in canonical order."""
        if seq < self.first_kept:
            return self.store.block(seq)
        signed = self.entry(seq)
        if self.without is not None and seq == self.without.seq - 1:
            return Block(signed, (), self.without.parts)
        have = self._receipts[seq - self.first_kept]
        return Block(signed, tuple(have[player] for player in self.witnesses(seq)))

    def continue_without(self, without: Without) -> None:
        """Go on without a player; drop all entries at that place and later."""
        del self._entries[without.seq - self.first_kept :]
        del self._receipts[without.seq - self.first_kept :]
        self.without = without

    @property
    def tables(self) -> tuple[bytes, ...]:
        """All identifiers that the table has had so far in entries and receipts."""
        return (self.table,) if self.without is None else (self.table, self.without.table)

    def table_at(self, seq: int) -> bytes:
        """Return the table's identifier in entries and receipts for this place."""
        return self.table if self.without is None or seq < self.without.seq else self.without.table

    def receipt_of(self, seq: int, player: int) -> Receipt | None:
        """Return the player's receipt for the entry at ``seq``, or None."""
        return next((one for one in self.receipts_at(seq) if one.author == player), None)

    def receipts_at(self, seq: int) -> tuple[Receipt, ...]:
        """Return the receipts for the entry at ``seq``, in order of arrival while it is in
        memory."""
        if seq < self.first_kept:
            return self.store.block(seq).receipts
        return tuple(self._receipts[seq - self.first_kept].values())

    def authenticate(self, unverified: Unverified) -> Signed:
        """Check L01 to L05; return the entry as Signed and change nothing."""
        entry = unverified.entry
        check_is_of_this_table(entry.table == self.table_at(entry.seq))
        check_author_is_seated(entry.author < len(self.players))
        check_is_signed_by_author(entry_is_signed_by(entry, self.players[entry.author]))
        _check_place(entry.seq == self.next_seq, entry.seq)
        if entry.prev != self.head:
            raise Refused("L05", "this entry does not follow our last entry")
        return Signed(entry, unverified.raw, link_of(unverified.raw))

    def append(self, signed: Signed) -> None:
        """Append an entry that the table has checked; raises Refused L06 unless the entry before is
        settled."""
        self.require_settled()
        self._entries.append(signed)
        self._receipts.append({})

    def authenticate_receipt(self, receipt: Receipt) -> None:
        """Check a receipt's table, author, signature and place: L01, L02, L04, L07 and L09."""
        check_is_of_this_table(receipt.table == self.table_at(receipt.seq))
        check_author_is_seated(receipt.author < len(self.players))
        if not receipt_is_signed_by(receipt, self.players[receipt.author]):
            raise Refused("L07", "the signature of this receipt is wrong")
        _check_place(receipt.seq < self.next_seq, receipt.seq)
        if receipt.author not in self.witnesses(receipt.seq):
            why = "this receipt is for its author's own entry, or its author has left the table"
            raise Refused("L09", why)

    def add_receipt(self, receipt: Receipt) -> bool:
        """Keep an authenticated receipt; return whether it is new and still needed.

        Raises Refused L08 if its head is another, L10 if its author has signed another claim.
        Receipts for places before a parting are not needed any more.
        """
        if receipt.head != self.entry(receipt.seq).link:
            raise Refused("L08", "this receipt confirms another entry than ours at that place")
        kept = self.receipt_of(receipt.seq, receipt.author)
        if kept is not None and kept.claim != receipt.claim:
            raise Refused.of(split(receipt))
        if kept is None:  # so the place is in memory: all receipts of a stored one are there
            at = receipt.seq - self.first_kept
            # A new dict, so that table/exchange/error_boundary.py can restore the old one.
            self._receipts[at] = {**self._receipts[at], receipt.author: receipt}
        return kept is None and (self.without is None or receipt.seq >= self.without.seq)

    def witnesses(self, seq: int) -> tuple[int, ...]:
        """Return the players who receipt the entry at ``seq``, from its author's right."""
        gone = self.without.absent if self.without is not None and seq >= self.without.seq else None
        return _round_the_table(self.entry(seq).entry.author, len(self.players), gone)


@cache
def _round_the_table(author: int, count: int, gone: int | None) -> tuple[int, ...]:
    players = ((author + step) % count for step in range(1, count))
    return tuple(player for player in players if player != gone)


def check_is_of_this_table(holds: bool) -> None:
    """L01: an entry, a receipt or a word belongs to this table."""
    if not holds:
        raise Refused("L01", "this message belongs to another table")


def check_author_is_seated(holds: bool) -> None:
    """L02: the author sits at this table."""
    if not holds:
        raise Refused("L02", "the author of this message does not play at this table")


def check_is_signed_by_author(holds: bool) -> None:
    """L03: the message is signed by its author."""
    if not holds:
        raise Refused("L03", "the signature of this message is wrong")


def _check_place(holds: bool, seq: int) -> None:
    """L04: an entry is for the next place, a receipt for a place that has an entry."""
    if not holds:
        raise Refused("L04", f"this message is for place {seq}, which is not due now")


def claims_on(block: Block, order: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    """Return player and claim of every claim on the receipts of ``block``, in ``order``.

    ``order`` are the players by seat from the author's right; the first claim takes the floor
    (SPEC.md, "Claims"). The time of arrival does not matter.
    """
    claims = {receipt.author: receipt.claim for receipt in block.receipts}
    pairs = ((player, claims.get(player)) for player in order)
    return tuple((player, claim) for player, claim in pairs if claim is not None)
