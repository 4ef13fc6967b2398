"""Bots: always legal, blind to other hands, and better than chance."""

from __future__ import annotations

import random

import pytest

from p2p304.bots import bidding
from p2p304.bots.card_memory import CardMemory
from p2p304.bots.card_play import follow
from p2p304.bots.club import ClubBot, LearnerBot
from p2p304.bots.player import Bot, RandomBot
from p2p304.bots.series import play_hand, series, shuffled
from p2p304.rules.core import notation
from p2p304.rules.core.actions import HALF_COURT, Bid, Exchange, Keep, Play
from p2p304.rules.core.cards import Suit, card
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import preset
from tests.support.reference.random_hands import dealt

PAGAT = preset("pagat")


def below(seed: int) -> random.Random:
    return random.Random(seed)


@pytest.mark.parametrize("seed", range(25))
def test_bots_play_whole_hands_by_the_rules(seed: int) -> None:
    chance = below(seed).randrange
    bots: list[Bot] = [ClubBot(), RandomBot(chance), ClubBot(), RandomBot(chance)]
    result, _ = play_hand(PAGAT, seed % 4, shuffled(PAGAT, chance), bots)
    assert result.void or result.points is not None


@pytest.mark.parametrize("seed", range(5))
def test_learners_play_whole_hands_by_the_rules(seed: int) -> None:
    chance = below(seed).randrange
    bots: list[Bot] = [LearnerBot() for _ in range(4)]
    result, _ = play_hand(PAGAT, seed % 4, shuffled(PAGAT, chance), bots)
    assert result.void or result.points is not None


def test_the_club_player_beats_learners() -> None:
    chance = below(9).randrange
    outcome = series(PAGAT, ClubBot(), LearnerBot(), 60, chance)
    assert outcome.tokens > 0


def test_a_bot_chooses_the_same_whatever_others_hold() -> None:
    """Deal the same hand to one seat and everything else anew: its first words are the same."""
    chance = below(5)
    for _ in range(20):
        hands = shuffled(PAGAT, chance.randrange)
        mine, rest = hands[1], [c for i in (0, 2, 3) for c in hands[i]]
        openings = set()
        for _ in range(3):
            chance.shuffle(rest)
            deal = [rest[:8], mine, rest[8:16], rest[16:]]
            referee = Referee(PAGAT, 0, deal)
            openings.add(notation.text(ClubBot().choose(referee.view(1))))
        assert len(openings) == 1


def test_the_club_player_beats_random_play_both_ways_round() -> None:
    chance = below(7).randrange
    outcome = series(PAGAT, ClubBot(), RandomBot(chance), 40, chance)
    assert outcome.tokens - outcome.margin > 0
    mirrored = series(PAGAT, RandomBot(chance), ClubBot(), 40, chance)
    assert mirrored.tokens + mirrored.margin < 0


def test_a_deal_played_by_equals_comes_out_even() -> None:
    chance = below(9).randrange
    outcome = series(PAGAT, ClubBot(), ClubBot(), 15, chance)
    assert outcome.tokens == 0 and outcome.bids[0] == outcome.bids[1]


def opening(hand: str) -> View:
    """Dealer's right, first to speak, with these four cards."""
    first = [card(name) for name in hand.split()]
    rest = [c for c in PAGAT.pack.cards if c not in first]
    east = [*first, *rest[:4]]
    others = rest[4:]
    return Referee(PAGAT, 0, [others[:8], east, others[8:16], others[16:]]).view(1)


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("JS 9S AS JH", "E 160"),
        ("7S 8H QD KC", "E redeal"),
        ("JS JH 9D AC", "E ask"),
        ("AS TH KD KC", "E pass"),
    ],
)
def test_what_is_said_on_four_cards(hand: str, said: str) -> None:
    assert notation.text(ClubBot().choose(opening(hand))) == said


