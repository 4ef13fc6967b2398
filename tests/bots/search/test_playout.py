"""Play with every card known: the same moves, winners and points as the referee's."""

from __future__ import annotations

import random

import pytest

from p2p304.bots.club import ClubBot
from p2p304.bots.search.endgame import Solver
from p2p304.bots.search.playout import Rules, Table
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER, bits, card_of, each
from p2p304.rules.core.actions import Play
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.scoring import Result
from p2p304.rules.variants.presets import preset
from tests.support.reference.random_hands import dealt

GAMES = ("pagat", "catsatcards", "wikipedia", "six-24", "six-36", "eight-32", "tenths")


def in_play(name: str, seed: int) -> Referee | None:
    """A hand after the bidding, as the club player bids; None if there is nothing to play."""
    referee = dealt(preset(name), random.Random(seed), seed % 4)
    while referee.hand.phase is not Phase.PLAY:
        seat = referee.hand.turn
        if seat is None:
            return None
        referee.act(ClubBot().choose(referee.view(seat)))
    return None if referee.hand.bids_all_tricks else referee


def table_of(referee: Referee) -> Table:
    hand = referee.hand
    assert hand.maker is not None and referee.indicator is not None
    lies = referee.indicator.bit if hand.indicator_down else 0
    options = hand.options
    points = {card.bit: n for card, n in options.pack.points.items()}
    side = tuple((seat - hand.maker) % 2 for seat in range(options.seats))
    return Table(
        Rules(points, side),
        hands=[bits(cards) for cards in referee.held],
        indicator=lies,
        trump=SUIT_CARDS[SUIT_NUMBER[referee.indicator.suit]],
        maker=hand.maker,
        leader=hand.leader,
        plays=[],
        won=(0, 0),
        first=hand.closed is True,
        opens=hand.closed is True and hand.must_show_early,
    )


def play_of(referee: Referee, bit: int) -> Play:
    """The one way in which this card may be played now."""
    (found,) = [
        action
        for action in referee.legal()
        if isinstance(action, Play) and action.card is card_of(bit)
    ]
    return found


@pytest.mark.parametrize("name", GAMES)
def test_moves_winners_and_points_are_those_of_the_referee(name: str) -> None:
    hands = 0
    for seed in range(40):
        referee, chance = in_play(name, seed), random.Random(seed)
        if referee is None:
            continue
        hands, table = hands + 1, table_of(referee)
        table.stuck = False
        while referee.hand.phase is Phase.PLAY and referee.hand.turn is not None:
            seat = referee.hand.turn
            assert seat == (table.leader + len(table.plays)) % table.seats
            able = {a.card.bit for a in referee.legal() if isinstance(a, Play) and a.card}
            if referee.hand.options.exhausted:
                assert set(each(table.legal(seat))) == able
            one = chance.choice(sorted(able))
            referee.act(play_of(referee, one))
            table.play(seat, one)
        result = referee.hand.result
        assert isinstance(result, Result) and not any(table.hands)
        if result.points is not None and referee.hand.maker is not None:
            side = referee.hand.options.account(referee.hand.maker)
            assert table.won == [result.points[side], result.points[1 - side]]
    assert hands >= 10


def test_rules_of_thumb_play_to_the_end_and_lose_no_point() -> None:
    for seed in range(30):
        referee = in_play("pagat", seed)
        if referee is not None:
            table = table_of(referee)
            reached = table.finish()
            assert 0 <= reached <= 304 and sum(table.won) == 304 and not any(table.hands)


def exhaustive(table: Table) -> int:
    """The twin of the solver: every play, no bounds."""
    seat = (table.leader + len(table.plays)) % table.seats
    able = each(table.legal(seat))
    if not able:
        return table.won[0]
    found = []
    for one in able:
        after = table.copied()
        after.play(seat, one)
        found.append(exhaustive(after))
    return max(found) if (seat - table.maker) % 2 == 0 else min(found)


def test_the_end_is_solved_as_by_trying_everything() -> None:
    tried = 0
    for seed in range(25):
        referee = in_play("pagat", seed)
        if referee is None:
            continue
        table = table_of(referee)
        while max(hand.bit_count() for hand in table.hands) > 3:
            seat = (table.leader + len(table.plays)) % table.seats
            table.play(seat, table.choice(seat, table.legal(seat)))
        best, solver, tried = exhaustive(table), Solver(table.points), tried + 1
        for wanted in (best - 40, best - 1, best):
            assert solver.reaches(table.copied(), wanted)
        for wanted in (best + 1, best + 15, 304):
            assert solver.reaches(table.copied(), wanted) is (wanted <= best)
    assert tried >= 10
