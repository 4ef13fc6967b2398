"""The arbiter: whole hands as records, where each stands, and what it refuses."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from p2p304.rules.records.explain import explain
from p2p304.rules.records.record import read_record
from p2p304.rules.records.score import score
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.paths import PROTOCOL
from tests.support.reference.random_hands import record, walk

BIDDING = ["E 160", "N 170", "W pass", "S pass", "E 200", "N pass", "W pass", "S pass"]
TO_PLAY = ["E trump JS", "E pass", "N pass", "W pass", "S pass", "E closed"]
HANDS = {
    "S": ["AH", "TH", "KH", "QH", "TD", "KD", "8D", "JC"],
    "E": ["JS", "9S", "8H", "7D", "AC", "KC", "QD", "7H"],
    "N": ["9C", "TC", "8C", "QC", "9D", "7C", "JD", "AD"],
    "W": ["AS", "TS", "KS", "QS", "8S", "7S", "JH", "9H"],
}


WHOLE = json.dumps({"dealer": "S", "hands": HANDS, "actions": []})


def result(actions: list[str], changed: dict[str, Any] | None = None) -> dict[str, Any]:
    record: dict[str, Any] = {"dealer": "S", "hands": HANDS, "actions": actions}
    return score(json.dumps(record | (changed or {})))


@pytest.mark.parametrize("name", PRESETS)
def test_a_whole_hand_is_settled_as_it_was_played(name: str) -> None:
    for seed in range(12):
        referee, done = walk(seed, preset(name))
        settled = score(json.dumps(record(referee, done)))
        ended = referee.hand.result
        assert ended is not None and settled["error"] is None
        assert settled["status"] == ("void" if ended.void else "complete")
        assert settled["phase"] == "over" and settled["to_act"] == settled["legal"] == []
        assert tuple(settled["result"]["tokens"].values()) == ended.tokens
        if ended.points is not None:
            scale = 10 if name == "tenths" else 1
            assert [p * scale for p in settled["points"].values()] == list(ended.points)
            if referee.hand.ending is None:
                by_trick = sum(trick["points"] for trick in settled["tricks"])
                assert round(by_trick * scale) == sum(ended.points)


def test_with_tenths_everything_that_is_told_is_in_tenths() -> None:
    cases = json.loads(
        (PROTOCOL / "vectors" / "rules" / "variants.json").read_text(encoding="utf-8")
    )
    notes = {
        "260 in tricks and 40: a bid of 300 is made": (
            "made 3.0 with 26.0 points and +4.0",
            "East shows king and queen of spades: 4.0 points.",
        ),
        "260 in tricks and 10 for the last: a bid of 270 is made": (
            "made 2.7 with 26.0 points and +1.0",
            "East bids 2.7.",
        ),
    }
    for note, (reason, line) in notes.items():
        case = next(case["record"] for case in cases if case["note"] == note)
        said = [re.sub(r"^(E) (\d)(\d)0$", r"\1 \2.\3", action) for action in case["actions"]]
        rules = {"preset": "maharashtra", "tenths": "on"}
        text = json.dumps({**case, "rules": rules, "actions": said})
        assert score(text)["result"]["reason"] == f"E+W {reason} for marriages and the last trick."
        assert any(line in told for told in explain(read_record(text)))


def test_every_place_of_a_hand_offers_what_was_then_done() -> None:
    whole = record(*walk(3, preset("pagat")))
    for place, said in enumerate(whole["actions"]):
        now = score(json.dumps({**whole, "actions": whole["actions"][:place]}))
        assert now["status"] == "in_progress"
        assert said in now["legal"] and now["to_act"] == [said[0]]


def test_the_contract_is_told_as_it_becomes_known() -> None:
    assert result(BIDDING[:7])["contract"] is None
    bid = {"bid": 200, "by": "E", "trump": None, "open": None, "shown": False}
    assert result(BIDDING)["contract"] == bid
    lying = result([*BIDDING, "E trump JS"])["contract"]
    assert lying == {**bid, "trump": "S"}
    closed = result([*BIDDING, *TO_PLAY])["contract"]
    assert closed == {**bid, "trump": "S", "open": False}


def test_a_trick_shows_what_lies_face_down_and_what_it_was_worth() -> None:
    played = result([*BIDDING, *TO_PLAY, "E AC", "N 9C", "W ~8S", "S JC"])
    assert played["tricks"][0] == {
        "leader": "E",
        "plays": ["E AC", "N 9C", "W ~8S", "S JC"],
        "winner": "W",
        "points": 61,
    }
    assert played["points"] == {"NS": 0, "EW": 61}
    assert played["contract"]["shown"] and played["to_act"] == ["W"]


def test_the_first_illegal_action_is_named_and_everything_stands_as_before_it() -> None:
    told = result([*BIDDING[:5], "N 205", "W pass"])
    assert told["status"] == "illegal" and told["phase"] == "bid4" and told["to_act"] == ["N"]
    assert told["error"]["index"] == 5 and told["error"]["rule"] == "bid.step"
    assert told["legal"] == result(BIDDING[:5])["legal"]


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("N pass", "turn"),
        ("E closed", "phase"),
        ("", "action.form"),
        ("E 1x", "action.form"),
        ("X pass", "action.form"),
        ("E caps JS", "claims.from"),
    ],
)
def test_what_cannot_be_done_or_read_is_an_illegal_action(said: str, rule: str) -> None:
    assert result([said])["error"]["rule"] == rule


@pytest.mark.parametrize(
    ("said", "rule"),
    [("W AS", "turn"), ("E 9C", "card.held"), ("E 9S", "lead.trump"), ("E ~AC", "lead.up")],
)
def test_a_card_that_may_not_be_played_now_is_an_illegal_action(said: str, rule: str) -> None:
    assert result([*BIDDING, *TO_PLAY, said])["error"]["rule"] == rule


def test_a_card_before_the_play_is_an_illegal_action() -> None:
    assert result(["E AC"])["error"]["rule"] == "phase"
    assert result([*BIDDING, "E AC"])["error"]["rule"] == "phase"


def test_actions_after_the_end_are_illegal() -> None:
    told = result(["E pass", "N pass", "W pass", "S pass", "E pass"])
    assert told["error"]["rule"] == "hand.over" and told["result"]["next_dealer"] == "E"


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("", "record.json"),
        ("[]", "record.json"),
        ("[" * 50_000, "record.json"),
        ('{"dealer": "S", "hands": {}, "actions": [], "rules": {"pcc": [[]]}}', "record.rules"),
        (WHOLE.replace("{", '{"dealer": "S", ', 1), "record.fields"),
        ('{"dealer": "S"}', "record.fields"),
    ],
)
def test_what_is_no_record_is_told_so(line: str, rule: str) -> None:
    told = score(line)
    assert told["status"] == "illegal" and told["error"]["rule"] == rule
    assert told["error"]["index"] is None and told["error"]["message"].endswith(".")


def test_a_record_has_at_most_65536_characters_and_512_actions() -> None:
    assert score(WHOLE.ljust(65_536))["error"] is None
    assert score(WHOLE.ljust(65_537))["error"]["rule"] == "record.size"
    assert result(["N pass"] * 512)["error"]["rule"] == "turn"
    assert result(["N pass"] * 513)["error"]["rule"] == "record.actions"


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"rules": "whist"}, "record.rules"),
        ({"rules": 304}, "record.rules"),
        ({"rules": {"preset": "pagat", "trumps": "none"}}, "record.rules"),
        ({"rules": {"pcc": "maybe"}}, "record.rules"),
        ({"dealer": "X"}, "record.dealer"),
        ({"dealer": []}, "record.dealer"),
        ({"hands": {"S": []}}, "record.seats"),
        ({"hands": {**HANDS, "S": HANDS["S"][:7]}}, "record.cards"),
        ({"hands": {**HANDS, "S": [*HANDS["S"][:7], "JS"]}}, "record.cards"),
        ({"hands": {**HANDS, "S": [*HANDS["S"][:7], "6H"]}}, "record.cards"),
        ({"hands": {**HANDS, "S": [*HANDS["S"][:7], "1H"]}}, "record.cards"),
        ({"hands": {**HANDS, "S": [*HANDS["S"][:7], None]}}, "record.cards"),
        ({"actions": "E pass"}, "record.actions"),
        ({"actions": [1]}, "record.actions"),
        ({"pile": ["6H"]}, "record.cards"),
        ({"stock": []}, "record.fields"),
    ],
)
def test_a_record_that_cannot_be_read_is_illegal(changed: dict[str, Any], rule: str) -> None:
    told = result([], changed)
    assert told["status"] == "illegal" and told["error"]["rule"] == rule


def test_a_call_before_the_first_lead_ends_the_hand_with_all_points() -> None:
    hands = {
        "S": "JS 9S AS TS KS QS JH JD",
        "E": "8S 7S 9H AH 9D AD 9C AC",
        "N": "TH QH 7H TD QD 7D JC 8C",
        "W": "KH 8H KD 8D TC KC QC 7C",
    }
    said = [
        "S pass",
        "E 160",
        "N pass",
        "W pass",
        "S pass",
        "E trump 7S",
        "E pass",
        "N pass",
        "W pass",
        "S pass",
        "E open",
    ]
    changed = {"dealer": "W", "hands": {seat: cards.split() for seat, cards in hands.items()}}
    told = result([*said, "S caps JS 9S AS TS KS QS JH JD"], changed)
    assert told["status"] == "complete" and told["points"] == {"NS": 304, "EW": 0}
    assert told["result"]["caps"]["verdict"] == "correct"


def test_rules_that_do_not_exist_are_told_by_name() -> None:
    assert result([], {"rules": "whist"})["error"]["message"].startswith(
        "There are no rules named 'whist'."
    )


@pytest.mark.parametrize(
    "place", ['"dealer":"S","rules":{"pcc":%s}', '"rules":"pagat","dealer":%s']
)
def test_no_depth_of_nesting_breaks_the_arbiter(place: str) -> None:
    for depth in range(700, 1010, 2):
        line = '{"hands":{},"actions":[],' + place % ("[" * depth + "]" * depth) + "}"
        assert score(line)["status"] == "illegal"
