"""Every numbered check has one place where it is raised, one cheat that trips it, one vector."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scripts.vectors import checks
from tests.support.paths import PROTOCOL

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


def test_a_new_check_takes_the_number_after_the_highest() -> None:
    assert checks.next_numbers(["W14", "W32", "W05", "L12"]) == ["L13", "W33"]
