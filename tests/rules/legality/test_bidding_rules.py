"""Bidding: the worked examples of the texts, and every constraint with its identifier."""

from __future__ import annotations

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import parse, text
from p2p304.rules.play.engine import apply
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset

PAGAT = preset("pagat")
SOUTH, EAST = 0, 1


def said(*lines: str, dealer: int = SOUTH, options: Options = PAGAT) -> Hand:
    hand = Hand.start(options, dealer)
    for line in lines:
        hand = apply(hand, parse(line))
    return hand


def refused(hand: Hand, line: str) -> str:
    with pytest.raises(RuleBroken) as broken:
        apply(hand, parse(line))
    assert broken.value.message
    return broken.value.rule


def test_first_worked_example_south_deals() -> None:
    hand = said("E 160", "N 170", "W pass")
    assert refused(hand, "S 190") == "bid.partner"
    hand = apply(hand, parse("S pass"))
    assert refused(hand, "E 180") == "bid.rebid"
    hand = said("E 160", "N 170", "W pass", "S pass", "E 200", "N pass", "W pass", "S pass")
    assert (hand.phase, hand.maker, hand.bid) == (Phase.TRUMP4, EAST, 200)


def test_second_worked_example_east_deals() -> None:
    hand = said("N pass", "W ask", "E 160", "S 170", dealer=EAST)
    assert hand.turn == EAST
    assert refused(hand, "E 180") == "bid.rebid"
    hand = said(
        "N pass",
        "W ask",
        "E 160",
        "S 170",
        "E pass",
        "N pass",
        "W ask",
        "E 200",
        "S pass",
        "N pass",
        "W pass",
        dealer=EAST,
    )
    assert (hand.phase, hand.maker, hand.bid) == (Phase.TRUMP4, EAST, 200)


def test_all_pass_is_void_and_the_deal_moves_right() -> None:
    hand = said("E pass", "N pass", "W pass", "S pass")
    assert hand.result is not None and hand.result.void
    assert hand.result.next_dealer == EAST and hand.result.tokens == (0, 0)


@pytest.mark.parametrize(
    ("before", "line", "rule"),
    [
        ((), "E 150", "bid.min"),
        ((), "E 165", "bid.step"),
        ((), "E 310", "bid.max"),
        ((), "E 1000", "bid.max"),
        ((), "E 1001", "bid.step"),
        ((), "E 9999", "bid.step"),
        ((), "E pcc", "pcc.bid"),
        ((), "N pass", "turn"),
        ((), "E open", "phase"),
        (("E 180",), "N 180", "bid.higher"),
        (("E 180",), "N 170", "bid.higher"),
        (("E pass", "N pass", "W ask"), "E 160", "bid.rebid"),
        (("E ask",), "W ask", "ask.turn"),
        (("E 160", "N pass"), "W ask", "ask.turn"),
        (("E pass", "N pass", "W pass"), "E redeal", "turn"),
        (("E pass",), "N redeal", "redeal.once"),
    ],
)
def test_a_forbidden_word_names_its_rule(before: tuple[str, ...], line: str, rule: str) -> None:
    assert refused(said(*before), line) == rule


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ((), "E 160"),
        ((), "E 300"),
        ((), "E redeal"),
        (("E 180",), "N 190"),
        (("E 160", "N pass"), "W 200"),
        (("E ask",), "W 160"),
        (("E pass", "N pass", "W ask"), "E 200"),
        (("E 300",), "N ask"),
    ],
)
def test_an_allowed_word_is_taken(before: tuple[str, ...], line: str) -> None:
    hand = said(*before)
    assert apply(hand, parse(line)).history[-1] == parse(line)


FOUR = ("E 200", "N pass", "W pass", "S pass", "E trump JS")


def test_eight_cards_begin_with_the_winner_and_go_once_round() -> None:
    hand = said(*FOUR)
    assert (hand.phase, hand.turn, hand.batches) == (Phase.BID8, EAST, 2)
    hand = said(*FOUR, "E pass", "N pass", "W pass", "S pass")
    assert (hand.phase, hand.turn, hand.bid) == (Phase.DECLARE, EAST, 200)


def test_the_least_bid_with_eight_cards() -> None:
    assert refused(said(*FOUR), "E 240") == "bid8.min"
    high = said("E 260", "N pass", "W pass", "S pass", "E trump JS")
    assert refused(high, "E 260") == "bid8.min"
    assert apply(high, parse("E 270")).auction.high == 270
    assert refused(said(*FOUR), "E ask") == "ask.four"


def test_over_the_partner_one_must_pass_with_eight_cards() -> None:
    hand = said(*FOUR, "E 250", "N pass")
    assert refused(hand, "W 260") == "bid8.partner"
    assert refused(hand, "W pcc") == "bid8.partner"
    assert apply(hand, parse("W pass")).turn == SOUTH


def test_a_superseded_indicator_is_taken_back_unseen() -> None:
    hand = said(*FOUR, "E pass", "N 250", "W pass", "S pass")
    assert (hand.phase, hand.maker, hand.taken_back) == (Phase.TRUMP8, 2, EAST)
    assert not hand.indicator_down and hand.trump is None
    own = said(*FOUR, "E 250", "N pass", "W pass", "S pass")
    assert (own.maker, own.taken_back) == (EAST, EAST)


def test_partner_close_caps_ends_the_bidding_and_puts_the_partner_out() -> None:
    hand = said(*FOUR, "E pass", "N pcc")
    assert (hand.phase, hand.maker, hand.playing) == (Phase.TRUMP8, 2, (1, 2, 3))
    hand = said(*FOUR, "E pass", "N pcc", "N trump JH", "N closed")
    assert hand.turn == 2


def test_a_redeal_shows_the_cards_and_keeps_the_dealer() -> None:
    hand = Hand.start(PAGAT, SOUTH)
    poor = tuple(card(name) for name in ["AS", "KH", "8D", "7C"])
    over = apply(hand, acts.Redeal(EAST, poor))
    assert over.result is not None and over.result.void and over.result.next_dealer == SOUTH
    rich = (card("JS"), *poor[:3])
    with pytest.raises(RuleBroken) as broken:
        apply(hand, acts.Redeal(EAST, rich))
    assert broken.value.rule == "redeal.fifteen"


def test_fives_above_two_hundred() -> None:
    assert said("E 205", options=preset("fives")).auction.high == 205
    assert refused(Hand.start(preset("fives"), SOUTH), "E 165") == "bid.step"


def test_actions_read_and_write_the_same() -> None:
    for line in (
        "E 160",
        "E pcc",
        "W ask",
        "E redeal",
        "E trump JS",
        "E open",
        "E closed",
        "N JS",
        "N ~7C",
        "E caps JS 9S",
        "W spoilt",
        "S pass",
    ):
        assert text(parse(line)) == line
    assert text(parse("E 10D")) == "E TD"
    for junk in ("", "E", "X pass", "E nonsense", "E 160 170", "E trump", "E 6S6", "E ~", "E 0160"):
        with pytest.raises(RuleBroken) as broken:
            parse(junk)
        assert broken.value.rule == "action.form"
