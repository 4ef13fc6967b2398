"""Statements of the game for the provers and verifiers of crypto/.

Responsible for what binds a proof to its place, and for the statements about keys, decks and
ciphertexts (SPEC.md, "What is proved when"). Prover (entry_writer.py) and verifier (checks.py) take
both from here. Statements about hidden cards are hidden_cards.py's.
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
    """The place of a proof: table (32 bytes), hand number, place in the log, link before it, seat.

    The context of every proof contains all of them, so that no proof can be moved to another place.
    """

    table: bytes
    number: int
    seq: int
    prev: bytes
    seat: int

    def context(self, what: bytes) -> bytes:
        """Return the context, at most 60 bytes: ``p2p304/1 ``, ``what``, a space, and a 32-byte
        digest of the place."""
        place = b"".join(n.to_bytes(8, "big") for n in (self.number, self.seq, self.seat))
        return b"p2p304/1 " + what + b" " + digest(b"p2p304 binding", self.table, place, self.prev)


def knowledge(key: Element) -> Statement:
    """State knowledge of x with ``key = x·G`` (Schnorr)."""
    return relations((key, [("x", G)]))


def shuffling(deal: Deal, seat: int, key: Element, deck: tuple[Element, ...]) -> ShuffleStatement:
    """State ``U = x·L`` and ``D_k = x·D'_π(k)`` for the deck D before and D' after.

    U is the new key ``key``. L is G, or this seat's key of the first round, whose lock is
    exchanged.
    """
    return ShuffleStatement(base=deal.keys[seat] or G, image=key, X=deck, Y=deal.deck)


def reordering(
    hidden: tuple[Slot, ...], key: Element, cards: tuple[Element, ...]
) -> ShuffleStatement:
    """State ``U = w·V`` and ``C'_k = w·C_π(k)`` for the old key U and the new key V = ``key``."""
    old = tuple(slot.locked for slot in hidden)
    return ShuffleStatement(base=key, image=hidden[0].key, X=old, Y=cards)


def inspection(slot: Slot, key: Element, e1: Element, e2: Element) -> Statement:
    """State ``E1 = k·G``, ``E2 = u·C + k·P`` and ``U = u·G``: the slot's card, encrypted to P."""
    return relations(
        (e1, [("k", G)]), (e2, [("u", slot.locked), ("k", key)]), (slot.key, [("u", G)])
    )
