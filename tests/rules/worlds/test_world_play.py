"""Worlds in play: the same moves, winners and points as the referee's, at random in all presets."""

from __future__ import annotations

import random

import pytest

from p2p304.rules.caps.bitboard import card_of, each
from p2p304.rules.core.actions import Play, Reveal
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.scoring import Result
from p2p304.rules.variants.presets import PRESETS
from p2p304.rules.worlds.world_play import ASKED, CARDS, WorldPlay
from tests.support.reference.true_worlds import in_play, seen_by, table_of


def play_of(referee: Referee, bit: int) -> Play:
    """The one way in which this card may be played now."""
    (found,) = [
        action
        for action in referee.legal()
        if isinstance(action, Play) and action.card is card_of(bit)
    ]
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_moves_winners_and_points_are_those_of_the_referee_and_of_every_view(name: str) -> None:
    hands = 0
    for seed in range(40):
        referee, chance = in_play(name, seed), random.Random(seed)
        if referee is None:
            continue
        hands, table = hands + 1, table_of(referee)
        while referee.hand.phase is Phase.PLAY and referee.hand.turn is not None:
            seat, asked = referee.hand.turn, 0
            view = seen_by(referee, seat)
            assert (view.key, view.won, view.side) == (table.key, table.won, table.side)
            assert seat == (table.leader + len(table.plays)) % table.seats
            legal = referee.legal()
            trumps = table.legal(seat) >> ASKED
            asks = [action for action in legal if isinstance(action, Reveal)]
            assert bool(trumps) is bool(asks)
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


def accounts(referee: Referee, table: WorldPlay) -> set[int]:
    """The accounts of the trump maker's side."""
    options = referee.hand.options
    return {options.account(seat) for seat in range(options.seats) if table.side[seat] == 0}
