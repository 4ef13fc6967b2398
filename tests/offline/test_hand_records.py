"""`p2p304 replay --records`: the hands of a transcript, verified and written down."""

from __future__ import annotations

import json

import pytest

from p2p304.offline.audit import audit
from p2p304.offline.hand_records import write_records
from p2p304.rules.core.phrases import say
from p2p304.rules.play.review import Offence
from p2p304.rules.records.score import score
from p2p304.table.transition import follow_up
from tests.support.paths import PROTOCOL

TRANSCRIPTS = PROTOCOL / "transcripts"


def lines(name: str, hand: int | None = None, short: bool = False) -> tuple[int, list[str], str]:
    told: list[str] = []
    warned: list[str] = []
    data = (TRANSCRIPTS / f"{name}.304").read_bytes()
    status = write_records(data, hand, short, told.append, warned.append)
    return status, told, "\n".join(warned)


@pytest.mark.parametrize(
    "name", ["closed", "caps-early", "caps-late", "tenths", "six-24", "gathered"]
)
@pytest.mark.parametrize("short", [False, True])
def test_a_record_scores_as_its_hand(name: str, short: bool) -> None:
    status, told, warned = lines(name, short=short)
    assert (status, warned) == (0, "")
    for line in told:
        assert "\n" not in line and score(line)["status"] in ("complete", "void")
    report = audit((TRANSCRIPTS / f"{name}.304").read_bytes())
    assert len(told) == len(report.hands)
    assert [score(line)["result"]["reason"] for line in told] == [
        hand.reason for hand in report.hands
    ]


def test_what_a_call_named_is_told_once_it_is_played_or_counted() -> None:
    """The indicator alone is told at once."""
    _, (line,), _ = lines("caps-early-left", short=True)
    assert "; W AHJSJHQHQD??????; " in line and "trump AH" in line and "~?, W caps JS AH QD" in line
    assert "7S" not in line


def test_cards_that_nobody_showed_are_null() -> None:
    _, (line,), _ = lines("half-court")
    hands = json.loads(line)["hands"]
    (idle,) = [seat for seat in "SENW" if hands[seat] == [None] * 8]  # the partner, taking no part
    playing = [hands[seat] for seat in "SENW" if seat != idle]
    assert all(None not in hand[:4] and hand[4:] == [None] * 4 for hand in playing)
    assert score(line)["error"]["rule"] == "record.cards"


def test_one_hand() -> None:
    _, told, _ = lines("gathered")
    assert lines("gathered", 2) == (0, [told[1]], "")
    status, none, warned = lines("gathered", 9)
    assert (status, none, warned) == (2, [], "This transcript has no finished hand 9.")


def test_a_hand_that_is_dealt_again_keeps_its_number() -> None:
    _, told, _ = lines("rejected")
    assert len(told) == 2 and told[0] != told[1]
    assert lines("rejected", 1) == (0, told, "")
    assert lines("rejected", 2) == (2, [], "This transcript has no finished hand 2.")


def test_nothing_is_written_after_a_fault() -> None:
    status, told, warned = lines("P09")
    assert (status, told) == (1, [])
    assert warned.startswith("The transcript is not sound from here on: ")


def test_a_hidden_play_against_the_rules_is_told_behind_all_hands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No entry reaches check C01 past the proofs, so the review is told to find a breach."""
    breach = Offence(1, "follow.suit", say("You must follow suit"), 0)
    monkeypatch.setattr(follow_up, "review", lambda hand: (breach,))
    status, told, warned = lines("closed")
    assert (status, len(told)) == (1, 1)
    assert warned.endswith("broke a rule (check C01: hand 1, follow.suit).")
