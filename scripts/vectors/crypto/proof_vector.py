"""Rows for statements with their proofs, and ways to make a proof false.

A row says what a verifier must answer (`expect`: ok or refused), the first layer that must refuse
it (`layer`: statement, decode or argument) and why (`comment`). Proofs are deterministic, so a
second run writes the same bytes.
"""

from __future__ import annotations

from typing import Any

from p2p304.crypto import group as g
from p2p304.crypto.rng import Rng

SEED = bytes(range(32))
CONTEXT = b"p2p304 vectors, hand 3, seat 2"
Vector = dict[str, Any]


class Zeros(Rng):
    """What a liar draws its nonces from: some numbers, then 0 for ever."""

    __slots__ = ("_first",)

    def __init__(self, *first: int) -> None:
        super().__init__(bytes(32))
        self._first = list(first)

    def child(self, *labels: bytes) -> Rng:
        return self

    def scalar(self) -> int:
        return self._first.pop(0) if self._first else 0


def cards(count: int) -> tuple[g.HashedElement, ...]:
    """Elements to which nobody knows a relation."""
    return tuple(g.hash_to_element(b"p2p304-vectors", bytes([i])) for i in range(count))


def vector(
    name: str, comment: str, fields: Vector, proof: bytes, layer: str | None = None
) -> Vector:
    """One entry of a file; without a layer it must be accepted."""
    verdict: Vector = {"expect": "ok"} if layer is None else {"expect": "refused", "layer": layer}
    return {"name": name, "comment": comment, **verdict, **fields, "proof": proof.hex()}


def changed(proof: bytes, at: int, field: bytes) -> bytes:
    """The proof with another field of 32 bytes."""
    return proof[: 32 * at] + field + proof[32 * at + 32 :]


def above_the_order(proof: bytes, at: int) -> bytes:
    """The proof with the same scalar in a second encoding."""
    x = int.from_bytes(proof[32 * at : 32 * at + 32], "little") + g.Q
    return changed(proof, at, x.to_bytes(32, "little"))
