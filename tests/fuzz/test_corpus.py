"""The corpus that fuzzing found, and a little fuzzing without it, in every run of the tests."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from p2p304.wire.bodies import parse_body
from p2p304.wire.canonical import decode
from tests.support.fuzz_targets import PARSERS, TARGETS, forms, seeds

CORPUS = Path(__file__).parent / "corpus"


@pytest.mark.parametrize("name", TARGETS)
def test_what_fuzzing_found_is_accepted_or_refused(name: str) -> None:
    kept = sorted((CORPUS / name).glob("*"))
    assert kept, f"scripts/dev fuzz has kept nothing for {name} yet"
    for path in kept:
        TARGETS[name](path.read_bytes())


@pytest.mark.parametrize("name", [*PARSERS, "body"])
def test_what_was_well_formed_when_it_was_kept_is_accepted(name: str) -> None:
    """Else the form has changed, and every file that is kept is refused at its first field: raise
    the form's version, and keep the new one by `scripts/dev fuzz --forms`."""
    kept = {path.name.removeprefix("form-"): path for path in (CORPUS / name).glob("form-*")}
    assert kept and kept.keys() == forms(name).keys()
    for form, path in kept.items():
        data = path.read_bytes()
        if name == "body":
            body = decode(data)
            assert isinstance(body, dict)
            parse_body(form, body)
        else:
            PARSERS[name](data)


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