def test_longer_and_higher_trumps_are_worth_more() -> None:
    strong = [card(n) for n in ["JS", "9S", "AS", "7H"]]
    weak = [card(n) for n in ["KS", "QS", "7S", "7H"]]
    assert bidding.worth(strong, Suit.SPADES) > bidding.worth(weak, Suit.SPADES)
    assert bidding.best_suit(strong) is Suit.SPADES
    assert (
        bidding.sure_tricks(
            [card(n) for n in ["JS", "9S", "AS", "TS", "KS", "JH", "9H", "AH"]], Suit.SPADES
        )
        == 8
    )


def test_the_indicator_is_the_least_card_of_the_best_suit() -> None:
    view = opening("JS 9S 7S JH")
    assert bidding.indicator(view).card is card("7S")


def test_cards_without_points_that_are_no_trumps_are_exchanged() -> None:
    """Two of them, where the hand has two; with fewer all are kept."""
    rules, kept, given = preset("online-3"), 0, 0
    for seed in range(40):
        referee = dealt(rules, below(seed), 0)
        while (seat := referee.hand.turn) is not None:
            view = referee.view(seat)
            action = ClubBot().choose(view)
            if view.hand.phase is Phase.EXCHANGE:
                poor = [
                    one for one in view.cards if one.rank in "87" and one.suit is not view.trump
                ]
                if isinstance(action, Exchange):
                    assert len(action.cards or ()) == 2 and set(action.cards or ()) <= set(poor)
                    given += 1
                else:
                    assert isinstance(action, Keep) and len(poor) < 2
                    kept += 1
                break
            referee.act(action)
    assert kept >= 3 and given >= 3


def test_points_go_to_a_partner_who_is_winning() -> None:
    """North has led the jack of hearts; South, last but one, gives the ten, not the seven."""
    hands = [
        "TH 7H 9S 8S QD 7D KC 8C",
        "QH 8H AS KS JD TD AC 7C",
        "JH KH QS 7S AD KD QC TC",
        "9H AH JS TS 9D 8D JC 9C",
    ]
    referee = Referee(PAGAT, 1, [[card(n) for n in hand.split()] for hand in hands])
    for said in (
        "N 160",
        "W pass",
        "S pass",
        "E pass",
        "N trump QS",
        "N pass",
        "W pass",
        "S pass",
        "E pass",
        "N closed",
        "N JH",
        "W AH",
    ):
        referee.act(notation.parse(said))
    memory = CardMemory(referee.view(0))
    assert memory.is_partner_winning
    chosen = follow(memory, [card("TH"), card("7H")])
    assert chosen is card("TH")
    assert isinstance(ClubBot().choose(referee.view(0)), Play)


@pytest.mark.parametrize(
    ("held", "bids"),
    [
        ("JS 9S AS 7S", True),
        ("JS 9S JH JD", True),
        ("JS 9S 7S JH", True),
        ("JS 9S 8S 7S", False),
        ("JS 9S AS 7H", False),
        ("9S AS JH JD", False),
    ],
)
def test_half_court_is_bid_with_four_cards_that_take_every_trick(held: str, bids: bool) -> None:
    rules = preset("half-court")
    mine = [card(name) for name in held.split()]
    rest = [c for c in rules.pack.cards if c not in mine]
    hands = [rest[:8], [*mine, *rest[8:12]], rest[12:20], rest[20:]]
    referee = Referee(rules, 0, hands)
    said = ClubBot().choose(referee.view(1))
    assert (said == Bid(1, HALF_COURT)) is bids


def test_who_bid_every_trick_plays_open_trump() -> None:
    rules = preset("half-court")
    mine = [card(name) for name in ("JS", "9S", "AS", "7S")]
    rest = [c for c in rules.pack.cards if c not in mine]
    referee = Referee(rules, 0, [rest[:8], [*mine, *rest[8:12]], rest[12:20], rest[20:]])
    bot = ClubBot()
    while referee.hand.phase is not Phase.PLAY:
        referee.act(bot.choose(referee.view(referee.hand.turn or 0)))
    assert referee.hand.closed is False and referee.hand.bid == HALF_COURT
