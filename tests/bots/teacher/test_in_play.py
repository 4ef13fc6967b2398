"""Choices in play: double, and the tricks that it asks for, against a naive search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from p2p304.bots.club import ClubBot
from p2p304.bots.search.all_tricks import all_tricks_won
from p2p304.bots.search.playout import tables_after
from p2p304.bots.search.worlds import Worlds
from p2p304.bots.teacher.evaluation import evaluate
from p2p304.bots.teacher.phrases import better, chances_of
from p2p304.rules.caps.bitboard import each
from p2p304.rules.core.actions import Bid, Double, Play
from p2p304.rules.legality.public_checks import has_won_all
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.scoring import won_and_lost
from p2p304.rules.variants.presets import preset
from p2p304.rules.worlds.position import Position, reading
from p2p304.rules.worlds.world_play import WorldPlay
from tests.support.reference.random_hands import dealt


def doubles(game: str = "tamil-304", makers: bool | None = None) -> Iterator[tuple[Referee, View]]:
    """Moments at which double may be said: by the trump maker's side, the other (if the first bids
    and plays any), or either."""
    for seed in range(300):
        referee, wild = dealt(preset(game), random.Random(seed), 0), random.Random(seed)
        while (seat := referee.hand.turn) is not None:
            view = referee.view(seat)
            if Double(seat) in legal(view):
                if makers in (None, seat in referee.hand.makers):
                    yield referee, view
                break
            blind = makers is False and (not referee.hand.makers or seat in referee.hand.makers)
            plain = [one for one in legal(view) if not isinstance(one, Bid) or one.amount < 170]
            referee.act(wild.choice(plain) if blind else ClubBot().choose(view))


def naive(table: WorldPlay, side: int) -> bool:
    """Whether this side wins every trick from here: every play of every seat is tried."""
    if not any(table.hands) and table.indicator <= 0:
        return True
    seat, found = (table.leader + len(table.plays)) % table.seats, list[bool]()
    for card in each(table.legal(seat)):
        after = table.copied()
        after.play(seat, card)
        is_lost = not after.plays and after.side[after.leader] != side
        found.append(not is_lost and naive(after, side))
    return any(found) if table.side[seat] == side else all(found)


def test_whether_a_side_wins_every_trick_is_what_a_naive_search_finds() -> None:
    seen = set[tuple[int, bool]]()
    for number, (_, view) in enumerate([*islice(doubles(), 4), *islice(doubles(makers=False), 8)]):
        known = reading(view)
        worlds, position = Worlds(view, known, random.Random(number)), Position(view, known)
        moves = [one.card.bit for one in legal(view) if isinstance(one, Play) and one.card]
        for _ in range(3):
            world = worlds.draw()
            assert world is not None
            start = position.table(world)
            winners = {start.side[trick.winner or 0] for trick in view.hand.completed_tricks}
            for side in (0, 1):
                after = tables_after(start, view.seat, moves)
                found = all_tricks_won(view, start, side, moves)
                assert found == [winners <= {side} and naive(table, side) for table in after]
                seen |= {(side, one) for one in found}
    assert seen == {(0, True), (0, False), (1, True), (1, False)}


@pytest.mark.parametrize("makers", [True, False])
def test_double_pays_a_token_more_and_a_doubled_hand_is_judged_by_tricks(makers: bool) -> None:
    for referee, view in doubles(makers=makers):
        found = evaluate(view, Double(view.seat), 40)
        assert found is not None and found.taken is not None
        said = found.choices[found.taken]
        gains = set(said.gains)
        won, lost = won_and_lost(preset("tamil-304"), view.hand.bid)
        assert gains <= ({won + 1, -lost - 1} if makers else {lost + 1, -lost - 1})
        told = str(better(found, view))
        assert told.startswith(f"seat {view.seat + 1} said double: worth ")
        assert "of 100 deals" not in told
        # From here on only tricks count.
        referee.act(Double(view.seat))
        after = referee.view(view.seat)
        again = evaluate(after, ClubBot().choose(after), 40)
        if again is not None:
            assert max(one.tokens for one in again.choices) == pytest.approx(said.tokens)
            assert "of 100 deals" not in str(chances_of(again, after))
            return
    raise AssertionError("nobody could say double")


def test_nothing_is_judged_once_double_has_failed() -> None:
    for referee, view in doubles():
        referee.act(Double(view.seat))
        while (seat := referee.hand.turn) is not None:
            now = referee.view(seat)
            if not has_won_all(now.hand, view.seat):
                assert evaluate(now) is None
                return
            referee.act(ClubBot().choose(now))
    raise AssertionError("every double was won")
