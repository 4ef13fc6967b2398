"""What an empty seat does: ``playout.lowest``."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Play
from p2p304.rules.play.default_choice import default_choice
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.presets import preset

PAGAT = preset("pagat")


def dealt(seed: int) -> Referee:
    cards = list(PAGAT.pack.cards)
    random.Random(seed).shuffle(cards)
    return Referee(PAGAT, 0, [cards[n * 8 : n * 8 + 8] for n in range(4)])


def views(seed: int) -> list[View]:
    """Every moment of a hand in which all four seats play so, but for one bid."""
    referee, found = dealt(seed), []
    found.append(referee.view(referee.hand.turn or 0))
    referee.act(acts.Bid(found[-1].seat, 160))
    while (turn := referee.hand.turn) is not None:
        found.append(referee.view(turn))
        referee.act(default_choice(found[-1]))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_it_passes_wherever_it_may_and_else_bids_least(seed: int) -> None:
    for view in views(seed):
        if view.hand.phase in (Phase.BID4, Phase.BID8):
            options = legal(view)
            passes = [action for action in options if isinstance(action, acts.Pass)]
            bids = [action for action in options if isinstance(action, acts.Bid)]
            least = min(bids, key=lambda action: action.amount) if bids else None
            assert default_choice(view) == (passes[0] if passes else least)


@pytest.mark.parametrize("seed", range(4))
def test_it_plays_what_is_worth_least_and_plays_open(seed: int) -> None:
    played = 0
    for view in views(seed):
        action, options = default_choice(view), legal(view)
        worth = view.hand.options.pack.points
        if isinstance(action, Play) and action.card is not None:
            may = [option.card for option in options if isinstance(option, Play)]
            played += 1
            assert worth[action.card] == min(worth[card] for card in may if card is not None)
        if view.hand.phase is Phase.DECLARE:
            assert isinstance(action, acts.Open)
    assert played == 32


def test_the_indicator_is_the_least_of_the_longest_suit() -> None:
    pack = PAGAT.pack.named
    view = next(
        view
        for seed in range(20)
        for view in views(seed)
        if view.hand.phase in (Phase.TRUMP4, Phase.TRUMP8)
    )
    held = frozenset(pack[name] for name in ("JS", "8S", "9S", "7H"))
    action = default_choice(replace(view, cards=held))
    assert isinstance(action, acts.LayTrump) and action.card is pack["8S"]


def test_where_nothing_may_be_done_there_is_nothing_to_choose() -> None:
    referee = dealt(1)
    waiting = next(seat for seat in range(4) if seat != referee.hand.turn)
    with pytest.raises(ValueError):
        default_choice(referee.view(waiting))
