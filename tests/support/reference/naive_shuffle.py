"""The naive twin of the shuffle argument: cut and choose, with no algebra to get wrong.

In each of 128 rounds the prover hides a deck of its own: X in a fresh order under a fresh key. A
hash of all hidden decks tosses a coin for each, and the prover shows how that deck comes either
from X or from Y. Whoever could answer both has shown how Y comes from X; whoever cannot is
caught in every other round.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from p2p304.crypto import group as g
from p2p304.crypto.rng import Rng
from p2p304.crypto.shuffle import ShuffleStatement

ROUNDS = 128


@dataclass(frozen=True)
class Opening:
    """Where a hidden deck comes from: element i is key times element order[i]."""

    key: int
    order: tuple[int, ...]


@dataclass(frozen=True)
class NaiveProof:
    hidden: tuple[bytes, ...]
    openings: tuple[Opening, ...]


def locked(key: int, base: g.Element, deck: Sequence[g.Element], order: Sequence[int]) -> bytes:
    """The fingerprint of a deck in an order under a key, and of the base under the same key."""
    shown = [g.mul(key, base), *(g.mul(key, deck[j]) for j in order)]
    return hashlib.sha512(b"".join(shown)).digest()


def coins(statement: ShuffleStatement, hidden: Sequence[bytes], context: bytes) -> list[bool]:
    everything = [context, statement.base, statement.image, *statement.X, *statement.Y, *hidden]
    digest = hashlib.sha512(b"".join(everything)).digest()
    return [bool(digest[i // 8] >> i % 8 & 1) for i in range(ROUNDS)]


def prove_naively(
    statement: ShuffleStatement, x: int, pi: Sequence[int], context: bytes, rng: Rng
) -> NaiveProof:
    count = len(statement.X)
    where = {j: i for i, j in enumerate(pi)}  # Y[where[j]] is x*X[j]
    fresh = [Opening(rng.scalar(), rng.permutation(count)) for _ in range(ROUNDS)]
    hidden = tuple(locked(each.key, statement.base, statement.X, each.order) for each in fresh)
    openings = []
    for each, from_y in zip(fresh, coins(statement, hidden, context), strict=True):
        if from_y:
            order = tuple(where.get(j, 0) for j in each.order)
            openings.append(Opening(each.key * pow(x, -1, g.Q) % g.Q, order))
        else:
            openings.append(each)
    return NaiveProof(hidden, tuple(openings))


def verify_naively(statement: ShuffleStatement, proof: NaiveProof, context: bytes) -> bool:
    count = len(statement.X)
    if len(proof.hidden) != ROUNDS or len(proof.openings) != ROUNDS:
        return False
    tossed = coins(statement, proof.hidden, context)
    for hidden, opening, from_y in zip(proof.hidden, proof.openings, tossed, strict=True):
        if sorted(opening.order) != list(range(count)):
            return False
        base, deck = (statement.image, statement.Y) if from_y else (statement.base, statement.X)
        if locked(opening.key, base, deck, opening.order) != hidden:
            return False
    return True
