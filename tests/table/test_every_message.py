"""No message of anybody, in any phase, makes an exception: a sample in the suite, the whole by
`scripts/dev all-messages`."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.hostile import every_message
from tests.support.hostile.every_message import (
    Phase,
    Wrong,
    cases,
    gatherings,
    outcome,
    spectators,
    tables,
)

SEED = 1


def some(phases: Iterator[Phase], step: int) -> list[Phase]:
    return list(itertools.islice(phases, step // 2, None, step))


def wrong(phases: list[Phase], most: int) -> list[Wrong]:
    chance = random.Random(SEED)
    found = (outcome(phase, *case) for phase in phases for case in cases(phase, chance, most))
    return [each for each in found if each is not None]


def test_in_a_gathering() -> None:
    assert not wrong(some(gatherings(), 6), 20)


def test_at_a_table_from_its_first_entry_to_after_its_end() -> None:
    assert not wrong(some(tables((17, 30)), 3), 5)


def test_at_a_spectator() -> None:
    assert not wrong(list(spectators())[1:3], 30)


def faulty(*given: Any, **named: Any) -> Any:
    raise KeyError("planted")


@pytest.mark.parametrize(
    ("place", "what"),
    [
        ("p2p304.table.machine.table_machine.parse_have", "KeyError while handling SYNC"),
        ("p2p304.table.gathering.meeting.parse_lobby", "KeyError while handling LOBBY"),
        ("p2p304.table.node.node.Node.nicks", "planted"),
    ],
)
def test_a_planted_fault_is_found(place: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the error boundary catches it, and where it escapes."""
    phases = [next(tables((13,)))]
    monkeypatch.setattr(place, faulty)
    assert any(what in each.what for each in wrong(phases, 3))


def test_every_kind_of_frame_that_a_machine_takes_is_tried() -> None:
    tried = {kind for kind, _ in next(tables((13,))).honest}
    assert {kind.name for kind in tried} >= {
        "LOBBY",
        "ENTRY",
        "RECEIPT",
        "SYNC",
        "EVIDENCE",
        "TALK",
        "PART",
        "WATCH",
        "BLOCK",
        "NOTE",
    }


def test_changes_replace_every_field() -> None:
    found = [change for change in every_message.changes({"a": 1, "b": [b"x"]}) if change]
    assert {"a": 2, "b": [b"x"]} in found and {"b": [b"x"]} in found
    assert {"a": 1, "b": [b"x", b"x"]} in found and {"a": 1, "b": [None]} in found
