"""The vectors of statements: keys, choices among cards, and faults in them."""

from __future__ import annotations

from p2p304.crypto import group as g
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import (
    All,
    AnyOf,
    Branch,
    Each,
    NoneAmong,
    Relations,
    Scalars,
    Statement,
    Witness,
    prove,
    relations,
)
from scripts.vectors.crypto.proof_vector import (
    CONTEXT,
    SEED,
    Vector,
    Zeros,
    above_the_order,
    cards,
    vector,
)


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
