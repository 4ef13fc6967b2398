"""Every numbered check has one place where it is raised, one cheat that trips it, one vector."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
LISTED: list[dict[str, Any]] = json.loads((ROOT / "protocol" / "checks.json").read_text())

ELSEWHERE = {
    "C01": "the second line: no transcript reaches it past P09 to P14 (tests/table/test_cheats.py)",
    "L10": "two messages, not one lie (tests/table/test_nuisances.py; evidence/split.evidence)",
    "L11": "two messages, not one lie (tests/table/test_cheats.py; evidence/fork.evidence)",
}
"""Proven faults that a single false entry cannot show, and where they are tried."""


def script() -> ModuleType:
    path = ROOT / "scripts" / "checks.py"
    spec = importlib.util.spec_from_file_location("listing_of_checks", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_listing_is_what_the_code_and_the_catalogue_say() -> None:
    assert script().listing() == LISTED, "run scripts/vectors_table.py and scripts/checks.py"


PROVEN = [each for each in LISTED if each["proven"] == "yes" and each["check"] not in ELSEWHERE]


@pytest.mark.parametrize("each", PROVEN, ids=lambda each: str(each["check"]))
def test_what_convicts_has_one_place_a_cheat_and_a_vector(each: dict[str, Any]) -> None:
    assert len(each["places"]) == 1
    assert each["cheats"]
    assert each["vectors"]


def test_every_check_that_convicts_is_among_them() -> None:
    assert len(PROVEN) >= 28
    assert {each["check"] for each in LISTED} >= set(ELSEWHERE)


@pytest.mark.parametrize("each", LISTED, ids=lambda each: str(each["check"]))
def test_every_check_is_said_and_raised_in_one_part(each: dict[str, Any]) -> None:
    """Where a form is read at several places they stand in one module, or in reader and auditor."""
    assert each["says"]
    files = {place.split(":")[0] for place in each["places"]}
    assert 1 <= len(files) <= 3
