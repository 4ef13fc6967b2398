"""The vectors in protocol/vectors/rules/: every case comes out as it says, every rule has both."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from p2p304.rules.records.score import score
from p2p304.rules.variants.options import PLAYABLE
from p2p304.rules.variants.presets import PRESETS
from scripts.vectors.rules import FAMILIES, text
from tests.support.paths import PACKAGE, PROTOCOL, ROOT

FOLDER = PROTOCOL / "vectors" / "rules"
FILES = sorted(FOLDER.glob("*.json"))
SOURCES = "\n".join(path.read_text() for path in (PACKAGE / "rules").rglob("*.py"))
HEADINGS = [line for line in (ROOT / "SPEC.md").read_text().splitlines() if line.startswith("###")]


def cases() -> list[dict[str, Any]]:
    return [case for file in FILES for case in json.loads(file.read_text())]


def schema(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((PROTOCOL / f"{name}.schema.json").read_text()))


RECORDS, RESULTS = schema("hand-record"), schema("hand-record-result")


def differences(expected: Any, got: Any, where: str = "") -> list[str]:
    """Where ``got`` is not as expected; of objects only what is named is compared."""
    if isinstance(expected, dict) and isinstance(got, dict):
        parts = expected.items()
        return [d for k, v in parts for d in differences(v, got.get(k, "missing"), f"{where}/{k}")]
    return [] if expected == got else [f"{where}: {got!r}, not {expected!r}"]


def raised() -> set[str]:
    """Every identifier that the engine refuses by (see tests/test_specification.py)."""
    found = set(re.findall(r'(?:RuleBroken|RecordError)\(\s*"([a-z0-9_.]+)"', SOURCES))
    found |= set(re.findall(r'rule = "([a-z0-9]+\.[a-z]+)"', SOURCES))
    # Chosen by an expression: "a" if ... else "b", or given by a function.
    found |= {"cut.must", "down.trump", "lead.trump", "pcc.lead", "bid8.partner", "bid.partner"}
    return found | {"bid.first", "bid.forced"}


def test_the_stored_cases_are_those_that_the_script_makes() -> None:
    made = {name: text(cases) for name, cases in FAMILIES.items()}
    stored = {file.stem: file.read_text() for file in FILES}
    stale = sorted(name for name in {*made, *stored} if made.get(name) != stored.get(name))
    assert stale == [], "run scripts/dev vectors-rules"


NO_CASE = {
    "seating=draw": "seats are drawn before a hand (tests/table/agreement/test_drawing_seats.py)",
    "seating=chosen": "seats are chosen before a hand (tests/table/gathering)",
    "shuffle=minimal": "a record holds the deal (tests/table/player/test_minimal_shuffle.py)",
    "chat=open": "chat is no action of a hand (tests/table/exchange/test_chat.py)",
    "memory=on": "what screens show is no action (tests/ui/narration/test_memory.py)",
    "hints=on": "what screens show is no action (tests/frontends/test_hints.py)",
    "away=replace": "absence is no action of a hand (tests/table/absence/test_parting.py)",
    "away=playout": "absence is no action of a hand (tests/table/transition/test_playing_out.py)",
}
"""Values of options that no case and no preset has, with the reason."""


def test_every_value_of_an_option_has_a_case_or_a_preset() -> None:
    tried = {name: {options.to_data()[name] for options in PRESETS.values()} for name in PLAYABLE}
    for case in cases():
        rules = case.get("record", {}).get("rules", {})
        for name, value in rules.items() if isinstance(rules, dict) else ():
            tried.setdefault(name, set()).add(value if isinstance(value, str | int) else "")
    missing = {
        f"{name}={value}"
        for name, values in PLAYABLE.items()
        if name not in ("tokens", "timer")
        for value in values
        if value not in tried[name]
    }
    assert missing == set(NO_CASE)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_case_comes_out_as_it_says(file: Path) -> None:
    wrong = {}
    for number, case in enumerate(json.loads(file.read_text())):
        told = score(case.get("line") or json.dumps(case["record"]))
        if found := differences(case["expect"], told):
            wrong[number, case["rule"], case["note"]] = found
    assert not wrong


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_records_and_results_keep_to_their_schemas(file: Path) -> None:
    for case in json.loads(file.read_text()):
        if "record" in case and not case["rule"].startswith("record."):
            RECORDS.validate(case["record"])
        RESULTS.validate(score(case.get("line") or json.dumps(case["record"])))


def test_every_rule_that_refuses_has_a_case_of_both_kinds() -> None:
    readme = (FOLDER / "README.md").read_text().split("Unit tests try these", 1)[1]
    only_a_table = set(re.findall(r"`([a-z_]+\.[a-z]+)`", readme.split("Not of one hand")[0]))
    kinds: dict[str, set[str]] = {}
    for case in cases():
        kinds.setdefault(case["rule"], set()).add(case["case"])
    for rule in raised() - only_a_table:
        assert {"allows", "forbids"} <= kinds.get(rule, set()), rule
    assert len(raised()) > 60 and only_a_table <= raised() and len(only_a_table) == 10


def test_every_case_belongs_to_a_section_of_the_specification() -> None:
    for case in cases():
        assert case["case"] in ("allows", "forbids", "judges", "example") and case["note"]
        assert any(f"`{case['rule']}`" in line for line in HEADINGS) or case["rule"] == "payment"
        if case["case"] == "forbids":
            assert case["expect"]["error"]["rule"] == case["rule"]


def test_the_verdicts_on_caps_and_all_bands_are_among_the_cases() -> None:
    results = [case["expect"].get("result") or {} for case in cases()]
    verdicts = {one["caps"]["verdict"] for one in results if one.get("caps")}
    assert verdicts == {"correct", "late", "early", "failed", "missed"}
    paid = {tuple(one["tokens"].values()) for one in results if "tokens" in one}
    bands = {(-1, 1), (-2, 2), (-3, 3), (-4, 4), (5, -5), (0, 5), (0, 6), (0, 10), (0, 3), (0, 7)}
    assert bands <= paid
    texts = [case for case in cases() if case["case"] == "example"]
    assert {case["rule"].split(".")[0] for case in texts} == {"bid", "ask", "caps"}


def test_a_result_by_caps_names_the_player_who_called_or_had_to() -> None:
    told = set()
    for case in cases():
        result = case["expect"].get("result") or {}
        if result.get("caps") and "record" in case:
            caps, reason = result["caps"], score(json.dumps(case["record"]))["result"]["reason"]
            missed = caps["verdict"] == "missed"
            assert f"{caps['by']} {'did not call' if missed else 'called'} Caps" in reason
            told.add(reason.partition(" ")[2].partition(":")[0].partition(",")[0])
    assert len(told) == 5, told
