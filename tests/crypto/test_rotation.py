"""The rotation argument: every turn is proved, and nothing else is."""

from __future__ import annotations

import pytest

from p2p304.crypto.group import Element, Q, base, hash_to_element, mul
from p2p304.crypto.language import NotAWitness
from p2p304.crypto.rng import Rng
from p2p304.crypto.rotation import prove_rotation, statement, verify_rotation

RNG = Rng.from_seed(bytes(32))
CONTEXT = b"rotation test"


def deck(count: int) -> list[Element]:
    return [hash_to_element(b"rotation test", bytes([n])) for n in range(count)]


def turned(old: list[Element], u: int, by: int) -> list[Element]:
    inverse = pow(u, -1, Q)
    return [mul(inverse, card) for card in (*old[by:], *old[:by])]


@pytest.mark.parametrize(("count", "by"), [(1, 0), (2, 1), (5, 0), (5, 4), (32, 17)])
def test_a_rotation_is_proved_whatever_its_turn(count: int, by: int) -> None:
    old, u = deck(count), RNG.child(bytes([count, by])).scalar()
    new, key = turned(old, u, by), base(u)
    proof = prove_rotation(old, new, key, u, by, CONTEXT, RNG.child(b"nonces"))
    assert verify_rotation(old, new, key, proof, CONTEXT)
    assert not verify_rotation(old, new, key, proof, CONTEXT + b"!")
    assert not verify_rotation(old[:-1], new, key, proof, CONTEXT)
    bent = bytes([proof[0] ^ 1]) + proof[1:]
    assert not verify_rotation(old, new, key, bent, CONTEXT)


def test_the_folded_sums_are_those_of_the_definition() -> None:
    old, u = deck(6), RNG.child(b"sums").scalar()
    new, key = turned(old, u, 2), base(u)
    branches = statement(old, new, key, CONTEXT).branches
    holds = [mul(u, b.rows[1].terms[0][1]) == b.rows[1].image for b in branches]  # type: ignore[union-attr]
    assert holds == [number == 2 for number in range(6)]


def test_another_order_or_another_key_has_no_witness() -> None:
    old, u = deck(8), RNG.child(b"other").scalar()
    new = turned(old, u, 3)
    swapped = [new[1], new[0], *new[2:]]
    for false, key in ((swapped, base(u)), (new, base(u + 1))):
        for by in range(8):
            with pytest.raises(NotAWitness):
                prove_rotation(old, false, key, u, by, CONTEXT, RNG.child(b"n"))


def test_a_proof_for_one_deck_says_nothing_of_another() -> None:
    old, u = deck(8), RNG.child(b"one").scalar()
    new = turned(old, u, 3)
    proof = prove_rotation(old, new, base(u), u, 3, CONTEXT, RNG.child(b"n"))
    swapped = [new[1], new[0], *new[2:]]
    assert not verify_rotation(old, swapped, base(u), proof, CONTEXT)
