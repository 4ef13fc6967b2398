"""Sequences of legal actions, counted by the engine and by a naive twin, against what is stored."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from p2p304.rules.core.actions import Bid, Redeal
from p2p304.rules.core.notation import parse, text
from p2p304.rules.records.record import read_record
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import PRESETS
from tests.support.paths import PROTOCOL
from tests.support.reference.naive_rules import Naive
from tests.support.reference.naive_rules import count as naive_count
from tests.support.reference.random_hands import dealt, mixed, record

FOLDER = PROTOCOL / "perft"
ENGINE, TWIN = 150, 80
"""How many sequences each counts in the tests; scripts/dev perft goes deeper."""


def stored(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text())
    return found


def deepest(counts: list[int], most: int) -> int:
    """The longest sequences of which there are not too many."""
    return max(depth for depth, number in enumerate([0, *counts]) if number <= most)


def count(now: Referee, depth: int) -> int:
    legal = now.legal()
    if depth == 1 or not legal:
        return len(legal)
    total = 0
    for action in legal:
        after = now.copied()
        after.act(action)
        total += count(after, depth - 1)
    return total


def begun(one: dict[str, Any]) -> tuple[Referee, Naive]:
    """A starting point, by the engine and by the twin."""
    read = read_record(json.dumps(one["record"]))
    referee = Referee(read.options, read.dealer, read.hands, read.pile)
    twin = Naive(read.options.to_data(), one["record"])
    for said in read.actions:
        referee.act(parse(said, read.options.seats, read.options.tenths))
        twin.do(as_twin(said, twin))
    return referee, twin


def as_twin(said: str, twin: Naive) -> str:
    """Two cards laid away have no order."""
    parts = sorted(said.split())
    return next((one for one in twin.legal() if sorted(one.split()) == parts), said)


@pytest.mark.parametrize("name", PRESETS)
def test_counts_are_those_stored(name: str) -> None:
    for one in stored(name):
        referee, twin = begun(one)
        for depth in {1, deepest(one["counts"], ENGINE)} - {0}:
            assert count(referee, depth) == one["counts"][depth - 1], one["start"]
        for depth in {1, deepest(one["counts"], TWIN)} - {0}:
            assert naive_count(twin, depth) == one["counts"][depth - 1], one["start"]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_counted_from_everywhere(name: str) -> None:
    found = {one["start"] for one in stored(name)}
    assert found == {"beginning", "after the bidding", "mid-play", "ending"}
    ends = [one for one in stored(name) if one["start"] == "ending"]
    for one in ends:
        referee, _ = begun(one)
        left = sum(referee.hand.cards_left(seat) for seat in referee.hand.playing)
        assert len(one["counts"]) >= left + referee.hand.indicator_down > 0


def same(legal: list[str]) -> list[str]:
    return sorted(" ".join(sorted(one.split())) for one in legal)


@pytest.mark.parametrize("seed", range(48))
def test_whole_hands_under_mixed_rules_offer_what_the_twin_offers(seed: int) -> None:
    chance = random.Random(seed)
    options = mixed(chance)
    referee = dealt(options, chance, seed % options.seats)
    twin = Naive(options.to_data(), record(referee, []))
    play_on(referee, twin, chance)


@pytest.mark.parametrize("name", PRESETS)
def test_what_is_offered_from_the_stored_starts_on_is_what_the_twin_offers(name: str) -> None:
    for seed, one in enumerate(stored(name)):
        play_on(*begun(one), random.Random(seed))


def play_on(referee: Referee, twin: Naive, chance: random.Random) -> None:
    """Play a hand to its end by legal actions, which are the same for both at every moment."""
    seats, tenths = referee.hand.options.seats, referee.hand.options.tenths
    while referee.hand.result is None:
        legal = referee.legal()
        assert same([text(one, seats, tenths) for one in legal]) == same(twin.legal())
        weights = [0.02 if isinstance(one, Redeal) else 0.3 if _high(one) else 1 for one in legal]
        action = chance.choices(legal, weights)[0]
        referee.act(action)
        twin.do(as_twin(text(action, seats, tenths), twin))
    assert twin.phase == "over"


def _high(action: object) -> bool:
    return isinstance(action, Bid) and action.amount > 250
