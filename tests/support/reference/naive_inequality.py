"""The naive twin of `NoneAmong`: every hidden card is one of all the others of the pack.

A plain 1-of-n choice of openings (Cramer, Damgard and Schoenmakers), one for each hidden card: it
says the same of cards of a pack, costs n times as much, and shares neither the blinding nor the
comparison of published elements.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.crypto.group import Element, G, Q, mul
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import (
    All,
    AnyOf,
    Branch,
    Each,
    Hidden,
    NoneAmong,
    NotAWitness,
    Scalars,
    prove,
    relations,
    verify,
)


def positive(statement: NoneAmong, pack: Sequence[Element]) -> All:
    """Every hidden card is one of the pack's cards that are not excluded."""
    others = [M for M in pack if M not in statement.elements]
    return All(
        tuple(
            AnyOf(
                tuple(relations((each.key, [("u", G)]), (M, [("u", each.times)])) for M in others)
            )
            for each in statement.hidden
        )
    )


def prove_naively(
    statement: NoneAmong, pack: Sequence[Element], u: int, context: bytes, rng: Rng
) -> bytes:
    """Raises NotAWitness where a hidden card is excluded."""
    others = [M for M in pack if M not in statement.elements]
    try:
        cards = [others.index(mul(u, each.times)) for each in statement.hidden]
    except ValueError as error:
        raise NotAWitness("a hidden card is one of those excluded") from error
    witness = Each(tuple(Branch(at, Scalars({"u": u})) for at in cards))
    return prove(positive(statement, pack), witness, context, rng)


def verify_naively(
    statement: NoneAmong, pack: Sequence[Element], proof: bytes, context: bytes
) -> bool:
    return verify(positive(statement, pack), proof, context)


def locked(u: int, M: Element, key: Element) -> Hidden:
    """The card M, locked by the holder of u."""
    return Hidden(key, mul(pow(u, -1, Q), M))
