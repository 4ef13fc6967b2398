"""The schemas of hand records and results in protocol/: what the program reads and writes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from p2p304.rules.records.score import score
from p2p304.rules.variants.options import PLAYABLE
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.paths import PROTOCOL
from tests.support.reference.random_hands import record, walk


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((PROTOCOL / f"{name}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


RECORDS, RESULTS = validator("hand-record"), validator("hand-record-result")
HAND = record(*walk(3, preset("pagat")))


@pytest.mark.parametrize("name", PRESETS)
def test_every_moment_of_a_hand_keeps_to_the_schemas(name: str) -> None:
    for seed in (2, 5):
        whole = record(*walk(seed, preset(name)))
        RECORDS.validate(whole)
        for place in range(0, len(whole["actions"]) + 1, 1 + seed):
            cut = {**whole, "actions": whole["actions"][:place]}
            RESULTS.validate(score(json.dumps(cut)))
        RESULTS.validate(score(json.dumps({**whole, "actions": [*whole["actions"], "S pass"]})))


def test_the_record_schema_knows_every_preset_and_option() -> None:
    schema: dict[str, Any] = json.loads((PROTOCOL / "hand-record.schema.json").read_text())
    known = schema["$defs"]["options"]["properties"]
    assert schema["$defs"]["preset"]["enum"] == list(PRESETS)
    assert set(known) == {"preset", *PLAYABLE}
    for name, values in PLAYABLE.items():
        one = Draft202012Validator(known[name])
        assert [value for value in values if not one.is_valid(value)] == [], name
        assert set(known[name].get("enum", values)) == set(values), name
        assert not one.is_valid("nonsense") and not one.is_valid(1000)


@pytest.mark.parametrize(
    "changed",
    [
        {"stock": []},
        {"rules": "whist"},
        {"rules": {"preset": "pagat", "trumps": "none"}},
        {"dealer": "X"},
        {"hands": {"S": ["JS"]}},
        {"hands": {**HAND["hands"], "X": HAND["hands"]["S"]}},
        {"hands": {**HAND["hands"], "S": ["1S"] * 8}},
        {"actions": "S pass"},
        {"actions": [1]},
        {"actions": ["S pass"] * 513},
    ],
)
def test_what_is_no_record_breaks_its_schema(changed: dict[str, Any]) -> None:
    wrong = {**HAND, **changed}
    assert not RECORDS.is_valid(wrong)
    RESULTS.validate(told := score(json.dumps(wrong)))
    assert told["error"]["rule"].startswith("record.")


def test_a_changed_result_breaks_its_schema() -> None:
    told = score(json.dumps(HAND))
    RESULTS.validate(told)
    for name in told:
        assert not RESULTS.is_valid({key: value for key, value in told.items() if key != name})
        assert not RESULTS.is_valid({**told, name: {"more": 1}})
    assert not RESULTS.is_valid({**told, "more": None})
    assert not RESULTS.is_valid({**told, "result": {**told["result"], "more": 1}})
    assert not RESULTS.is_valid({**told, "status": "in_progress"})
    assert not RESULTS.is_valid({**told, "status": "illegal"})
