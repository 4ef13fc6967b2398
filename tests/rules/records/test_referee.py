"""The referee deals what the batches say, to the seat that they are for."""

from __future__ import annotations

import pytest

from p2p304.rules.core.actions import Announce, Count
from p2p304.rules.core.cards import card
from p2p304.rules.core.notation import parse
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.reference.random_hands import walk


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seed", range(3))
def test_batches_are_dealt_from_the_top_of_each_hand(name: str, seed: int) -> None:
    kept, done = walk(seed, preset(name))
    options, whole = kept.hand.options, [set(cards) for cards in kept.dealt]
    referee = Referee(options, kept.hand.dealer, kept.dealt, kept.undealt)
    first = [set(cards[: options.batches[0]]) for cards in kept.dealt]
    assert referee.held == first
    for action in done:
        referee.act(action)
        if referee.hand.phase is Phase.BID4:
            assert referee.held == first
        if referee.hand.phase is Phase.BID8:
            for held, cards in zip(referee.held, whole, strict=True):
                lying = {c for c in cards if c is referee.indicator}
                assert held | lying == cards


def test_after_spoilt_trumps_are_called_only_an_opponent_with_a_trump_opens_cards() -> None:
    hands = (
        "AH TH KH QH TD KD 8D JC",
        "JS 9S 8H 7D AC KC QD 7H",
        "9C TC 8C QC 9D 7C 7S AD",
        "AS TS KS QS 8S JD JH 9H",
    )
    dealt = [[card(name) for name in hand.split()] for hand in hands]
    referee = Referee(preset("pagat"), 0, dealt)
    said = "E 160,N pass,W pass,S pass,E trump JS,E pass,N pass,W pass,S pass,E closed,W spoilt"
    for line in said.split(","):
        referee.act(parse(line))
    counted = {act.seat: set(act.cards) for act in referee.hand.history if isinstance(act, Count)}
    assert counted == {1: {card("JS")}, 2: set(dealt[2]), 0: set()}


def test_where_a_cut_turns_up_all_the_trump_makers_own_card_is_that_of_the_trick() -> None:
    hands = (
        "JC JD 9D AD TD AH KH QH",
        "KS JS 9S AS TS QC 8C 7C",
        "TC 7D 8D KD QD 9H TH JH",
        "8S 7S QS KC 9C AC 8H 7H",
    )
    dealt = [[card(name) for name in hand.split()] for hand in hands]
    referee = Referee(preset("catsatcards"), 0, dealt)
    said = (
        "E 160,N pass,W pass,S pass,E trump KS,E pass,N pass,W pass,S pass,E closed,"
        "E 7C,N TC,W KC,S JC,S JD,E ~QC,N 7D,W ~8S"
    )
    for line in said.split(","):
        referee.act(parse(line))
    (announced,) = [act for act in referee.hand.history if isinstance(act, Announce)]
    assert announced == Announce(1, ((3, card("8S")), (1, card("QC"))), card("KS"))
