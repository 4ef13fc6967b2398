"""Speaking once or at 200 only, over one's partner, one round on all cards, the forced dealer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from p2p304.rules.core.actions import Bid
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import parse
from p2p304.rules.play.engine import apply
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.variants.options import OptionsError
from p2p304.rules.variants.presets import PRESETS, options_from_data, preset

SOUTH, EAST, NORTH, WEST = 0, 1, 2, 3
ONLINE: Mapping[str, Any] = {
    "deal": "all_first",
    "bid.min": 150,
    "rebid": "first200",
    "over_partner": "first200",
    "all_pass": "dealer_forced",
    "pcc": "off",
    "bid304": "on",
    "ask_partner": "off",
}


def said(*lines: str, **options: Any) -> Hand:
    """After these words, South dealing; option names with two underscores for a dot."""
    named = {name.replace("__", "."): value for name, value in options.items()}
    hand = Hand.start(preset("pagat").override(named), SOUTH)
    for line in lines:
        hand = apply(hand, parse(line))
    return hand


def refused(hand: Hand, line: str) -> str:
    with pytest.raises(RuleBroken) as told:
        apply(hand, parse(line))
    return told.value.rule


def offered(hand: Hand) -> list[int]:
    """The amounts that the player in turn may bid."""
    turn = hand.turn
    assert turn is not None
    allowed = legal(View(turn, hand, frozenset(), None))
    return sorted(action.amount for action in allowed if isinstance(action, Bid))


def laid(hand: Hand, seat: str) -> Hand:
    return apply(hand, parse(f"{seat} trump JS"))


def test_once_means_that_everybody_speaks_once() -> None:
    hand = said("E 160", "N 170", "W pass", "S 200", rebid="once")
    assert hand.phase is Phase.TRUMP4 and hand.maker == SOUTH and hand.bid == 200


def test_once_counts_an_answer_for_the_partner_as_their_turn() -> None:
    hand = said("E ask", "W 160", "N pass", rebid="once")
    assert hand.turn == SOUTH
    assert refused(hand, "S ask") == "ask.turn"
    over = apply(hand, parse("S pass"))
    assert over.phase is Phase.TRUMP4 and over.maker == WEST


def test_once_without_a_bid_passes_the_deal_on_after_asking_too() -> None:
    hand = said("E ask", "W pass", "N pass", "S pass", rebid="once")
    assert hand.result is not None and hand.result.void and hand.result.next_dealer == EAST


def test_never_over_ones_partner_unless_an_opponent_bid_between() -> None:
    hand = said("E 160", "N pass", over_partner="never")
    assert refused(hand, "W 200") == "bid.partner"
    assert said("E 160", "N 170", "W 180", over_partner="never").auction.high == 180


def test_first200_lets_nobody_speak_again_once_200_is_bid() -> None:
    hand = said("E 150", "N 200", **ONLINE)
    assert refused(hand, "W 205") == "bid.step"
    hand = apply(apply(hand, parse("W pass")), parse("S pass"))
    assert hand.phase is Phase.TRUMP8 and hand.maker == NORTH


def test_first200_lets_who_has_spoken_bid_200_first() -> None:
    hand = said("E 150", "N 160", "W pass", "S pass", **ONLINE)
    assert hand.turn == EAST
    assert refused(hand, "E 190") == "bid.rebid"
    over = apply(hand, parse("E 200"))
    assert over.phase is Phase.TRUMP8 and over.bid == 200


def test_first200_over_ones_partner() -> None:
    hand = said("E 150", "N pass", **ONLINE)
    assert refused(hand, "W 190") == "bid.partner"
    assert apply(hand, parse("W 200")).auction.high == 200
    assert refused(said("E 200", "N pass", **ONLINE), "W 210") == "bid.partner"


def test_the_forced_dealer_must_bid() -> None:
    hand = said("E pass", "N pass", "W pass", **ONLINE)
    assert refused(hand, "S pass") == "bid.forced"
    assert apply(hand, parse("S 150")).auction.bidder == SOUTH


def test_a_bid_of_304_leads_and_none_is_higher() -> None:
    hand = said("E 150", "N 304", **ONLINE)
    assert hand.turn == WEST and offered(hand) == []
    hand = apply(apply(hand, parse("W pass")), parse("S pass"))
    assert apply(laid(hand, "N"), parse("N closed")).turn == NORTH
    assert refused(said("E 160"), "N 304") == "bid.step"


@pytest.mark.parametrize(
    ("way", "equal", "higher"),
    [(250, False, True), ("equal_ok", True, True), ("over250", False, True)],
)
def test_the_least_bid_with_eight_cards(way: Any, equal: bool, higher: bool) -> None:
    hand = said("E 260", "N pass", "W pass", "S pass", bid8__min=way)
    hand = apply(laid(hand, "E"), parse("E pass"))
    amounts = offered(hand)
    assert hand.turn == NORTH and (260 in amounts, 270 in amounts) == (equal, higher)


@pytest.mark.parametrize(("way", "least"), [(250, 250), ("equal_ok", 250), ("over250", 260)])
def test_250_itself_with_eight_cards(way: Any, least: int) -> None:
    hand = laid(said("E 160", "N pass", "W pass", "S pass", bid8__min=way), "E")
    assert hand.turn == EAST and offered(hand)[0] == least


def test_a_second_bid_with_eight_cards_is_higher_than_the_first_in_any_way() -> None:
    hand = said("E 260", "N pass", "W pass", "S pass", bid8__min="equal_ok")
    hand = apply(apply(laid(hand, "E"), parse("E pass")), parse("N 260"))
    hand = apply(hand, parse("W 270"))
    assert hand.auction.high == 270


def test_without_a_second_round_the_choice_of_open_or_closed_follows() -> None:
    hand = laid(said("E 160", "N pass", "W pass", "S pass", bid8="off"), "E")
    assert hand.phase is Phase.DECLARE and hand.batches == 2


def test_one_round_on_all_cards_may_end_in_partner_close_caps() -> None:
    hand = said("E 160", "N pcc", deal="all_first")
    assert hand.phase is Phase.TRUMP8 and hand.maker == NORTH and hand.playing == (1, 2, 3)
    assert refused(said("E 160", deal="all_first"), "N ask") == "ask.four"
    assert refused(said(deal="all_first", pcc="off"), "E pcc") == "pcc.bid"


def test_every_preset_survives_its_data() -> None:
    for one in PRESETS.values():
        assert options_from_data(one.to_data()) == one


@pytest.mark.parametrize(
    "wrong",
    [{"rebid": "200"}, {"rebid": True}, {"bid_min": 160}, {"over.partner": 200}, {"deal": "5+3"}],
)
def test_an_unknown_option_or_value_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionsError):
        preset("pagat").override(wrong)


def test_304_betters_300_in_a_second_round_but_not_itself() -> None:
    high = laid(said("E 300", "N pass", "W pass", "S pass", bid304="on"), "E")
    assert offered(high)[0] == 304
    assert apply(high, parse("E 304")).auction.high == 304
    all_points = laid(said("E 304", "N pass", "W pass", "S pass", bid304="on"), "E")
    assert refused(all_points, "E 304") == "bid8.min"
    assert 304 not in offered(all_points)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [*range(160, 301, 10)]),
        ({"step_over_200": 5}, [*range(160, 200, 10), *range(200, 301, 5)]),
        ({"bid304": "on"}, [*range(160, 301, 10), 304]),
    ],
)
def test_bids_go_up_to_the_highest_by_steps(
    options: Mapping[str, Any], expected: list[int]
) -> None:
    assert offered(said(**options)) == expected
