"""Records of hands that were played: they score as the hands did, and leave open what is hidden."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from p2p304.bots.club import ClubBot
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import card
from p2p304.rules.core.notation import parse
from p2p304.rules.records.from_hand import record_of, written_rules
from p2p304.rules.records.referee import Referee
from p2p304.rules.records.score import score
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.reference.random_hands import dealt, record, walk

HANDS = {
    "S": ["AH", "TH", "KH", "QH", "TD", "KD", "8D", "JC"],
    "E": ["JS", "9S", "8H", "7D", "AC", "KC", "QD", "7H"],
    "N": ["9C", "TC", "8C", "QC", "9D", "7C", "JD", "AD"],
    "W": ["AS", "TS", "KS", "QS", "8S", "7S", "JH", "9H"],
}


def is_known(written: dict[str, Any]) -> bool:
    return "null" not in json.dumps(written) and "?" not in "".join(written["actions"])


def played_by_bots(name: str, seed: int) -> tuple[Referee, list[Action]]:
    """A hand as it is usually played; hands at random are nearly all bid up and called off."""
    referee, done = dealt(preset(name), random.Random(seed), 0), []
    while (seat := referee.hand.turn) is not None:
        done.append(ClubBot().choose(referee.view(seat)))
        referee.act(done[-1])
    return referee, done


@pytest.mark.parametrize("name", PRESETS)
def test_a_hand_scores_as_it_was_played(name: str) -> None:
    """What the record says of the order of the cards is made up, and allows every action."""
    known = 0
    for seed in range(8):
        for referee, done in (played_by_bots(name, seed), walk(seed, preset(name))):
            written = record_of(referee.hand)
            if not is_known(written):
                continue
            known += 1
            played, told = score(json.dumps(record(referee, done))), score(json.dumps(written))
            assert told["error"] is None
            assert (told["result"], told["tricks"]) == (played["result"], played["tricks"])
    # With three, nobody sees what is exchanged or left lying.
    assert known >= (0 if name == "online-3" else 3)


def test_the_cards_are_those_that_were_dealt() -> None:
    for seed in range(8):
        referee, done = walk(seed, preset("pagat"))
        written, true = record_of(referee.hand), record(referee, done)
        for seat, cards in written["hands"].items():
            assert {c for c in cards if c} <= set(true["hands"][seat])
        if is_known(written):
            assert written["actions"] == true["actions"]


def played(name: str, hands: dict[str, list[str]], actions: list[str]) -> Referee:
    cards = [[card(one) for one in hand] for hand in hands.values()]
    referee = Referee(preset(name), 0, cards)
    for said in actions:
        referee.act(parse(said))
    return referee


def test_nobody_has_seen_a_card_of_a_hand_that_was_passed_out() -> None:
    referee = played("pagat", HANDS, ["E pass", "N pass", "W pass", "S pass"])
    written = record_of(referee.hand)
    assert all(cards == [None] * 8 for cards in written["hands"].values())
    assert written["actions"] == ["E pass", "N pass", "W pass", "S pass"]


def test_a_superseded_indicator_stays_hidden() -> None:
    actions = ["E 160", "N pass", "W pass", "S pass", "E trump JS", "E pass", "N 250"]
    referee = played("pagat", HANDS, [*actions, "W pass", "S pass", "N trump 9C"])
    written = record_of(referee.hand)
    assert written["actions"][4] == "E trump ?" and "JS" not in json.dumps(written)


def test_the_indicator_is_hidden_while_it_lies() -> None:
    referee = played("pagat", HANDS, ["E 160", "N pass", "W pass", "S pass", "E trump JS"])
    assert record_of(referee.hand)["actions"][-1] == "E trump ?"
    assert record_of(referee.hand)["hands"]["E"] == [None] * 8


def test_cards_that_were_rejected_are_known() -> None:
    poor = {**HANDS, "E": ["8S", "7D", "QD", "8H", "AC", "KC", "JS", "9S"]}
    poor["W"] = ["AS", "TS", "KS", "QS", "7H", "7S", "JH", "9H"]
    written = record_of(played("pagat", poor, ["E redeal"]).hand)
    assert sorted(written["hands"]["E"][:4]) == ["7D", "8H", "8S", "QD"]
    assert written["hands"]["E"][4:] == [None] * 4


def test_rules_name_what_differs_from_the_preset() -> None:
    changed = preset("pagat").override({"caps": "off", "tokens": 5})
    assert written_rules(changed) == {"preset": "pagat", "tokens": 5, "caps": "off"}
    assert written_rules(preset("tenths")) == "tenths"
