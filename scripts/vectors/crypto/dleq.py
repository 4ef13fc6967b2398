"""The vectors of equal logarithms: cards shown and unlocked, and faults in them."""

from __future__ import annotations

from p2p304.crypto import dleq
from p2p304.crypto import group as g
from p2p304.crypto.dleq import prove_dleq
from p2p304.crypto.rng import Rng
from scripts.vectors.crypto.proof_vector import (
    CONTEXT,
    SEED,
    Vector,
    above_the_order,
    cards,
    vector,
)


def dleq_fields(
    A: g.Element, B: g.Element, Cs: tuple[g.Element, ...], Ds: tuple[g.Element, ...], context: bytes
) -> Vector:
    return {
        "context": context.hex(),
        "A": A.hex(),
        "B": B.hex(),
        "C": [C.hex() for C in Cs],
        "D": [D.hex() for D in Ds],
    }


def dleq_vectors() -> list[Vector]:
    """A card shown, a batch unlocked, a base that is not the generator, and faults in them."""
    rng = Rng.from_seed(SEED).child(b"dleq")
    k, Ms = rng.scalar(), cards(12)
    A, B = g.G, g.base(k)
    Cs = tuple(g.mul(pow(k, -1, g.Q), M) for M in Ms)
    one = prove_dleq(k, A, B, Cs[:1], Ms[:1], CONTEXT, rng)
    many = prove_dleq(k, A, B, Cs, Ms, CONTEXT, rng)
    A2 = g.hash_to_element(b"p2p304-vectors", b"base")
    B2 = g.mul(k, A2)
    based = prove_dleq(k, A2, B2, Cs[:2], Ms[:2], CONTEXT, rng)
    swapped = (Ms[1], Ms[0], *Ms[2:])
    false = prove_dleq(k, A, B, Cs, swapped, CONTEXT, rng)

    M = g.combine(dleq._weights(A, B, Cs[:1], Ms[:1], CONTEXT), Cs[:1])
    c = dleq._challenge(A, B, M, g.mul(k, M), g.IDENTITY, g.IDENTITY, CONTEXT)

    single = dleq_fields(A, B, Cs[:1], Ms[:1], CONTEXT)
    batch = dleq_fields(A, B, Cs, Ms, CONTEXT)
    return [
        vector("one card", "the card behind a commitment is shown", single, one),
        vector("twelve cards", "a batch is unlocked", batch, many),
        vector(
            "another base",
            "A is not the generator",
            dleq_fields(A2, B2, Cs[:2], Ms[:2], CONTEXT),
            based,
        ),
        vector(
            "nonce 0",
            "T_2 and T_3, which the verifier computes, are the identity",
            single,
            g.encode_scalar(c) + g.encode_scalar(-c * k % g.Q),
        ),
        vector(
            "another hand",
            "the context differs",
            dleq_fields(A, B, Cs[:1], Ms[:1], CONTEXT + b"!"),
            one,
            "argument",
        ),
        vector(
            "two cards swapped",
            "proved with the right key",
            dleq_fields(A, B, Cs, swapped, CONTEXT),
            false,
            "argument",
        ),
        vector(
            "another key",
            "B is not k*A",
            dleq_fields(A, g.base(k + 1), Cs[:1], Ms[:1], CONTEXT),
            one,
            "argument",
        ),
        vector(
            "base not bound",
            "proof about A2 offered for 2*A2, 2*B2",
            dleq_fields(g.mul(2, A2), g.mul(2, B2), Cs[:2], Ms[:2], CONTEXT),
            based,
            "argument",
        ),
        vector(
            "c above the order",
            "the same number, encoded as c + Q",
            single,
            above_the_order(one, 0),
            "decode",
        ),
        vector(
            "s above the order",
            "the same number, encoded as s + Q",
            single,
            above_the_order(one, 1),
            "decode",
        ),
        vector("one byte short", "63 bytes", single, one[:-1], "decode"),
        vector("one byte more", "65 bytes", single, one + b"\x00", "decode"),
        vector(
            "identity as a card",
            "D_1 is the identity",
            dleq_fields(A, B, Cs[:1], (g.IDENTITY,), CONTEXT),
            one,
            "statement",
        ),
        vector(
            "empty batch",
            "nothing is said about any element",
            dleq_fields(A, B, (), (), CONTEXT),
            one,
            "statement",
        ),
    ]
