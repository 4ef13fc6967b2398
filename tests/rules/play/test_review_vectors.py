"""protocol/review.json: the review at the count finds the breach of each hand, or none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from p2p304.rules.core.seats import names
from p2p304.rules.play.review import review, violation_result
from scripts.vectors.rules.review import text
from tests.support.paths import PROTOCOL
from tests.support.reference.lawless import begun

FILE = PROTOCOL / "review.json"
ROWS: list[dict[str, Any]] = json.loads(FILE.read_text())


def test_the_stored_rows_are_those_that_the_script_makes() -> None:
    assert text() == FILE.read_text(), "run scripts/dev vectors-rules"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["comment"])
def test_the_review_finds_what_the_row_says(row: dict[str, Any]) -> None:
    hand = begun(json.dumps(row["record"]), row["denied"]).hand
    assert hand.result is not None
    first = next(iter(review(hand)), None)
    known = names(hand.options.seats)
    found = None if first is None else {"seat": known[first.seat], "rule": first.rule}
    result = hand.result if first is None else violation_result(hand, first)
    assert found == row["breach"]
    assert row["tokens"] is None or list(row["tokens"].values()) == list(result.tokens)


def test_every_rule_that_the_review_judges_has_a_row() -> None:
    rules = {row["breach"]["rule"] for row in ROWS if row["breach"]}
    assert rules == {
        *("announce.false", "cut.must", "declare.stuck", "down.trump", "exhausted.when"),
        *("follow.suit", "follow.up", "indicator.last", "lead.trump", "pcc.lead"),
        *("reveal.ask", "reveal.cut"),
    }
