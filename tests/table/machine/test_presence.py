"""A player is told for whom the table waits: at the times that SPEC.md states, and no others."""

from __future__ import annotations

import re

import pytest

from p2p304.rules.variants.absence import LONG
from p2p304.table.gathering import waiting
from p2p304.table.machine.presence import NOTICE_TIMES, Presence
from tests.support.paths import ROOT

SPEC = (ROOT / "SPEC.md").read_text(encoding="utf-8")
LIMITS = SPEC.split("\n### Limits\n")[1].split("\n### ")[0]
PEER = b"\x01" * 32


def figures(text: str) -> list[float]:
    return [float(each) for each in re.findall(r"\d+", text)]


def row(what: str) -> str:
    """The limit that the table of "Limits" states."""
    found = [line.split("|")[2] for line in LIMITS.splitlines() if line.startswith(f"| {what} |")]
    assert len(found) == 1, what
    return found[0]


def test_the_specification_states_when_a_wait_is_told() -> None:
    expected = [*NOTICE_TIMES, NOTICE_TIMES[-1]]
    assert figures(row("a wait for other players, told at a table")) == expected
    prose = LIMITS.split("*When a wait is told.*")[1].split("\n\n")[0]
    assert figures(prose) == [*expected, NOTICE_TIMES[0], LONG]


def test_the_specification_states_when_a_wait_at_a_gathering_is_told() -> None:
    assert figures(row("an agreement, once a list is complete")) == [waiting.TO_AGREE]
    assert figures(row("the same wait told again")) == [waiting.TO_AGREE, waiting.AGAIN]


def told(away: Presence, until: int, since: float = 0.0, start: int = 0) -> list[int]:
    """The seconds at which a node that looks every second tells of a wait."""
    moments = []
    for now in range(start, until):
        if away.is_due(now, since):
            away.record_notice(now)
            moments.append(now)
    return moments


def test_a_wait_is_told_at_3_12_30_and_60_seconds_and_every_minute_then() -> None:
    assert told(Presence(), 250) == [3, 12, 30, 60, 120, 180, 240]


def test_every_wait_is_counted_from_its_own_beginning() -> None:
    away = Presence()
    assert told(away, 20) == [3, 12]
    assert told(away, 60, since=20, start=20) == [23, 32, 50]


@pytest.mark.parametrize(("lost", "expected"), [(1, [3, 12]), (5, [3, 5, 12]), (20, [3, 12, 20])])
def test_a_lost_link_is_told_at_once_but_not_before_the_first_time(
    lost: int, expected: list[int]
) -> None:
    away = Presence()
    moments = told(away, lost)
    away.on_link_down(PEER, lost)
    assert moments + told(away, 25, start=lost) == expected


def test_a_link_that_was_lost_already_is_not_told_again() -> None:
    away = Presence()
    away.on_link_down(PEER, 0)
    moments = told(away, 10)
    away.on_link_down(PEER, 10)
    assert moments + told(away, 25, start=10) == [3, 12]


def test_a_link_that_is_back_is_told_at_once() -> None:
    away = Presence()
    away.on_link_down(PEER, 5)
    moments = told(away, 20)
    away.on_link_up(PEER)
    assert moments + told(away, 35, start=20) == [3, 12, 20, 30]


def test_once_the_own_player_has_asked_for_the_deal_it_is_told_for_whom_the_others_wait() -> None:
    away = Presence()
    moments = told(away, 14)
    away.on_ready()
    assert moments + told(away, 35, start=14) == [3, 12, 14, 30]


@pytest.mark.parametrize(("lost", "moment"), [(10, 70), (55, 115), (-50, 10), (-70, 3)])
def test_an_absence_that_has_become_long_is_told_when_it_has(lost: int, moment: int) -> None:
    """For the others may go on from then; also where it is older than the wait."""
    away = Presence()
    away.on_link_down(PEER, lost)
    assert moment in told(away, 130)
    assert (away.long_absentee(lost + LONG - 0.1), away.long_absentee(lost + LONG)) == (None, PEER)


def test_a_long_absence_is_told_once_more_and_then_every_minute() -> None:
    away = Presence()
    away.on_link_down(PEER, 10)
    assert told(away, 250) == [3, 12, 30, 60, 70, 130, 190]


def test_two_absent_players_are_told_at_the_usual_times() -> None:
    away = Presence()
    away.on_link_down(PEER, 10)
    away.on_link_down(bytes(32), 10)
    assert told(away, 130) == [3, 12, 30, 60, 120]
    assert away.long_absentee(1000) is None
