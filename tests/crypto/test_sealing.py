"""Boxes: opened by their receiver, and by whoever is shown the point that opens them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.crypto.group import GroupError, Q, base, mul
from p2p304.crypto.rng import Rng
from p2p304.crypto.sealing import BOX, disclose, is_disclosed, seal, unseal, unseal_with

RNG = Rng.from_seed(bytes(31) + b"\x09")
E_SECRET, OTHER = RNG.child(b"e").scalar(), RNG.child(b"other").scalar()
SCALARS = st.integers(min_value=0, max_value=Q - 1)


@given(SCALARS, st.binary(max_size=80))
def test_what_is_sealed_comes_out_for_its_receiver_alone(x: int, about: bytes) -> None:
    box = seal(x, base(E_SECRET), about, RNG)
    assert len(box) == BOX
    assert unseal(E_SECRET, box, about) == x
    assert unseal(OTHER, box, about) is None
    assert unseal(E_SECRET, box, about + b"x") is None


@given(st.integers(min_value=32, max_value=BOX - 1), st.integers(min_value=0, max_value=7))
def test_a_bent_box_opens_to_nothing(at: int, bit: int) -> None:
    box = bytearray(seal(5, base(E_SECRET), b"", RNG))
    box[at] ^= 1 << bit
    assert unseal(E_SECRET, bytes(box), b"") is None


def test_the_same_seed_seals_the_same_and_another_does_not() -> None:
    one, two = (seal(5, base(E_SECRET), b"", RNG.child(b"seed")) for _ in range(2))
    assert one == two != seal(5, base(E_SECRET), b"", RNG.child(b"other"))
    assert b"\x05" + bytes(31) not in one


def test_whoever_is_shown_the_point_opens_this_box_and_no_other() -> None:
    box, second = (seal(x, base(E_SECRET), b"a", RNG) for x in (7, 8))
    Z, proof = disclose(E_SECRET, box, b"here", RNG)
    assert is_disclosed(Z, base(E_SECRET), box, proof, b"here")
    assert unseal_with(Z, base(E_SECRET), box, b"a") == 7
    assert unseal_with(Z, base(E_SECRET), second, b"a") is None
    assert not is_disclosed(Z, base(E_SECRET), second, proof, b"here")
    assert not is_disclosed(Z, base(OTHER), box, proof, b"here")
    assert not is_disclosed(mul(2, Z), base(E_SECRET), box, proof, b"here")
    assert not is_disclosed(Z, base(E_SECRET), box, proof, b"there")


@pytest.mark.parametrize("first", [bytes(32), b"\xff" * 32])
def test_a_box_without_an_ephemeral_key_is_no_box(first: bytes) -> None:
    with pytest.raises(GroupError):
        unseal(E_SECRET, first + bytes(48), b"")
