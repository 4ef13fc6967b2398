"""The vectors of the shuffle argument."""

from __future__ import annotations

from typing import Any

from p2p304.crypto import group as g
from p2p304.crypto.rng import Rng
from p2p304.crypto.shuffle import ShuffleStatement, prove_shuffle
from scripts.vectors.crypto.proof_vector import (
    CONTEXT,
    SEED,
    Vector,
    Zeros,
    above_the_order,
    cards,
    changed,
    vector,
)


def shuffle_fields(statement: ShuffleStatement, context: bytes = CONTEXT) -> Vector:
    return {
        "context": context.hex(),
        "base": statement.base.hex(),
        "image": statement.image.hex(),
        "X": [A.hex() for A in statement.X],
        "Y": [A.hex() for A in statement.Y],
    }


def shuffle_vectors() -> list[Vector]:
    """Small shuffles whole, a deck of 32, and faults in statement, encoding and argument."""
    found = []
    for count in (2, 5, 32):
        rng = Rng.from_seed(SEED).child(b"shuffle", bytes([count]))
        x, pi, X = rng.scalar(), rng.permutation(count), cards(count)
        statement = ShuffleStatement(g.G, g.base(x), X, tuple(g.mul(x, X[j]) for j in pi))
        proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
        comment = "Y_i = x*X_pi(i) and image = x*G"
        found.append(vector(f"{count} cards", comment, shuffle_fields(statement), proof))
    rng = Rng.from_seed(SEED).child(b"shuffle faults")
    x, pi, X = rng.scalar(), (1, 3, 0, 2), cards(4)
    V = g.hash_to_element(b"p2p304-vectors", b"base")
    Y = tuple(g.mul(x, X[j]) for j in pi)
    statement = ShuffleStatement(V, g.mul(x, V), X, Y)
    proof = prove_shuffle(statement, x, pi, CONTEXT, rng)
    whole = shuffle_fields(statement)

    def false(Y: tuple[g.Element, ...], image: g.Element) -> tuple[Vector, bytes]:
        wrong = ShuffleStatement(V, image, X, Y)
        return shuffle_fields(wrong), prove_shuffle(wrong, x, pi, CONTEXT, rng)

    def about(**parts: Any) -> Vector:
        known = {"base": V, "image": statement.image, "X": X, "Y": Y}
        return shuffle_fields(ShuffleStatement(**{**known, **parts}))

    replaced = false((g.mul(x, cards(5)[4]), *Y[1:]), statement.image)
    rekeyed = false((g.mul(x + 1, X[pi[0]]), *Y[1:]), statement.image)
    other_image = false(Y, g.mul(x + 1, V))
    moved = (Y[1], Y[0], *Y[2:])
    found += [
        vector("another base", "image = x*V for V that is not the generator", whole, proof),
        vector(
            "a card replaced",
            "Y_1 is x times a card that is not in X",
            replaced[0],
            replaced[1],
            "argument",
        ),
        vector(
            "a card under another key",
            "Y_1 is (x+1) times its card",
            rekeyed[0],
            rekeyed[1],
            "argument",
        ),
        vector("another image", "image is (x+1)*base", other_image[0], other_image[1], "argument"),
        vector(
            "two cards moved after the proof",
            "a shuffle, but not the proved one",
            about(Y=moved),
            proof,
            "argument",
        ),
        vector(
            "another hand",
            "the context differs",
            shuffle_fields(statement, CONTEXT + b"!"),
            proof,
            "argument",
        ),
        vector("a card twice", "Y_1 = Y_2", about(Y=(Y[1], *Y[1:])), proof, "statement"),
        vector("a card twice in X", "X_1 = X_2", about(X=(X[1], *X[1:])), proof, "statement"),
        vector(
            "identity as a card",
            "Y_1 is the identity",
            about(Y=(g.IDENTITY, *Y[1:])),
            proof,
            "statement",
        ),
        vector("identity as image", "x = 0", about(image=g.IDENTITY), proof, "statement"),
        vector("identity as base", "image = x*0", about(base=g.IDENTITY), proof, "statement"),
        vector("a card lost", "Y is shorter than X", about(Y=Y[:3]), proof, "statement"),
        vector(
            "one card",
            "a single card is not shuffled",
            about(X=X[:1], Y=Y[:1]),
            proof[: 32 * 13],
            "statement",
        ),
        vector(
            "commitment is the identity",
            "A is the identity",
            whole,
            changed(proof, 0, g.IDENTITY),
            "decode",
        ),
        vector(
            "nonces 0",
            "D, E, F, W, T and T_P are the identity, and every equation holds",
            whole,
            prove_shuffle(statement, x, pi, CONTEXT, Zeros(1)),
            "decode",
        ),
        vector(
            "commitment with its top bit set",
            "a second encoding of D",
            whole,
            changed(proof, 2, proof[64:95] + bytes([proof[95] | 128])),
            "decode",
        ),
        vector(
            "commitment is no element",
            "T is no encoding",
            whole,
            changed(proof, 6, b"\x01" + bytes(31)),
            "decode",
        ),
        vector(
            "another commitment", "E is another element", whole, changed(proof, 3, X[0]), "argument"
        ),
        vector(
            "another response",
            "the last scalar is 1",
            whole,
            changed(proof, 21, g.encode_scalar(1)),
            "argument",
        ),
        vector("scalar above the order", "a_1 + Q", whole, above_the_order(proof, 8), "decode"),
        vector("one scalar short", "the last scalar is missing", whole, proof[:-32], "decode"),
        vector("one scalar more", "a scalar 0 at the end", whole, proof + bytes(32), "decode"),
    ]
    return found
