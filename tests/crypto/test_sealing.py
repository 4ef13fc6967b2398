"""Boxes: opened by their receiver, and by whoever is shown the point that opens them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.crypto.group import G, GroupError, Q, base, encode_scalar, mul
from p2p304.crypto.rng import Rng
from p2p304.crypto.sealing import BOX, disclose, is_disclosed, seal, unseal, unseal_with
from tests.support.paths import ROOT

RNG = Rng.from_seed(bytes(31) + b"\x09")
E_SECRET, OTHER, R_SECRET = (RNG.child(name).scalar() for name in (b"e", b"other", b"r"))
E, R = base(E_SECRET), base(R_SECRET)
SCALARS = st.integers(min_value=0, max_value=Q - 1)


@given(SCALARS, st.binary(max_size=80))
def test_what_is_sealed_comes_out_for_its_receiver_alone(x: int, about: bytes) -> None:
    box = seal(x, R_SECRET, E, about)
    assert len(box) == BOX
    assert unseal(E_SECRET, R, box, about) == x
    assert unseal(OTHER, R, box, about) != x
    assert unseal(E_SECRET, base(R_SECRET + 1), box, about) != x
    assert unseal(E_SECRET, R, box, about + b"x") != x


def test_two_receivers_of_one_scalar_get_boxes_that_have_nothing_in_common() -> None:
    one, two = (seal(5, R_SECRET, base(e), b"a") for e in (E_SECRET, OTHER))
    assert len({one, two, seal(5, R_SECRET, E, b"b"), encode_scalar(5)}) == 4


def test_whoever_is_shown_the_point_opens_what_it_opens_and_nothing_else() -> None:
    box, second = (seal(7, r, E, b"a") for r in (R_SECRET, R_SECRET + 1))
    Z, proof = disclose(E_SECRET, R, b"here", RNG)
    assert mul(R_SECRET, E) == Z
    assert is_disclosed(Z, E, R, proof, b"here")
    assert unseal_with(Z, E, R, box, b"a") == 7
    assert unseal_with(Z, E, base(R_SECRET + 1), second, b"a") != 7
    assert not is_disclosed(Z, E, base(R_SECRET + 1), proof, b"here")
    assert not is_disclosed(Z, base(OTHER), R, proof, b"here")
    assert not is_disclosed(mul(2, Z), E, R, proof, b"here")
    assert not is_disclosed(Z, E, R, proof, b"there")


def test_a_box_that_is_no_scalar_is_no_box() -> None:
    with pytest.raises(GroupError):
        unseal(E_SECRET, G, Q.to_bytes(32, "little"), b"")


def test_the_box_that_the_specification_shows() -> None:
    box = seal(5, 3, base(2), bytes(range(64)))
    section = (ROOT / "SPEC.md").read_text().split("\n### Sealed boxes\n")[1].split("\n### ")[0]
    assert f"\n    {box.hex()}\n" in section
