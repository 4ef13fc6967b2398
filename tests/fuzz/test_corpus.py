"""The corpus that fuzzing found, and a little fuzzing without it, in every run of the tests."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.support.fuzz_targets import TARGETS, seeds

CORPUS = Path(__file__).parent / "corpus"


@pytest.mark.parametrize("name", TARGETS)
def test_what_fuzzing_found_is_accepted_or_refused(name: str) -> None:
    kept = sorted((CORPUS / name).glob("*"))
    assert kept, f"scripts/dev fuzz has kept nothing for {name} yet"
    for path in kept:
        TARGETS[name](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_bent_messages_are_accepted_or_refused(name: str) -> None:
    rng = random.Random(name)
    begin = [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))] + seeds(name)
    for _ in range(60):
        data = bytearray(rng.choice(begin))
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(data) + 1)
            data[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
        TARGETS[name](bytes(data))
