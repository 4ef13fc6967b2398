"""Statements of the game: what a proof in an entry says, as data for crypto/.

Owns the binding of proofs to their place and the statement for every kind of proof (SPEC.md,
"What is proved when"). Prover (entry_writer.py) and verifier (checks.py) both take them from here.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.crypto.group import Element, G
from p2p304.crypto.shuffle import ShuffleStatement
from p2p304.crypto.statements import Statement, relations
from p2p304.table.agreement.terms import digest
from p2p304.table.state.deal import Deal, Slot


@dataclass(frozen=True, slots=True)
class Binding:
    """Where a proof belongs: table (32 bytes), hand number, place, link before, author's seat.

    Every proof's context contains all of it, so that none can be moved to another place.
    """

    table: bytes
    number: int
    seq: int
    prev: bytes
    seat: int

    def context(self, what: bytes) -> bytes:
        """At most 60 bytes: ``p2p304/1 `` + what + `` `` + 32-byte digest of the rest."""
        place = b"".join(n.to_bytes(8, "big") for n in (self.number, self.seq, self.seat))
        return b"p2p304/1 " + what + b" " + digest(b"p2p304 binding", self.table, place, self.prev)


def knowledge(key: Element) -> Statement:
    """``key = x·G`` for a known x (Schnorr)."""
    return relations((key, [("x", G)]))


def shuffling(deal: Deal, seat: int, key: Element, deck: tuple[Element, ...]) -> ShuffleStatement:
    """``U = x·L`` and ``D_k = x·D'_π(k)`` for the deck D before and D' after: new key U = ``key``,
    and L = G, or this seat's key of the first round, whose lock is exchanged."""
    return ShuffleStatement(base=deal.keys[seat] or G, image=key, X=deck, Y=deal.deck)


def reordering(
    hidden: tuple[Slot, ...], key: Element, cards: tuple[Element, ...]
) -> ShuffleStatement:
    """``U = w·V`` and ``C'_k = w·C_π(k)``: old key U, new key V = ``key``."""
    old = tuple(slot.locked for slot in hidden)
    return ShuffleStatement(base=key, image=hidden[0].key, X=old, Y=cards)


def inspection(slot: Slot, key: Element, e1: Element, e2: Element) -> Statement:
    """``E1 = k·G``, ``E2 = u·C + k·P``, ``U = u·G``: the card of the slot, encrypted to P."""
    return relations(
        (e1, [("k", G)]), (e2, [("u", slot.locked), ("k", key)]), (slot.key, [("u", G)])
    )
