"""Proofs of statements that need not be true, for cheats."""

from __future__ import annotations

from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import Statement, Witness, _begin, _prove


def prove_unchecked(statement: Statement, witness: Witness, context: bytes, rng: Rng) -> bytes:
    """Prove as `prove` does, but try no relation: where one does not hold, `verify` refuses."""
    return _prove(statement, witness, _begin(statement, context), rng, checked=False)
