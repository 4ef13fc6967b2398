"""Randomness: derivation, uniformity, and that there is no second door."""

from __future__ import annotations

import ast
import pickle
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import p2p304
from p2p304.crypto.group import Q
from p2p304.crypto.rng import Rng

SEED = bytes(range(32))
LABELS = st.lists(st.binary(max_size=6), max_size=4).map(tuple)


def test_our_vectors(vectors: Any) -> None:
    for vector in vectors("rng")["vectors"]:
        rng = Rng.from_seed(bytes.fromhex(vector["seed"]))
        rng = rng.child(*map(bytes.fromhex, vector["labels"])) if vector["labels"] else rng
        match vector["draw"]:
            case "bytes":
                assert rng.bytes(vector["count"]).hex() == vector["result"]
            case "scalar":
                assert rng.scalar().to_bytes(32, "little").hex() == vector["result"]
            case "permutation":
                assert list(rng.permutation(vector["count"])) == vector["result"]
            case draw:
                pytest.fail(f"no such draw: {draw}")


@given(first=LABELS, second=LABELS)
def test_children_differ_exactly_when_their_labels_do(
    first: tuple[bytes, ...], second: tuple[bytes, ...]
) -> None:
    parent = Rng.from_seed(SEED)
    same = parent.child(*first).bytes(16) == parent.child(*second).bytes(16)
    assert same == (first == second)


def test_a_child_is_neither_its_parent_nor_its_grandchild() -> None:
    parent = Rng.from_seed(SEED)
    drawn = {
        parent.bytes(16),
        parent.child().bytes(16),
        parent.child(b"a", b"b").bytes(16),
        parent.child(b"a").child(b"b").bytes(16),
        parent.child(b"ab").bytes(16),
    }
    assert len(drawn) == 5


def test_a_child_does_not_move_its_parent() -> None:
    left, right = Rng.from_seed(SEED), Rng.from_seed(SEED)
    left.child(b"a").bytes(100)
    assert left.bytes(40) + left.bytes(0) + left.bytes(100) == right.bytes(140)


def test_the_system_gives_fresh_seeds() -> None:
    assert Rng.system().bytes(16) != Rng.system().bytes(16)


def test_a_seed_has_32_bytes() -> None:
    for size in (0, 31, 33):
        with pytest.raises(ValueError, match="32"):
            Rng.from_seed(bytes(size))


def test_nothing_shows_the_seed() -> None:
    rng = Rng.from_seed(SEED)
    assert SEED.hex() not in repr(rng)
    assert repr(SEED) not in repr(rng)
    with pytest.raises(TypeError):
        pickle.dumps(rng)


def test_numbers_and_orders_are_uniform() -> None:
    """With a fixed seed: each of n outcomes comes within six deviations of its share."""
    rng, draws = Rng.from_seed(SEED), 6000
    for outcomes, drawn in (
        (5, Counter(rng.below(5) for _ in range(draws))),
        (24, Counter(rng.permutation(4) for _ in range(draws))),
        (256, Counter(rng.scalar() % 256 for _ in range(draws))),
    ):
        share = draws / outcomes
        assert len(drawn) == outcomes
        assert all(abs(count - share) < 6 * share**0.5 for count in drawn.values())


def test_the_ends_of_the_ranges() -> None:
    rng = Rng.from_seed(SEED)
    assert rng.below(1) == 0
    assert rng.permutation(0) == ()
    assert rng.permutation(1) == (0,)
    assert sorted(rng.permutation(300)) == list(range(300))
    assert all(0 < rng.scalar() < Q for _ in range(50))
    with pytest.raises(ValueError, match="below"):
        rng.below(0)


# The one door -------------------------------------------------------------------------------

MODULES = {"random", "secrets"}
CALLS = {"urandom", "getrandom", "uuid1", "uuid4", "SystemRandom", "randombytes", "generate"}
PERMITTED = {
    ("crypto/rng.py", "urandom"),
    # Deals that a bot imagines are no secret: quick, and seeded from the bot's own door.
    ("bots/search/bids.py", "random"),
    ("bots/search/strong.py", "random"),
    ("bots/search/worlds.py", "random"),
    ("bots/teacher/before_play.py", "random"),
    ("bots/search/deals.py", "random"),
    ("bots/teacher/in_play.py", "random"),
    # The deals of a tournament of bots follow from the number that the user gives.
    ("frontends/tournament.py", "random"),
}


def other_doors(source: str) -> Iterator[str]:
    """Names in a module's text that bring randomness from elsewhere."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                yield from (each.name for each in names if each.name.split(".")[0] in MODULES)
            case ast.ImportFrom(module=module, names=names):
                if (module or "").split(".")[0] in MODULES:
                    yield str(module)
                yield from (each.name for each in names if each.name in CALLS)
            case ast.Attribute(value=ast.Name(owner), attr=name) if name in CALLS:
                if (owner, name) not in {("SigningKey", "generate"), ("cls", "generate")}:
                    yield name
            case ast.Constant(str(text)) if "/dev/" in text and "random" in text:
                yield text


def test_no_module_has_another_door() -> None:
    package = Path(p2p304.__file__).parent
    found = {
        (path.relative_to(package).as_posix(), name)
        for path in sorted(package.rglob("*.py"))
        for name in other_doors(path.read_text(encoding="utf-8"))
    }
    assert found == PERMITTED


@pytest.mark.parametrize(
    "breach",
    [
        "import random",
        "import secrets as s",
        "from random import shuffle",
        "from secrets import token_bytes",
        "from os import urandom",
        "import os; os.urandom(3)",
        "import uuid; uuid.uuid4()",
        "Ed25519PrivateKey.generate()",
        "open('/dev/urandom')",
    ],
)
def test_a_planted_door_is_found(breach: str) -> None:
    assert list(other_doors(breach))
