"""All engines, one after the other."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from p2p304.crypto import group
from p2p304.crypto.engines.errors import NoEngine
from p2p304.crypto.signing import SigningKey
from tests.support.paths import PROTOCOL
from tests.support.remembered import sign_each_time

VECTORS = PROTOCOL / "vectors" / "crypto"


@pytest.fixture(scope="package", autouse=True)
def arithmetic_each_time() -> Iterator[None]:
    """The tests of the arithmetic remember none of it."""
    with (
        group.using(group._choose_engine(os.environ.get("P2P304_ENGINE"))),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(SigningKey, "sign", sign_each_time)
        yield


def loaded(name: str) -> group.Engine:
    try:
        return group._choose_engine(name)
    except NoEngine as error:
        pytest.skip(str(error))


@pytest.fixture(params=group.ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[group.Engine]:
    """The test runs once with each engine doing the group's arithmetic."""
    with group.using(loaded(request.param)):
        yield loaded(request.param)


@pytest.fixture(scope="session", params=group.ENGINES[:-1])
def fast(request: pytest.FixtureRequest) -> group.Engine:
    """Each engine in C."""
    return loaded(request.param)


@pytest.fixture(scope="session")
def vectors() -> Any:
    """Reads a file of vectors by its name without ending."""

    def read(name: str) -> Any:
        return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))

    return read
