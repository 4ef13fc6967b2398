"""The vectors of logarithms that differ: cards that are not of a suit, and choices of them."""

from __future__ import annotations

from p2p304.crypto import group as g
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import AnyOf, Hidden, NoneAmong, prove_by_keys
from scripts.vectors.crypto.proof_vector import CONTEXT, SEED, Vector, cards, changed, vector


def none_among_vectors() -> list[Vector]:
    """Cards that are not of a suit, locked and encrypted, and faults in the proof."""
    rng = Rng.from_seed(SEED).child(b"none among")
    u, x, k = rng.scalar(), rng.scalar(), rng.scalar()
    Ms, U, X = cards(10), g.base(u), g.base(x)
    locked = [Hidden(U, g.mul(pow(u, -1, g.Q), M)) for M in Ms]
    secret = Hidden(X, g.sub(g.IDENTITY, g.base(k)), g.add(Ms[9], g.mul(k, X)))

    def fields(statement: NoneAmong, context: bytes = CONTEXT) -> Vector:
        hidden = [
            {"key": h.key.hex(), "times": h.times.hex(), "plus": h.plus and h.plus.hex()}
            for h in statement.hidden
        ]
        return {
            "context": context.hex(),
            "hidden": hidden,
            "elements": [M.hex() for M in statement.elements],
        }

    statement = NoneAmong((locked[8], secret), Ms[:8])
    proof = prove_by_keys(statement, {U: u, X: x}, CONTEXT, rng)
    equal = NoneAmong((locked[7], secret), Ms[:8])
    bad = [
        (
            "of the suit after all",
            "the first card is the last of the suit",
            fields(equal),
            proof,
            "argument",
        ),
        (
            "they are equal",
            "P_1 is Q_1: decoded, and refused as equal",
            fields(statement),
            changed(proof, 0, proof[64:96]),
            "argument",
        ),
        (
            "the identity",
            "P_1 is the identity",
            fields(statement),
            changed(proof, 0, g.IDENTITY),
            "decode",
        ),
        (
            "another element",
            "P_1 is twice what it was",
            fields(statement),
            changed(proof, 0, g.mul(2, g.Element(proof[:32]))),
            "argument",
        ),
        (
            "a second encoding",
            "P_1 with its top bit set",
            fields(statement),
            changed(proof, 0, proof[:31] + bytes([proof[31] | 128])),
            "decode",
        ),
        (
            "not an element",
            "P_1 is no encoding",
            fields(statement),
            changed(proof, 0, b"\x01" + bytes(31)),
            "decode",
        ),
        (
            "another hand",
            "the context differs",
            fields(statement, CONTEXT + b"!"),
            proof,
            "argument",
        ),
        ("one byte short", "a scalar is cut", fields(statement), proof[:-1], "decode"),
    ]
    good = vector("not of the suit", "two keys, one card encrypted", fields(statement), proof)
    return [good, *(vector(*one) for one in bad), *choice_vectors(u, locked)]


def choice_vectors(u: int, locked: list[Hidden]) -> list[Vector]:
    """Choices over the same elements, for which they are published once."""
    rng, Ms = Rng.from_seed(SEED).child(b"choice"), cards(10)

    def fields(*branches: NoneAmong) -> Vector:
        hidden = [
            [{"key": h.key.hex(), "times": h.times.hex(), "plus": None} for h in b.hidden]
            for b in branches
        ]
        return {
            "context": CONTEXT.hex(),
            "branches": hidden,
            "elements": [M.hex() for M in branches[0].elements],
        }

    first, second = NoneAmong((locked[8],), Ms[:8]), NoneAmong((locked[7], locked[9]), Ms[:8])
    proof = prove_by_keys(AnyOf((first, second)), {g.base(u): u}, CONTEXT, rng)
    shown = fields(first, second)
    return [
        vector("one of two", "the second branch is false", shown, proof),
        vector(
            "both false",
            "the card of the first branch is of the suit too",
            fields(NoneAmong((locked[7],), Ms[:8]), second),
            proof,
            "argument",
        ),
        vector(
            "a branch with a card more",
            "two cards in the first branch, and the proof is made for one",
            fields(second, second),
            proof,
            "decode",
        ),
        vector(
            "another branch", "the branches exchanged", fields(second, first), proof, "argument"
        ),
        vector(
            "a blinded card is one of the suit's",
            "P_1 is Q_1: decoded, and refused as equal",
            shown,
            changed(proof, 0, proof[96:128]),
            "argument",
        ),
    ]
