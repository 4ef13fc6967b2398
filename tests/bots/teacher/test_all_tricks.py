"""Bids to win every trick are judged, and the cards played after them, by the view alone."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import pytest

from p2p304.bots.club import ClubBot
from p2p304.bots.search.all_tricks import players, wins_rest
from p2p304.bots.teacher.before_play import PHASES
from p2p304.bots.teacher.evaluation import Evaluation, evaluate
from p2p304.bots.teacher.phrases import better, chances_of
from p2p304.offline.teacher import mistakes
from p2p304.rules.caps.bitboard import SUIT_CARDS, bits
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import FULL_COURT, HALF_COURT, PCC, Bid, Pass, Play
from p2p304.rules.core.cards import card
from p2p304.rules.core.phase import Phase
from p2p304.rules.legality.public_checks import has_won_all
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import preset
from p2p304.rules.worlds.position import Position, World, reading_of_any
from p2p304.rules.worlds.world_play import WorldPlay, WorldRules, without_idle_seats
from tests.bots.teacher.test_before_play import first_bidder

BEST = "JS 9S AS TS KS QS JH JD"
FOUR = "JS 9S AS TS 7H 8H 7D 8D"
WEAK = "7S 8S KH QH 7D 8D QC KC"
GAMES = [
    ("tamil-304", PCC, BEST),
    ("half-court", HALF_COURT, FOUR),
    ("maharashtra", HALF_COURT, FOUR),
    ("maharashtra", FULL_COURT, BEST),
]


def spoken(game: str, amount: int, names: str) -> Referee:
    """A hand in which the first player to bid, with these cards, may bid this now."""
    referee = first_bidder(game, names)
    while referee.hand.turn is not None and amount == FULL_COURT and referee.hand.auction.courts:
        referee.act(Pass(referee.hand.turn))
    return referee


def found_in(view: View, taken: acts.Action, deals: int = 60) -> Evaluation:
    found = evaluate(view, taken, deals)
    assert found is not None and found.taken is not None
    return found


@pytest.mark.parametrize(("game", "amount", "names"), GAMES)
def test_a_bid_for_every_trick_is_best_with_sure_tricks_and_a_mistake_without(
    game: str, amount: int, names: str
) -> None:
    view = spoken(game, amount, names).view(1)
    found = found_in(view, Bid(1, amount))
    assert found.taken is not None and found.regret == 0
    assert found.choices[found.taken].made == found.deals
    passed = found_in(view, Pass(1))
    named = {PCC: "Partner Close Caps", HALF_COURT: "half court", FULL_COURT: "full court"}[amount]
    assert passed.is_mistake and f"Better: a bid of {named}, worth +" in str(better(passed, view))
    view = spoken(game, amount, WEAK).view(1)
    wrong = found_in(view, Bid(1, amount))
    assert wrong.is_mistake and wrong.taken is not None and wrong.choices[wrong.taken].made < 15
    assert str(better(wrong, view)).startswith(f"seat 2 bid {named}: worth -")
    assert found_in(view, Pass(1)).regret < 0.5


def bid_and_played(game: str, amount: int, names: str, plays: int = 0) -> Referee:
    """The same hand after the bid, the others' passes, and so many cards of club players."""
    referee = spoken(game, amount, names)
    referee.act(Bid(1, amount))
    while (seat := referee.hand.turn) is not None:
        done = sum(isinstance(one, Play) for one in referee.hand.history)
        if referee.hand.phase is Phase.PLAY and done >= plays:
            break
        referee.act(ClubBot().choose(referee.view(seat)))
    return referee


def test_a_card_that_gives_a_trick_away_is_a_mistake_in_partner_close_caps() -> None:
    referee = bid_and_played("tamil-304", PCC, "JS 9S AS TS KS 7S JH JD")
    view = referee.view(1)
    top = next(one for one in legal(view) if isinstance(one, Play) and one.card is card("JS"))
    low = next(one for one in legal(view) if isinstance(one, Play) and one.card is card("7S"))
    assert found_in(view, top).regret == 0
    wrong = found_in(view, low)
    assert wrong.is_mistake and "it makes Partner Close Caps in " in str(better(wrong, view))
    assert "Partner Close Caps in 100 of 100 deals" in str(chances_of(found_in(view, top), view))
    referee.act(low)
    while (seat := referee.hand.turn) is not None:  # once a trick is lost nothing counts
        if not has_won_all(referee.hand, 1):
            assert evaluate(referee.view(seat)) is None
            return
        referee.act(ClubBot().choose(referee.view(seat)))
    raise AssertionError("no trick was lost")


