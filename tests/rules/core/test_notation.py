"""The words of the hand record, both ways."""

from __future__ import annotations

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import FULL_COURT, HALF_COURT, PCC
from p2p304.rules.core.cards import Suit, card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import (
    parse,
    parse_bid,
    parse_open_action,
    play_texts,
    reader,
    text,
    word,
)

WORDS = [
    "E 160",
    "E pcc",
    "E halfcourt",
    "E fullcourt",
    "E pass",
    "W ask",
    "E redeal",
    "E trump JS",
    "E partner TD",
    "E exchange 7C 8D",
    "E keep",
    "E open",
    "E closed",
    "N JS",
    "N ~7C",
    "N reveal",
    "N double",
    "N marriage H",
    "E caps JS 9S 8S",
    "W spoilt",
]


@pytest.mark.parametrize("line", WORDS)
def test_every_word_is_read_and_written_alike(line: str) -> None:
    assert text(parse(line)) == line


@pytest.mark.parametrize(
    "line",
    [
        "E",
        "E ",
        "X 160",
        "E 0160",
        "E 1e3",
        "E JX",
        "E trump",
        "E exchange 7C",
        "E marriage X",
        "E pass JS",
        "E  160",
        "E 16.0",
        "E ~",
    ],
)
def test_what_is_no_action_is_told_so(line: str) -> None:
    with pytest.raises(RuleBroken) as told:
        parse(line)
    assert told.value.rule == "action.form"


def test_a_ten_is_read_both_ways_and_written_one_way() -> None:
    assert text(parse("S 10D")) == "S TD" and text(parse("S ~10D")) == "S ~TD"


def test_named_bids_stand_above_every_number() -> None:
    said = [parse_bid(0, name) for name in ("pcc", "halfcourt", "fullcourt")]
    assert said == [acts.Bid(0, PCC), acts.Bid(0, HALF_COURT), acts.Bid(0, FULL_COURT)]


@pytest.mark.parametrize(
    ("amount", "said"), [(160, "1.6"), (165, "1.65"), (250, "2.5"), (300, "3.0")]
)
def test_tenths_say_hundreds(amount: int, said: str) -> None:
    assert text(acts.Bid(1, amount), tenths=True) == f"E {said}"
    assert parse(f"E {said}", tenths=True) == acts.Bid(1, amount)
    with pytest.raises(RuleBroken):
        parse(f"E {amount}", tenths=True)


@pytest.mark.parametrize(
    "said", ["0", "0.5", "1.", ".5", "1.655", "1.60", "01.6", "1.6.0", "1e2", "١٦٠", ""]
)
def test_an_amount_has_one_written_form(said: str) -> None:
    for tenths in (False, True):
        with pytest.raises(RuleBroken, match=r"action\.form"):
            parse_bid(0, said, tenths)


def test_amounts_have_at_most_four_characters() -> None:
    for said in ("1000", "1001", "1002", "9999"):  # not the amounts of the named bids
        assert parse_bid(0, said) == acts.Bid(0, int(said)) and int(said) < min(acts.NAMED.values())
    assert parse_bid(0, "9.95", tenths=True) == acts.Bid(0, 995)
    for said, tenths in (("10000", False), ("10.05", True)):
        with pytest.raises(RuleBroken):
            parse_bid(0, said, tenths)
    assert acts.Bid(0, 160) == parse_bid(0, word(parse_bid(0, "160")))


def test_what_is_said_at_the_table_needs_no_card_shown() -> None:
    assert parse_open_action(1, "double") == acts.Double(1)
    assert parse_open_action(1, "keep") == acts.Keep(1)
    assert parse_open_action(1, "pass") == acts.Pass(1)
    assert parse_open_action(1, "ask") == acts.Ask(1)
    assert parse_open_action(1, "160") == acts.Bid(1, 160)
    assert parse_open_action(1, "partner JS") == acts.Call(1, card("JS"))
    for said in ("partner", "partner XX", "redeal", "open", "JS"):
        with pytest.raises(RuleBroken) as told:
            parse_open_action(1, said)
        assert (told.value.rule, told.value.seat) == ("action.form", 1)


def test_other_tables_number_their_seats() -> None:
    assert parse("6 160", 6).seat == 5 and text(acts.Pass(7), 8) == "8 pass"


def test_the_table_does_not_see_cards_that_lie_face_down() -> None:
    seven, eight = card("7C"), card("8D")
    assert acts.public(acts.Exchange(1, (seven, eight))) == acts.Exchange(1)
    assert acts.public(acts.LayTrump(1, seven)) == acts.LayTrump(1)
    assert acts.public(acts.Play(1, seven, down=True)) == acts.Play(1, None, down=True)
    assert acts.public(acts.Marriage(1, Suit.HEARTS)) == acts.Marriage(1, Suit.HEARTS)


def test_a_reader_reads_as_parse_does_and_refuses_every_time() -> None:
    read = reader(4, tenths=False)
    for line in (*WORDS, *WORDS):
        assert read[line] == parse(line)
    for _ in range(2):
        with pytest.raises(RuleBroken, match=r"action\.form"):
            read["E XX"]


def test_a_reader_keeps_so_many_short_lines_and_reads_all() -> None:
    read = reader(8, tenths=False)
    longest = "1 caps JS 9S 10S"
    assert len(longest) == 16
    assert read[longest] == parse(longest, 8)
    assert longest in read
    longer = "1 caps JS 10S 10H"
    assert read[longer] == parse(longer, 8)
    assert longer not in read
    call = "1 caps JS 9S AS TS KS QS 8S"
    assert read[call] == parse(call, 8) and call not in read
    for amount in range(2000, 7000):
        assert read[f"1 {amount}"] == acts.Bid(0, amount)
    assert len(read) == 4096


def test_plays_are_written_as_every_action_is() -> None:
    for seats in (2, 3, 4, 6, 8):
        for down, texts in enumerate(play_texts(seats)):
            for seat in range(seats):
                for c, found in texts[seat].items():
                    assert found == text(acts.Play(seat, c, bool(down)), seats)
