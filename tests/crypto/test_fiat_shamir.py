"""Transcripts: no two histories give the same challenge."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.crypto.fiat_shamir import Transcript
from p2p304.crypto.group import Q, base

STEPS = st.lists(
    st.tuples(st.sampled_from("aec"), st.binary(max_size=3), st.integers(0, 3)), max_size=4
)


def after(steps: list[tuple[str, bytes, int]]) -> int:
    transcript = Transcript(b"test")
    for kind, label, size in steps:
        match kind:
            case "a":
                transcript.absorb(label, bytes(32 * size))
            case "e":
                transcript.absorb_elements(label, [base(1)] * size)
            case _:
                transcript.challenge(label)
    return transcript.challenge(b"end")


def spelt(steps: list[tuple[str, bytes, int]]) -> list[tuple[str, bytes, int]]:
    return [(kind, label, 0 if kind == "c" else size) for kind, label, size in steps]


@given(first=STEPS, second=STEPS)
def test_challenges_agree_exactly_when_histories_do(
    first: list[tuple[str, bytes, int]], second: list[tuple[str, bytes, int]]
) -> None:
    assert (after(first) == after(second)) == (spelt(first) == spelt(second))


def test_the_bytes_that_are_hashed() -> None:
    """The framing of SPEC.md, spelt out once by hand."""
    transcript = Transcript(b"test")
    transcript.absorb(b"name", b"data")
    transcript.absorb_elements(b"two", [base(1), base(2)])
    history = b"\x00\x09p2p304-v1\x00\x00\x00\x04test"
    history += b"\x01\x04name\x00\x00\x00\x04data"
    history += b"\x02\x03two\x00\x00\x00\x40" + base(1) + base(2)
    history += b"\x03\x01c\x00\x00\x00\x00"
    expected = int.from_bytes(hashlib.sha512(history).digest(), "little") % Q
    assert transcript.challenge(b"c") == expected
    history += b"\x04\x01d\x00\x00\x00\x00"
    assert transcript.digest(b"d") == hashlib.sha512(history).digest()[:32]
    history += b"\x03\x01t\x00\x00\x00\x02\x00\x03"
    stream = hashlib.shake_256(hashlib.sha512(history).digest()).digest(192)
    several = [int.from_bytes(stream[at : at + 64], "little") % Q for at in (0, 64, 128)]
    assert transcript.challenges(b"t", 3) == several
    history += b"\x03\x01w\x00\x00\x00\x02\x00\x02"
    stream = hashlib.shake_256(hashlib.sha512(history).digest()).digest(32)
    weights = [int.from_bytes(stream[at : at + 16], "little") for at in (0, 16)]
    assert transcript.weights(b"w", 2) == weights


def test_a_fork_goes_its_own_way() -> None:
    transcript = Transcript(b"test")
    transcript.absorb(b"a", b"b")
    fork = transcript.fork()
    fork.absorb(b"c", b"d")
    other = transcript.fork()
    first = transcript.challenge(b"e")
    assert first == other.challenge(b"e")
    assert first != fork.challenge(b"e")


def test_repeated_challenges_differ() -> None:
    transcript = Transcript(b"test")
    assert len({*transcript.challenges(b"c", 5), transcript.challenge(b"c")}) == 6
    weights = transcript.weights(b"w", 5)
    assert len(set(weights)) == 5
    assert all(0 < weight < 2**128 for weight in weights)


def test_a_context_has_at_most_128_bytes() -> None:
    Transcript(b"test").absorb_context(bytes(128))
    with pytest.raises(ValueError, match="128"):
        Transcript(b"test").absorb_context(bytes(129))
    with pytest.raises(OverflowError):
        Transcript(b"test").absorb(bytes(256), b"")