def test_it_sees_no_hand_of_the_others_nor_one_that_is_laid_aside() -> None:
    compared = 0
    for plays in range(7):
        referee = bid_and_played("tamil-304", PCC, "JS 9S AS TS JH AH JD 7D", plays)
        seat = referee.hand.turn
        assert seat is not None
        idle = next(s for s in range(4) if s not in referee.hand.playing)
        other = next(s for s in referee.hand.playing if s not in (1, seat))
        view = referee.view(seat)
        unseen = sorted(referee.held[idle] | referee.held[other], key=str)
        random.Random(plays).shuffle(unseen)
        count = len(referee.held[other])
        referee.held[other], referee.held[idle] = set(unseen[:count]), set(unseen[count:])
        assert evaluate(view, deals=8) == evaluate(referee.view(seat), deals=8)
        compared += evaluate(view, deals=8) is not None
    assert compared >= 2


def test_partners_across_of_a_player_alone_do_not_play() -> None:
    assert players(preset("pagat"), 1, PCC) == (0, 1, 2)
    assert players(preset("six-36"), 1, PCC) == (0, 1, 2, 4)
    assert players(preset("maharashtra"), 1, HALF_COURT) == (0, 1, 2, 3)
    assert players(preset("maharashtra"), 1, FULL_COURT) == (0, 1, 2, 3)


def dealt_to(*names: str) -> list[int]:
    return [bits(card(name) for name in one.split()) for one in names]


def started(*names: str, side: tuple[int, ...] = (0, 1, 0, 1)) -> WorldPlay:
    """The trump maker, the first of these hands, leads; spades are trumps."""
    points = {one.bit: n for one, n in preset("pagat").pack.points.items()}
    return WorldPlay(WorldRules(points, side), dealt_to(*names), 0, SUIT_CARDS[0], 0, 0, [], (0, 0))


ALL = bits(preset("pagat").pack.cards)
CLUBS, DIAMONDS = "JC 9C AC TC KC QC", "JD 9D AD TD KD QD"


@pytest.mark.parametrize(
    ("mine", "next_hand", "made"),
    [
        ("JS 9S AS TS KS QS", "8S 7S JH 9H AH TH", True),
        ("JS 9S AS JH 9H AH", "TS 8S 7S TH KH QH", True),
        ("JS TS KS JH 9H AH", "9S 8S 7S TH KH QH", False),
    ],
)
def test_every_trick_is_won_by_the_rules_of_thumb_where_that_is_sure(
    mine: str, next_hand: str, made: bool
) -> None:
    for side in (0, 1):
        table = without_idle_seats(started(mine, next_hand, CLUBS, DIAMONDS), (0, 1, 3))
        assert wins_rest(table, side, ALL) is (made and side == 0)


@pytest.mark.parametrize(("game", "amount", "names"), GAMES)
def test_every_own_choice_can_be_judged_after_such_a_bid(
    game: str, amount: int, names: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mistakes, "evaluate", partial(evaluate, deals=1))
    referee, chance = first_bidder(game, names), random.Random(3)
    views = [dict[int, View]() for _ in range(4)]
    bid = Bid(1, amount)
    while (seat := referee.hand.turn) is not None:
        view = referee.view(seat)
        views[seat][len(view.hand.history)] = view
        is_early = view.hand.phase is Phase.BID4 and view.hand.auction.courts
        plain = [Pass(seat)] if is_early else legal(view)
        referee.act(bid if bid in legal(view) else chance.choice(plain))
    result = referee.hand.result
    assert result is not None and referee.hand.bid == amount
    final = replace(referee.hand, history=[acts.public(one) for one in referee.hand.history])
    for seat in referee.hand.playing:
        judged = mistakes.judged_hand((), 1, final, result, views[seat], seat)
        looked_at = [o for o in views[seat].values() if o.hand.phase in (*PHASES, Phase.PLAY)]
        assert not judged.unjudged and judged.judged == len(looked_at) > 0


def test_a_player_who_must_win_every_trick_may_keep_trumps_back() -> None:
    """Exhausted trumps need not be led: a lead of another suit does not tell that none is left."""
    referee = bid_and_played("tamil-304", PCC, BEST)
    order = [card(name) for name in ("JS", "9S", "AS", "JH", "JD", "TS", "KS", "QS")]
    while (seat := referee.hand.turn) is not None and referee.hand.completed_count < 4:
        view = referee.view(seat)
        mine = {one.card: one for one in legal(view) if isinstance(one, Play)}
        wanted = next((mine[one] for one in order if seat == 1 and one in mine), None)
        referee.act(wanted or ClubBot().choose(view))
    assert seat is not None
    view = referee.view(next(other for other in referee.hand.playing if other != 1))
    known = reading_of_any(view)
    assert card("JH") in [play.card for play in referee.hand.completed_tricks[3].plays]
    assert not known.spent and not known.exhausted and not known.exhausts
    start = Position(view, known).table(World((0,) * 4, 0, 0, (), ()))
    assert not start.rules.exhausts and not start.stuck
