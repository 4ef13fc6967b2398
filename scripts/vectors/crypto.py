"""Writes our own vectors of the cryptography into protocol/vectors/crypto.

Every vector holds its statement and proof as hexadecimal fields, what a verifier must answer
(`expect`: ok or refused), the first layer that must refuse it (`layer`: statement, decode or
argument) and why (`comment`). Proofs are deterministic, so a second run writes the same bytes.
Run it as `scripts/dev vectors-crypto`.
"""

from __future__ import annotations

import json
from typing import Any

from p2p304.crypto import dleq
from p2p304.crypto import group as g
from p2p304.crypto.dleq import prove_dleq
from p2p304.crypto.rng import Rng
from p2p304.crypto.shuffle import ShuffleStatement, prove_shuffle
from p2p304.crypto.statements import (
    All,
    AnyOf,
    Branch,
    Each,
    Hidden,
    NoneAmong,
    Relations,
    Scalars,
    Statement,
    Witness,
    prove,
    prove_by_keys,
    relations,
)
from scripts.usage import answer_help
from scripts.vectors.signatures import signature_vectors
from scripts.vectors.two_party import passphrase_vectors, sealed_vectors
from tests.support.paths import PROTOCOL

FOLDER = PROTOCOL / "vectors" / "crypto"
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


# Randomness ---------------------------------------------------------------------------------


def rng_vectors() -> list[Vector]:
    """Streams, children, scalars and permutations of one seed."""
    found: list[Vector] = []
    for labels in ((), (b"hand", b"3"), (b"hand3",), (b"", b""), (b"",)):
        rng = Rng.from_seed(SEED)
        rng = rng.child(*labels) if labels else rng
        twin = Rng.from_seed(SEED).child(*labels) if labels else Rng.from_seed(SEED)
        third = Rng.from_seed(SEED).child(*labels) if labels else Rng.from_seed(SEED)
        shared = {"seed": SEED.hex(), "labels": [label.hex() for label in labels]}
        found += [
            {**shared, "draw": "bytes", "count": 80, "result": rng.bytes(80).hex()},
            {**shared, "draw": "scalar", "result": g.encode_scalar(twin.scalar()).hex()},
            {**shared, "draw": "permutation", "count": 32, "result": list(third.permutation(32))},
        ]
    return found


# Equal logarithms ---------------------------------------------------------------------------


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


# Statements ---------------------------------------------------------------------------------


def statement_fields(statement: Statement) -> Vector:
    """The statement as JSON: {"relations": [...]}, {"all": [...]} or {"any": [...]}."""
    match statement:
        case NoneAmong():
            raise ValueError("a file of its own holds these")
        case Relations(rows):
            return {
                "relations": [
                    {"image": row.image.hex(), "terms": [[name, A.hex()] for name, A in row.terms]}
                    for row in rows
                ]
            }
        case All(parts):
            return {"all": [statement_fields(part) for part in parts]}
        case AnyOf(branches):
            return {"any": [statement_fields(branch) for branch in branches]}


