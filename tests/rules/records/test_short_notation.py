"""304N: one line says what a record says, and nothing else is read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from p2p304.rules.records.record import read_record
from p2p304.rules.records.score import score
from p2p304.rules.records.short_notation import NotationError, notation, parse_notation
from p2p304.rules.variants.presets import PRESETS, preset
from scripts.vectors.rules.notation import text
from tests.support.paths import PROTOCOL
from tests.support.reference.random_hands import record, walk

HANDS = {
    "S": ["AH", "TH", "KH", "QH", "TD", "KD", "8D", "JC"],
    "E": ["JS", "9S", "8H", "7D", "AC", "KC", "QD", "7H"],
    "N": ["9C", "TC", "8C", "QC", "9D", "7C", "JD", "AD"],
    "W": ["AS", "TS", "KS", "QS", "8S", "7S", "JH", "9H"],
}
BEGUN: dict[str, Any] = {
    "rules": "pagat",
    "dealer": "S",
    "hands": HANDS,
    "actions": ["E 160", "N pass", "W ask", "E pass", "S pass", "E trump JS"],
}
LINE = (
    "304N pagat; dealer S; S AHTHKHQHTDKD8DJC; E JS9S8H7DACKCQD7H; N 9CTC8CQC9D7CJDAD; "
    "W ASTSKSQS8S7SJH9H; 160, pass, ask, E pass, S pass, trump JS"
)


def test_a_seat_is_left_out_where_it_is_the_next() -> None:
    assert notation(BEGUN) == LINE
    assert parse_notation(LINE) == BEGUN


@pytest.mark.parametrize("name", PRESETS)
def test_a_line_scores_as_its_record(name: str) -> None:
    for seed in range(6):
        whole = record(*walk(seed, preset(name)))
        line = notation(whole)
        assert parse_notation(line) == whole
        assert score(line) == score(json.dumps(whole))


def test_options_of_ones_own() -> None:
    rules = {"preset": "pagat", "caps": "off", "step_over_200": 5, "pcc": "off"}
    line = notation({**BEGUN, "rules": rules})
    assert line.startswith("304N pagat caps=off step_over_200=5 pcc=off; dealer S; ")
    assert parse_notation(line)["rules"] == rules
    assert read_record(line).options == preset("pagat").override(
        {"caps": "off", "step_over_200": 5, "pcc": "off"}
    )


def test_cards_left_open() -> None:
    open_cards = {**BEGUN, "hands": {**HANDS, "N": [None] * 8}, "actions": ["E trump ?"]}
    line = notation(open_cards)
    assert f"; N {'??' * 8}; " in line and line.endswith("; trump ?")
    assert parse_notation(line) == open_cards
    refused = score(line)["error"]
    assert refused["rule"] == "record.cards" and "left open" in refused["message"]
    assert refused["message"].endswith("audit the transcript of its game (p2p304 audit FILE).")


def test_no_action_yet() -> None:
    line = notation({**BEGUN, "actions": []})
    assert line.endswith("W ASTSKSQS8S7SJH9H")
    assert parse_notation(line)["actions"] == []


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (LINE.replace("304N", "304M"), "begins with"),
        (LINE.replace("pagat", "bridge"), "bridge"),
        (LINE.replace("pagat", "pagat caps"), "cannot be"),
        (LINE.replace("pagat", "pagat caps=off caps=off"), "no option"),
        (LINE.replace("pagat", "pagat tokens=07"), "no option"),
        (LINE.replace("pagat", "pagat caps=never"), "cannot be"),
        (LINE.replace("dealer S; ", ""), "dealer"),
        (LINE.replace("dealer S", "dealer X"), "dealer is one of"),
        (LINE.replace("; W ASTSKSQS8S7SJH9H", ""), "hand of W"),
        (LINE.replace("; E JS", "; JS"), "hand of E"),
        (LINE.replace("JH9H;", "JH9;"), "two characters"),
        (f"{LINE}; pass", "nothing follows"),
        ("304N pagat; dealer S", "every hand"),
    ],
)
def test_another_line_is_refused_in_a_sentence(changed: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        parse_notation(changed)
    if changed.startswith("304N "):
        refused = score(changed)["error"]
        assert refused["rule"] == "record.json" and "not 304N" in refused["message"]


def test_an_action_that_is_none_is_refused_at_its_place() -> None:
    refused = score(LINE.replace("ask, ", "jump, "))["error"]
    assert (refused["index"], refused["action"], refused["rule"]) == (2, "W jump", "action.form")


def test_the_stored_lines_are_those_that_the_script_makes() -> None:
    stored = (PROTOCOL / "notation.json").read_text(encoding="utf-8")
    assert stored == text(), "run scripts/dev vectors-rules"


@pytest.mark.parametrize(
    "row", json.loads((PROTOCOL / "notation.json").read_text("utf-8")), ids=lambda r: r["comment"]
)
def test_a_stored_line_is_read_as_it_says(row: dict[str, Any]) -> None:
    line, read = row["line"], row["record"]
    if read is None:
        with pytest.raises(NotationError):
            parse_notation(line)
    else:
        assert parse_notation(line) == read
    if row["written"]:
        assert notation(read) == line
    refused = score(line)["error"] or {"rule": None, "index": None}
    assert (refused["rule"], refused["index"]) == (row["rule"], row.get("index"))
    if read is not None:
        assert score(json.dumps(read)) == score(line)
