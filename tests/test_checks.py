"""Every numbered check has one place where it is raised, one cheat that trips it, one vector."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from scripts.vectors import checks
from tests.support.paths import PROTOCOL, ROOT

LISTED: list[dict[str, Any]] = json.loads((PROTOCOL / "checks.json").read_text())

NO_CHEAT = {
    "A06": "it compares with what a player remembers (tests/table/evidence/test_left_draws.py)",
    "C01": "no entry reaches it past P09 to P14, P18, P19 (tests/table/test_cheats.py)",
    "D16": "no entry reaches it past D05 to D10 and P03 (tests/table/proofs/test_unreadable.py)",
    "D17": "no entry reaches it past D14 (tests/table/proofs/test_unreadable.py)",
}
"""The second line behind the proofs: tripped only by a table that does not look at them."""
NO_CHEAT["W12"] = "no bytes are known that reach it (tests/table/exchange/test_error_boundary.py)"
NO_BYTES = {
    **NO_CHEAT,
    "W14": "it takes many messages (tests/table/test_nuisances.py)",
    "N07": "silence has no bytes (tests/net/links/test_impostors.py)",
}


def test_the_listing_is_what_the_code_and_the_catalogue_say() -> None:
    assert checks.listing() == LISTED, "run scripts/dev vectors-table and scripts/dev checks"


def number(each: dict[str, Any]) -> str:
    return str(each["check"])


@pytest.mark.parametrize("each", LISTED, ids=number)
def test_every_check_has_one_place_a_cheat_and_a_vector(each: dict[str, Any]) -> None:
    assert each["says"] and each["proven"]
    assert len(each["places"]) == 1
    assert each["cheats"] or each["check"] in NO_CHEAT, f"nothing trips {each['check']}"
    missing = f"no vector for {each['check']}: run scripts/dev vectors-table"
    assert each["vectors"] or each["check"] in NO_BYTES, missing


def test_every_check_of_the_specification_is_among_them() -> None:
    assert {number(each) for each in LISTED} == set(checks.sentences())
    assert len(LISTED) >= 69


def letters(text: str) -> dict[str, list[str]]:
    """Letter to the further cells of its row in the text's table of letters."""
    table = text.split("\n| letter |")[1].split("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return {letter: rest for letter, *rest in rows}


def test_every_letter_is_explained_with_its_file_and_an_example() -> None:
    told = letters((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    about = letters((ROOT / "SPEC.md").read_text(encoding="utf-8"))
    assert {letter: row[0] for letter, row in told.items()} == {k: v[0] for k, v in about.items()}
    assert set(told) == {number(each)[0] for each in LISTED}
    listed = {number(each): each for each in LISTED}
    for letter, (_, files, example) in told.items():
        places = {each["places"][0].split(":")[0] for each in LISTED if number(each)[0] == letter}
        assert {f"p2p304/{file}" for file in re.findall(r"`([\w/]+\.py)`", files)} <= places
        check, _, cheat = example.partition(", ")
        assert check[0] == letter
        assert cheat.strip("`") in listed[check]["cheats"] or check in NO_CHEAT


def test_a_new_check_takes_the_number_after_the_highest() -> None:
    assert checks.next_numbers(["W14", "W32", "W05", "L12"]) == ["L13", "W33"]
