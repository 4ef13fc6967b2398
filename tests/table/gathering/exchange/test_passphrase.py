"""The passphrase exchange alone: which spellings are one passphrase, and what both sides prove."""

from __future__ import annotations

import re
from importlib.metadata import version

import pytest

from p2p304.crypto.rng import Rng
from p2p304.log.faults import Refused
from p2p304.table.agreement.terms import digest
from p2p304.table.gathering.exchange.passphrase import MOST, Exchange, WrongPassphrase
from tests.support.paths import ROOT

FOUNDER, VISITOR = bytes(32), bytes([1]) * 32


def pair(one: str, other: str) -> tuple[Exchange, Exchange]:
    sides = (
        Exchange(one, FOUNDER, VISITOR, True, Rng.from_seed(bytes(32)).bytes),
        Exchange(other, FOUNDER, VISITOR, False, Rng.from_seed(bytes([1]) * 32).bytes),
    )
    sides[0].finish(sides[1].message)
    sides[1].finish(sides[0].message)
    return sides


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Jak fruit ", "jak  FRUIT"),
        ("jak fruit", "Ｊak fruit"),
        ("x" * 128 + "a", "x" * 128 + "b"),
        ("straße", "STRASSE"),
        ("jak\x1c\x1ffruit", "jak\u3000fruit"),
    ],
)
def test_width_case_and_spacing_do_not_count_nor_what_follows_128_characters(
    one: str, other: str
) -> None:
    founder, visitor = pair(one, other)
    founder.verify(visitor.proof)
    visitor.verify(founder.proof)
    assert founder.proof != visitor.proof


@pytest.mark.parametrize(
    ("one", "other"), [("jak fruit", "jakfruit"), ("", "a"), ("x" * 127 + "a", "x" * 127 + "b")]
)
def test_another_passphrase_is_another_key(one: str, other: str) -> None:
    founder, visitor = pair(one, other)
    for side, proof in ((founder, visitor.proof), (visitor, founder.proof)):
        with pytest.raises(WrongPassphrase):
            side.verify(proof)
    assert MOST == 128


def test_a_proof_of_the_own_side_and_one_before_the_exchange_prove_nothing() -> None:
    founder, _ = pair("jak", "jak")
    with pytest.raises(WrongPassphrase):
        founder.verify(founder.proof)
    fresh = Exchange("jak", FOUNDER, VISITOR, True, Rng.from_seed(bytes(32)).bytes)
    other = Exchange("jak", FOUNDER, VISITOR, False, Rng.from_seed(bytes(32)).bytes)
    with pytest.raises(WrongPassphrase):
        fresh.verify(other.proof)  # both computed from no key


OTHER_IDENTITIES = [
    n.to_bytes(32, "little") for n in (2**255 - 18, 2**255 - 18 + 2**255, 2**255 + 1)
]
"""Encodings of the point at infinity that are not canonical, of which the package takes some."""


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"B",
        b"B" + bytes(31),
        b"B" + b"\xff" * 32,
        b"\0" * 33,
        *(b"B" + each for each in OTHER_IDENTITIES),
    ],
    ids=bytes.hex,
)
def test_what_is_no_message_of_the_exchange_is_refused(wrong: bytes) -> None:
    side = Exchange("jak", FOUNDER, VISITOR, True, Rng.from_seed(bytes(32)).bytes)
    with pytest.raises(Refused, match="W10"):
        side.finish(wrong)


def test_the_own_message_is_refused() -> None:
    side = Exchange("jak", FOUNDER, VISITOR, True, Rng.from_seed(bytes(32)).bytes)
    with pytest.raises(Refused, match="W10"):
        side.finish(side.message)


def test_the_example_of_the_specification_is_what_both_sides_compute() -> None:
    section = (ROOT / "SPEC.md").read_text(encoding="utf-8").split("\n### Passphrase\n")[1]
    shown = dict(re.findall(r"^\| (.+?) \| `([0-9a-f]+)` \|$", section, re.MULTILINE))
    keys = bytes([1]) * 32, bytes([2]) * 32
    founder = Exchange("red lotus", *keys, True, lambda size: (2).to_bytes(size, "big"))
    visitor = Exchange("red lotus", *keys, False, lambda size: (3).to_bytes(size, "big"))
    founder.finish(visitor.message)
    visitor.finish(founder.message)
    assert shown["founder's `exchange`"] == founder.message.hex()
    assert shown["visitor's `exchange`"] == visitor.message.hex()
    assert shown["founder's `proof`"] == founder.proof.hex()
    assert shown["visitor's `proof`"] == visitor.proof.hex()
    assert founder.proof == digest(b"p2p304 passphrase", bytes.fromhex(shown["key"]), b"founder")
    (release,) = re.findall(r"package `spake2` ([\d.]+) computes", section)
    assert version("spake2") == release, "SPEC.md names the release that computes this"
