"""The strong player's bids: by break-even, and legal in every game."""

from __future__ import annotations

import random

import pytest

from p2p304.bots.search import bids
from p2p304.bots.search.deals import Deal, Deals
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import card
from p2p304.rules.core.notation import parse, text
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import preset

PAGAT = preset("pagat")
PARTNER_150 = ["E pass", "N pass", "W 150", "S pass"]
PASSES = ["E pass", "N pass", "W pass", "S pass"]
FIRST_ROUND = ["E 160", "N pass", "W pass", "S pass", "E trump TS"]


def speaking(names: str, *said: str, seat: int = 1, game: str = "pagat") -> View:
    """The view of East with these first four cards, after what others said."""
    rules = preset(game)
    mine = [card(name) for name in names.split()]
    rest = [one for one in rules.pack.cards if one not in mine]
    hands = [rest[at * 8 : at * 8 + 8] for at in range(3)]
    hands.insert(seat, [*mine, *rest[24:]])
    referee = Referee(rules, 0, hands)
    for action in said:
        referee.act(parse(action))
    return referee.view(seat)


def bid(view: View) -> str:
    found: Action | None = bids.bid(view, legal(view), random.Random(1))
    return "club" if found is None else text(found)


@pytest.mark.parametrize(
    ("names", "found"),
    [("JS 9S AS KS", "E 160"), ("JS 9S AH 8D", "E 160"), ("KS QH TD AC", "E pass")],
)
def test_an_opening_bid_is_worth_it(names: str, found: str) -> None:
    assert bid(speaking(names)) == found


def test_a_bid_of_200_is_said_where_it_is_worth_more_than_160() -> None:
    rules = PAGAT
    numbers = [acts.Bid(1, 160), acts.Bid(1, 200), acts.Bid(1, 250)]
    value, best = bids._best(rules, numbers, {160: 0.95, 200: 0.9, 250: 0.3}.__getitem__)
    assert best.amount == 200 and value == pytest.approx(1.5)
    value, best = bids._best(rules, numbers, {160: 0.95, 200: 0.7, 250: 0.3}.__getitem__)
    assert best.amount == 160 and value == pytest.approx(0.85)


def test_the_partner_s_bid_is_left_alone_with_fair_cards() -> None:
    view = speaking("JS 9S AH 8D", "E pass", "N pass", "W 160", "S pass", seat=1)
    assert view.hand.turn == 1
    assert bid(view) == "E pass"


def test_where_the_table_does_not_reach_the_club_player_decides() -> None:
    assert bid(speaking("7S 8H QD KC")) == "club"  # a redeal


def test_the_indicator_is_the_lowest_card_of_the_best_suit() -> None:
    view = speaking("JS 9S 7S JH", "E 160", "N pass", "W pass", "S pass")
    assert bids.indicator(view, random.Random(1)) == acts.LayTrump(1, card("7S"))


def test_a_hand_without_a_suit_of_three_cards_still_chooses_trumps() -> None:
    said = [*FIRST_ROUND[:4], "E trump 9S", "E 250", "N pass", "W pass", "S pass"]
    view = speaking("JS 9S JH 9H JD 9D JC 9C", *said)
    assert bids.indicator(view, random.Random(1)) in legal(view)


def test_a_sure_hand_bids_250_with_all_its_cards() -> None:
    mine = [card(name) for name in ["JS", "9S", "AS", "TS", "KS", "JH", "9H", "AH"]]
    rest = [one for one in PAGAT.pack.cards if one not in mine]
    referee = Referee(PAGAT, 0, [rest[:8], mine, rest[8:16], rest[16:]])
    for action in ("E 160", "N pass", "W pass", "S pass", "E trump TS"):
        referee.act(parse(action))
    view = referee.view(1)
    found = bids.bid(view, legal(view), random.Random(1))
    assert isinstance(found, acts.Bid) and found.amount >= 250


@pytest.mark.parametrize(
    ("game", "names", "said", "found"),
    [
        ("tamil-304", "JS 9S AS TS KS QS JH JD", [], "E pcc"),
        ("tamil-304", "JS 9S AS TS KS 7H JD 8C", [], "E 200"),
        ("pagat", "JS 9S AS TS KS QS JH JD", FIRST_ROUND, "E pcc"),
        ("pagat", "JS 9S AS TS 7H 8H JD 9D", FIRST_ROUND, "E pass"),
        ("half-court", "JS 9S AS TS", [], "E halfcourt"),
        ("half-court", "JS 9S JH JD", [], "E halfcourt"),
        ("half-court", "JS AS KH JD", [], "E 160"),
        ("maharashtra", "JS 9S AS TS", [], "E halfcourt"),
        ("maharashtra", "JS 9S AS TS KS QS JH JD", PASSES, "E fullcourt"),
    ],
)
def test_every_trick_is_bid_where_that_is_worth_most(
    game: str, names: str, said: list[str], found: str
) -> None:
    assert bid(speaking(names, *said, game=game)) == found


def test_the_same_deals_judge_numbers_and_every_trick(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = list[Deal](), Deals.draw

    def counted(source: Deals) -> Deal:
        drawn.append(draw(source))
        return drawn[-1]

    monkeypatch.setattr(Deals, "draw", counted)
    assert bid(speaking("JS 9S AS TS KS 7H JD 8C", game="tamil-304")) == "E 200"
    assert len(drawn) == bids.EVERY_TRICK_DEALS


def test_where_every_trick_must_be_won_the_suit_that_wins_most_is_trumps() -> None:
    view = speaking("JH AH 8H JC 9C AC TC KC", "E pcc", game="tamil-304")
    assert bids.indicator(view, random.Random(1)) == acts.LayTrump(1, card("KC"))


@pytest.mark.parametrize(
    ("game", "names", "said", "found"),
    [
        ("maharashtra", "JS 9S AS TS KS 7H JD 8C", PASSES, "E 200"),
        ("maharashtra", "JS 9S AS 7H JD 8C QC KC", PASSES, "E 160"),
        ("maharashtra", "7S 8S QH KH 7D 8D QC KC", PASSES, "E pass"),
        ("tamil-304", "JS 9S AS 7H JD 8C QC KC", [], "E 160"),
        ("tamil-304", "JS 7S 8S 7H AD 8C QC KC", [], "E pass"),
        ("online-4", "JS 7S 8S 7H AD 8C QC KC", [], "E 150"),  # wins 5, and loses 3
        ("online-4", "7S 8S QH KH 7D 8D QC KC", [], "E pass"),
        ("online-4", "JS 9S AS 7H JD 8C QC KC", PARTNER_150, "E pass"),
    ],
)
def test_with_all_cards_in_hand_sampled_deals_say_what_a_bid_is_worth(
    game: str, names: str, said: list[str], found: str
) -> None:
    assert bid(speaking(names, *said, game=game)) == found
