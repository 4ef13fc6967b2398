"""Logarithms that differ: alone, and as branches of a choice."""

from __future__ import annotations

import pytest

from p2p304.crypto import group as g
from p2p304.crypto.inequality import (
    Unequal,
    as_relations,
    blinded,
    prove_unequal,
    random_differences,
    verify_unequal,
)
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import (
    All,
    AnyOf,
    Branch,
    Each,
    NotAWitness,
    Scalars,
    prove,
    prove_unchecked,
    relations,
    verify,
)

RNG = Rng.from_seed(bytes(32))
CONTEXT = b"table, hand and seat"
MS = tuple(g.hash_to_element(b"test", bytes([i])) for i in range(9))
U_KEY = RNG.child(b"u").scalar()
U = g.base(U_KEY)


def commitment(M: g.Element) -> g.Element:
    return g.mul(pow(U_KEY, -1, g.Q), M)


STATEMENT = Unequal(g.G, U, commitment(MS[8]), MS[:8])


@pytest.mark.usefixtures("engine")
def test_a_card_that_is_none_of_eight() -> None:
    proof = prove_unequal(STATEMENT, U_KEY, CONTEXT, RNG)
    assert len(proof) == 32 * 8 + 96
    assert verify_unequal(STATEMENT, proof, CONTEXT)
    assert not verify_unequal(STATEMENT, proof, b"elsewhere")


@pytest.mark.parametrize("which", range(8))
def test_a_card_that_is_one_of_eight_has_no_proof(which: int) -> None:
    false = Unequal(g.G, U, commitment(MS[which]), MS[:8])
    with pytest.raises(NotAWitness):
        prove_unequal(false, U_KEY, CONTEXT, RNG)
    # A prover who hides the equal one: another difference in its place does not fit.
    proof = prove_unequal(STATEMENT, U_KEY, CONTEXT, RNG)
    assert not verify_unequal(false, proof, CONTEXT)


def test_another_key_does_not_help() -> None:
    """(u+1)*C is none of the cards either, but U says that the key is u."""
    false = Unequal(g.G, U, commitment(MS[0]), MS[:8])
    with pytest.raises(NotAWitness):
        blinded(false, U_KEY + 1, CONTEXT, RNG)
    honest = Unequal(g.G, g.base(U_KEY + 1), false.C, false.Ms)
    Bs, witness = blinded(honest, U_KEY + 1, CONTEXT, RNG)
    proof = prove_unchecked(as_relations(false, Bs), witness, CONTEXT, RNG)
    assert not verify_unequal(false, b"".join(Bs) + proof, CONTEXT)


def test_the_identity_says_that_they_are_equal() -> None:
    """The relations hold with rho = 0 or with an equal card: only the look at each B refuses."""
    false = Unequal(g.G, U, commitment(MS[0]), MS[:8])
    Bs = (g.IDENTITY,) * 8
    nothing = prove(as_relations(false, Bs), Scalars({"v": 0, "m": 0}), CONTEXT, RNG)
    assert verify(as_relations(false, Bs), nothing, CONTEXT)
    assert not verify_unequal(false, b"".join(Bs) + nothing, CONTEXT)


def test_every_change_is_refused() -> None:
    proof = prove_unequal(STATEMENT, U_KEY, CONTEXT, RNG)
    for at in range(0, len(proof), 7):
        changed = proof[:at] + bytes([proof[at] ^ 2]) + proof[at + 1 :]
        assert not verify_unequal(STATEMENT, changed, CONTEXT)
    other = g.hash_to_element(b"test", b"other")
    for statement in (
        Unequal(other, U, STATEMENT.C, STATEMENT.Ms),
        Unequal(g.G, other, STATEMENT.C, STATEMENT.Ms),
        Unequal(g.G, U, other, STATEMENT.Ms),
        Unequal(g.G, U, STATEMENT.C, (*MS[:7], other)),
        Unequal(g.G, U, STATEMENT.C, MS[7::-1]),
        Unequal(g.G, U, STATEMENT.C, MS[:7]),
        Unequal(g.G, U, STATEMENT.C, ()),
    ):
        assert not verify_unequal(statement, proof, CONTEXT)
    for size in (0, 32, 95, len(proof) - 1):
        assert not verify_unequal(STATEMENT, proof[:size], CONTEXT)


def test_differences_do_not_repeat_between_contexts() -> None:
    first = prove_unequal(STATEMENT, U_KEY, CONTEXT, RNG)
    second = prove_unequal(STATEMENT, U_KEY, b"other", RNG)
    assert first[:32] != second[:32]
    assert prove_unequal(STATEMENT, U_KEY, CONTEXT, RNG) == first


def test_under_a_choice() -> None:
    """The indicator is of one of two suits, and another card is not of that suit; which, is
    not told: the true branch has honest differences, the other one random ones."""
    suits = (MS[:4], MS[4:8])
    indicator, card = commitment(MS[5]), commitment(MS[1])

    def is_one_of(Ms: tuple[g.Element, ...]) -> AnyOf:
        return AnyOf(tuple(relations((U, [("u", g.G)]), (M, [("u", indicator)])) for M in Ms))

    unequal = [Unequal(g.G, U, card, suit) for suit in suits]
    Bs, witness = blinded(unequal[1], U_KEY, CONTEXT, RNG)
    shown = (random_differences(4, RNG.child(b"random")), Bs)
    choice = AnyOf(
        tuple(
            All((is_one_of(suit), as_relations(each, B)))
            for suit, each, B in zip(suits, unequal, shown, strict=True)
        )
    )
    own = Each((Branch(1, Scalars({"u": U_KEY})), witness))
    proof = prove(choice, Branch(1, own), CONTEXT, RNG)
    assert verify(choice, proof, CONTEXT)
    with pytest.raises(NotAWitness):
        prove(choice, Branch(0, own), CONTEXT, RNG)