def statement_vectors() -> list[Vector]:
    """Knowledge of a key, one card of a suit, nested choices, and faults in them."""
    rng = Rng.from_seed(SEED).child(b"statements")
    u, Ms = rng.scalar(), cards(8)
    U, C = g.base(u), g.mul(pow(u, -1, g.Q), Ms[5])

    def is_card(M: g.Element) -> Relations:
        return relations((U, [("u", g.G)]), (M, [("u", C)]))

    def fields(statement: Statement, context: bytes = CONTEXT) -> Vector:
        return {"context": context.hex(), "statement": statement_fields(statement)}

    def proved(statement: Statement, witness: Witness) -> bytes:
        return prove(statement, witness, CONTEXT, rng)

    key, own = relations((U, [("u", g.G)])), Scalars({"u": u})
    suit = AnyOf(tuple(map(is_card, Ms)))
    a, b = rng.scalar(), rng.scalar()
    pedersen = relations((g.combine((a, b), (g.G, Ms[0])), [("a", g.G), ("b", Ms[0])]))
    nested = All((key, AnyOf((is_card(Ms[0]), All((is_card(Ms[5]), suit))))))
    nested_witness = Each((own, Branch(1, Each((own, Branch(5, own))))))
    key_proof, suit_proof = proved(key, own), proved(suit, Branch(5, own))
    absent = AnyOf(tuple(map(is_card, Ms[:4])))
    zero = relations((g.IDENTITY, [("v", g.G), ("m", U)]))
    zero_witness = Scalars({"v": 3 * u % g.Q, "m": g.Q - 3})
    empty = relations((U, [("u", g.IDENTITY)]))
    return [
        vector("knowledge of a key", "U = u*G", fields(key), key_proof),
        vector(
            "two scalars",
            "a commitment a*G + b*H opened in secret",
            fields(pedersen),
            proved(pedersen, Scalars({"a": a, "b": b})),
        ),
        vector("one card of eight", "the sixth branch is true", fields(suit), suit_proof),
        vector(
            "nested",
            "all of (key, any of (card 0, all of (card 5, one of eight)))",
            fields(nested),
            proved(nested, nested_witness),
        ),
        vector("identity as image", "0 = v*G + m*U", fields(zero), proved(zero, zero_witness)),
        vector(
            "nonces 0",
            "every commitment, which the verifier computes, is the identity",
            fields(suit),
            prove(suit, Branch(5, own), CONTEXT, Zeros()),
        ),
        vector(
            "another hand",
            "the context differs",
            fields(key, CONTEXT + b"!"),
            key_proof,
            "argument",
        ),
        vector(
            "another key",
            "U is not the one proved",
            fields(relations((g.add(U, g.G), [("u", g.G)]))),
            key_proof,
            "argument",
        ),
        vector(
            "branches reordered",
            "the same choice in another order",
            fields(AnyOf(suit.branches[::-1])),
            suit_proof,
            "argument",
        ),
        vector(
            "no branch holds",
            "the card is none of the four",
            fields(absent),
            suit_proof[: 32 * 8],
            "argument",
        ),
        vector(
            "scalar above the order",
            "the last response plus Q",
            fields(suit),
            above_the_order(suit_proof, 15),
            "decode",
        ),
        vector(
            "one scalar short",
            "fewer scalars than the statement needs",
            fields(suit),
            suit_proof[:-32],
            "decode",
        ),
        vector(
            "one scalar more",
            "more scalars than the statement needs",
            fields(suit),
            suit_proof + bytes(32),
            "decode",
        ),
        vector(
            "identity as element",
            "u times the identity says nothing of u",
            fields(empty),
            key_proof,
            "statement",
        ),
        vector("no branches", "an empty choice", fields(AnyOf(())), key_proof, "statement"),
    ]


# Logarithms that differ ---------------------------------------------------------------------


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


# Shuffles -----------------------------------------------------------------------------------


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


FILES = {
    "rng": ("Randomness", rng_vectors),
    "dleq": ("Equal logarithms", dleq_vectors),
    "statements": ("Statements", statement_vectors),
    "none-among": ("Logarithms that differ", none_among_vectors),
    "shuffle": ("The shuffle argument", shuffle_vectors),
    "signatures": ("Signatures", signature_vectors),
    "sealed": ("Sealed boxes", sealed_vectors),
    "passphrase": ("Passphrase", passphrase_vectors),
}


def texts() -> dict[str, str]:
    """The files' names without ending, and their text."""
    found = {}
    for name, (section, make) in FILES.items():
        content = {"source": f"p2p304, SPEC.md, {section}", "vectors": make()}
        found[name] = json.dumps(content, indent=1) + "\n"
    return found


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in texts().items():
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    answer_help(__doc__)
    main()
