"""A short form of scripts/dev lan-lab: a split LAN and a killed node, with real processes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.support.lab.lan import why_not
from tests.support.lab.scenarios import play

REASON = why_not()
pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(REASON is not None, reason=f"no lab on this machine: {REASON}"),
]


@pytest.mark.parametrize("name", ["two-and-two", "kill"])
def test_the_table_survives(name: str, tmp_path: Path) -> None:
    outcome = asyncio.run(play(name, seed=1, folder=tmp_path, hands=1))
    assert outcome.hands >= 1, "a void hand does not count, so there may be more"
    assert outcome.recovered is not None and outcome.recovered < 15
