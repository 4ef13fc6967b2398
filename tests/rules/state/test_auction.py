"""Rounds of bidding: turn by turn, what an answer for a partner uses up, and when they end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.rules.core.actions import FULL_COURT, PCC, Ask, Bid, Pass
from p2p304.rules.state.auction import (
    ALL_POINTS,
    Auction,
    ask_partner,
    first_round,
    is_partner_high,
    late_first_round,
    partner_of,
    second_round,
    speak,
)
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset

PAGAT, TAMIL, ONLINE = preset("pagat"), preset("tamil-304"), preset("online-4")
MAHARASHTRA, SIX = preset("maharashtra"), preset("six-36")


def said(options: Options, auction: Auction, words: str) -> list[int]:
    """Say each word (``-`` passes, ``?`` asks) in turn; returns the turns, the last one too."""
    turns = []
    for word in words.split():
        turns.append(auction.turn)
        assert not auction.is_over
        if word == "?":
            ask_partner(options, auction, Ask(auction.turn))
        elif word == "-":
            speak(options, auction, Pass(auction.turn))
        else:
            speak(options, auction, Bid(auction.turn, int(word)))
    return [*turns, auction.turn]


@pytest.mark.parametrize(
    ("options", "words", "turns", "bidder"),
    [
        (PAGAT, "- - - -", [0, 1, 2, 3, 3], None),
        (PAGAT, "160 - - -", [0, 1, 2, 3, 3], 0),
        (PAGAT, "- - - 160", [0, 1, 2, 3, 0], 3),
        (PAGAT, "160 170 180 190 200 210", [0, 1, 2, 3, 0, 1, 2], 1),
        (PAGAT, f"160 {PCC}", [0, 1, 1], 1),
        (PAGAT, f"{FULL_COURT}", [0, 0], 0),
        (TAMIL, "160 - 170 -", [0, 1, 2, 3, 3], 2),
        (TAMIL, "- - - 160", [0, 1, 2, 3, 3], 3),
        (ONLINE, "150 200 - -", [0, 1, 2, 3, 3], 1),
        (ONLINE, "150 160 170 180 - -", [0, 1, 2, 3, 0, 1, 2], 3),
        (ONLINE, "150 160 170 180 - - -", [0, 1, 2, 3, 0, 1, 2, 2], 3),
        (SIX, "160 - - - - -", [0, 1, 2, 3, 4, 5, 5], 0),
    ],
)
def test_a_round_goes_on_until_nobody_may_better_the_bid(
    options: Options, words: str, turns: list[int], bidder: int | None
) -> None:
    auction = first_round(options, options.seats - 1)
    assert said(options, auction, words) == turns
    assert auction.bidder == bidder
    assert auction.high == max([0, *(int(word) for word in words.split() if word != "-")])
    assert auction.is_over == (len(turns) > 1 and turns[-1] == turns[-2])


def test_the_partner_answers_in_the_askers_turn() -> None:
    auction = first_round(PAGAT, 3)
    assert said(PAGAT, auction, "?") == [0, 2]
    assert (auction.asked_by, auction.partner_free) == (0, True)
    assert said(PAGAT, auction, "170") == [2, 1]
    assert (auction.asked_by, auction.partner_free, auction.bidder) == (None, False, 2)
    assert auction.spoken == {0, 2}
    assert said(PAGAT, auction, "180 ?") == [1, 2, 0]
    assert auction.partner_free is False
    said(PAGAT, auction, "-")
    assert auction.spoken == {0, 1, 2}


def test_a_partner_who_has_spoken_is_not_free() -> None:
    auction = first_round(PAGAT, 3)
    said(PAGAT, auction, "160 170 ?")
    assert (auction.turn, auction.asked_by, auction.partner_free) == (0, 2, False)


@pytest.mark.parametrize(
    ("options", "full", "courts"),
    [(PAGAT, False, False), (TAMIL, True, False), (MAHARASHTRA, False, True)],
)
def test_how_rounds_begin(options: Options, full: bool, courts: bool) -> None:
    begun = first_round(options, 3)
    assert (begun.high, begun.passes, begun.turns, begun.floor, begun.bidder) == (0, 0, 0, 0, None)
    assert (begun.spoken, begun.partner_free, begun.is_over) == (frozenset(), False, False)
    for dealer in range(4):
        right = (dealer + 1) % 4
        first = first_round(options, dealer)
        assert first == Auction(second=False, turn=right, full=full, courts=courts)
        late = late_first_round(options, dealer)
        assert late == Auction(second=False, turn=right, full=True)
        second = second_round(options, dealer, 2, 180)
        assert second == Auction(second=True, turn=2, full=True, floor=180)
        by_dealer = replace(options, bid8_start="dealer_right")
        assert second_round(by_dealer, dealer, 2, 180).turn == right


def test_a_round_of_courts_and_a_second_round_have_one_turn_each() -> None:
    courts = first_round(MAHARASHTRA, 3)
    assert said(MAHARASHTRA, courts, "- - - -") == [0, 1, 2, 3, 3]
    assert courts.is_over
    second = second_round(PAGAT, 3, 2, 180)
    assert said(PAGAT, second, "- 250 - -") == [2, 3, 0, 1, 1]
    assert (second.is_over, second.bidder, second.high) == (True, 3, 250)


def test_a_copy_is_changed_apart_until_the_round_is_over() -> None:
    auction = first_round(PAGAT, 3)
    copy = auction.copied()
    said(PAGAT, copy, "160")
    assert auction == first_round(PAGAT, 3)
    said(PAGAT, auction, "- - - -")
    assert auction.copied() is auction


def test_whose_the_highest_bid_is() -> None:
    auction = first_round(PAGAT, 3)
    assert not is_partner_high(PAGAT, auction, 0)
    said(PAGAT, auction, "160")
    assert [is_partner_high(PAGAT, auction, seat) for seat in range(4)] == [True, False] * 2
    assert [is_partner_high(MAHARASHTRA, auction, seat) for seat in range(4)] == [
        True,
        False,
        False,
        False,
    ]
    assert [partner_of(PAGAT, seat) for seat in range(4)] == [2, 3, 0, 1]
    assert [partner_of(SIX, seat) for seat in range(6)] == [2, 3, 4, 5, 0, 1]
    assert ALL_POINTS == 304
