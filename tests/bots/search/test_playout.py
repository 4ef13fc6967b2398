"""Play with every card known: the same moves, winners and points as the referee's."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p304.bots.club import ClubBot
from p2p304.bots.search.endgame import Solver
from p2p304.bots.search.playout import ASKED, CARDS, Rules, Table
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER, bits, card_of, each
from p2p304.rules.core.actions import Play, Reveal
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.scoring import Result
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.reference.random_hands import dealt


def in_play(name: str, seed: int) -> Referee | None:
    """A hand after the bidding, as the club player bids; None if there is nothing to play."""
    referee = dealt(replace(preset(name), caps="off"), random.Random(seed), seed % 4)
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
    seats = range(options.seats)
    friends = {hand.maker}
    if options.partner == "across":
        friends = {seat for seat in seats if (seat - hand.maker) % 2 == 0}
    elif hand.called is not None:
        friends |= {seat for seat in seats if hand.called in referee.held[seat]}
    points = {card.bit: n for card, n in options.pack.points.items()}
    side = tuple(int(seat not in friends) for seat in seats)
    asks = options.hidden == "ask_reveal"
    return Table(
        Rules(points, side, asks, options.exhausted),
        hands=[bits(cards) for cards in referee.held],
        indicator=lies,
        trump=SUIT_CARDS[SUIT_NUMBER[referee.indicator.suit]],
        maker=hand.maker,
        leader=hand.leader,
        plays=[],
        won=(0, 0),
        first=hand.closed is True and not asks,
        opens=hand.closed is True and hand.must_show_early,
        pile=tuple(card.bit for card in referee.pile) if options.stock == "draw" else (),
    )


def play_of(referee: Referee, bit: int) -> Play:
    """The one way in which this card may be played now."""
    (found,) = [
        action
        for action in referee.legal()
        if isinstance(action, Play) and action.card is card_of(bit)
    ]
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_moves_winners_and_points_are_those_of_the_referee(name: str) -> None:
    hands = 0
    for seed in range(40):
        referee, chance = in_play(name, seed), random.Random(seed)
        if referee is None:
            continue
        hands, table = hands + 1, table_of(referee)
        while referee.hand.phase is Phase.PLAY and referee.hand.turn is not None:
            seat, asked = referee.hand.turn, 0
            assert seat == (table.leader + len(table.plays)) % table.seats
            legal = referee.legal()
            trumps = table.legal(seat) >> ASKED
            asks = [action for action in legal if isinstance(action, Reveal)]
            assert not trumps or asks
            if trumps and chance.random() < 0.5:
                referee.act(asks[0])
                legal, asked = referee.legal(), ASKED
            able = {a.card.bit for a in legal if isinstance(a, Play) and a.card}
            assert set(each(trumps if asked else table.legal(seat) & CARDS)) == able
            one = chance.choice(sorted(able))
            referee.act(play_of(referee, one))
            table.play(seat, one << asked)
        result = referee.hand.result
        assert isinstance(result, Result) and not any(table.hands)
        if result.points is not None and not result.void:
            ours = sum(result.points[account] for account in accounts(referee, table))
            assert table.won == [ours, sum(result.points) - ours]
    assert hands >= 10


def accounts(referee: Referee, table: Table) -> set[int]:
    """The accounts of the trump maker's side."""
    options = referee.hand.options
    return {options.account(seat) for seat in range(options.seats) if table.side[seat] == 0}


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
