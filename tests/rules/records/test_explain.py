"""Hands told action by action: every line names a rule that SPEC.md has."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from p2p304.rules.records.explain import explain
from p2p304.rules.records.record import read_record
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.paths import PROTOCOL, ROOT
from tests.support.reference.random_hands import record, walk

SPEC = (ROOT / "SPEC.md").read_text().splitlines()
SECTIONS = set(re.findall(r"`([a-z0-9_.]+)`", " ".join(s for s in SPEC if s.startswith("###"))))
VECTORS = sorted((PROTOCOL / "vectors" / "rules").glob("*.json"))


def lines(found: dict[str, Any]) -> list[str]:
    return list(explain(read_record(json.dumps(found))))


def rules(line: str) -> list[str]:
    return re.findall(r"\[([a-z0-9_.]+)\]", line)


@pytest.mark.parametrize("name", PRESETS)
def test_every_action_is_told_with_a_rule_that_has_a_section(name: str) -> None:
    for seed in range(6):
        referee, done = walk(seed, preset(name))
        hand = record(referee, done)
        told = lines(hand)
        assert len(told) == len(done) and referee.hand.result is not None
        for number, (line, said) in enumerate(zip(told, hand["actions"], strict=True), start=1):
            assert line.startswith(f"{number:3}  {said}  ") and rules(line)
            assert set(rules(line)) <= SECTIONS, line
            assert line.endswith((".", "]"))
        assert str(referee.hand.result.reason) in told[-1]
        for number in range(1, referee.hand.completed_count + 1):
            won = re.compile(rf" wins trick {number}( by a cut)?: ")
            assert sum(won.search(line) is not None for line in told) == 1


@pytest.mark.parametrize("file", VECTORS, ids=lambda file: file.stem)
def test_every_vector_is_told_up_to_what_is_refused(file: Path) -> None:
    for case in json.loads(file.read_text()):
        if "record" not in case or case["rule"].startswith("record."):
            continue
        told = lines(case["record"])
        assert len(told) == len(case["record"]["actions"])
        assert all(set(rules(line)) <= SECTIONS and rules(line) for line in told)
        if case["case"] == "forbids":
            assert "Refused: " in told[-1] and rules(told[-1]) == [case["rule"]]
        elif case["expect"].get("error", 1) is None:
            assert not told or "Refused: " not in told[-1]


def told_of(family: str, note: str) -> list[str]:
    cases = json.loads((PROTOCOL / "vectors" / "rules" / f"{family}.json").read_text())
    return lines(next(case["record"] for case in cases if case["note"] == note))


@pytest.mark.parametrize(
    ("family", "note", "words"),
    [
        (
            "play",
            "a trump among the face-down cards: all are turned up, trumps are open",
            "East turns up West's 8S, and shows the indicator JS: trumps are open. [announce.show] "
            "West wins trick 1 by a cut: 61 points.",
        ),
        (
            "play",
            "none: the cards stay down, trumps stay closed",
            "East looks at the cards face down: no trumps. [announce.none] South wins trick 1",
        ),
        (
            "play",
            "only trumps: the indicator cuts",
            "East cuts clubs with the indicator JS, face down, holding only trumps. [cut.must]",
        ),
        ("play", "a trump from hand", "trumps are exhausted and led out. [exhausted.when]"),
        ("play", "a lead face up", "East leads AC: playing closed, no trump first. [lead.trump]"),
        ("play", "a plain suit first", "playing closed, no trump first. [pcc.lead]"),
        (
            "play",
            "another suit face up, trumps open",
            "plays 8S, a trump, face up: trumps are open",
        ),
        ("play", "unable to follow", "East shows JS and takes it up: spades are trumps."),
        (
            "examples",
            "a second heart: at this point you must call",
            "S called Caps correctly: NS wins every trick. In tokens: NS +2, EW -2.",
        ),
        (
            "examples",
            "a heart by one player is not enough: too early",
            "It is not certain to win: too early, and play goes on. [caps.verdict]",
        ),
        ("claims", "true: void, and the same dealer", "No score. [spoilt.what]"),
        ("caps", "the opponents call before the first lead: a failed bid and 1", "[external]"),
        ("speaking", "four passes: no score, the next deals", "No score. [bid.circuit]"),
        (
            "speaking",
            "and ends it when the others have passed",
            "South has the bid at 160. [bid.skip]",
        ),
        (
            "variants",
            "after five tricks, before the sixth",
            "East says double: to win every trick.",
        ),
        (
            "variants",
            "sixteen tricks: 241 against 63",
            "1 made 150 with 241 points. In points: 1 +5, 2 +0.",
        ),
        ("trump", "a card that was not dealt: the same", "In tokens: S -4, E +12, N -4, W -4."),
    ],
)
def test_what_followed_is_told_with_the_last_action(family: str, note: str, words: str) -> None:
    assert words in told_of(family, note)[-1]


def test_with_open_trumps_a_discard_is_told_from_a_cut() -> None:
    cases = json.loads((PROTOCOL / "vectors" / "rules" / "play.json").read_text())
    found = next(c["record"] for c in cases if c["note"] == "another suit face up, trumps open")
    discard = {**found, "actions": [*found["actions"][:-1], "W JH"]}
    assert "plays JH, no trump, face up: trumps are open." in lines(discard)[-1]


@pytest.mark.parametrize(("trump", "worth"), [("QS", 40), ("JH", 20)])
def test_a_marriage_is_worth_more_in_trumps(trump: str, worth: int) -> None:
    cases = json.loads((PROTOCOL / "vectors" / "rules" / "variants.json").read_text())
    found = next(c["record"] for c in cases if c["note"] == "king and queen in hand")
    said = [line.replace("trump QS", f"trump {trump}") for line in found["actions"]]
    told = lines({**found, "actions": said})[-1]
    assert f"East shows king and queen of spades: {worth} points." in told
