"""Worlds played by club players: as they do, blind to other hands; and what their plays tell."""

from __future__ import annotations

import random
from math import log
from statistics import fmean

import pytest

from p2p304.bots.club import ClubBot
from p2p304.bots.search.club_play import club_card
from p2p304.bots.search.play_fit import OTHERWISE, PlayFit
from p2p304.bots.search.playout import finish
from p2p304.bots.search.strong import StrongBot
from p2p304.bots.search.worlds import Worlds
from p2p304.rules.core.actions import Play
from p2p304.rules.worlds.position import Position, World, reading
from tests.support.reference.true_worlds import in_play, table_of, true_world


@pytest.mark.parametrize("name", ["pagat", "catsatcards", "six-36", "tamil-304"])
def test_it_plays_as_the_club_player(name: str) -> None:
    """Not always: of cards of equal points either may be thrown."""
    same = asked = 0
    for seed in range(25):
        referee = in_play(name, seed)
        if referee is None:
            continue
        table = table_of(referee)
        while (seat := referee.hand.turn) is not None:
            chosen, able = ClubBot().choose(referee.view(seat)), table.legal(seat)
            assert isinstance(chosen, Play) and chosen.card is not None
            if able & (able - 1):
                asked += 1
                same += club_card(table, seat, able) == chosen.card.bit
            table.play(seat, chosen.card.bit)
            referee.act(chosen)
    assert asked > 150 and same > 0.9 * asked


@pytest.mark.parametrize("name", ["online-2", "online-3", "online-4"])
def test_where_trumps_are_asked_for_it_plays_as_those_who_see_all(name: str) -> None:
    """So a world is played to its end only once there."""
    asked = 0
    for seed in range(10):
        referee = in_play(name, seed)
        if referee is not None:
            blind = table_of(referee)
            seeing = blind.copied()
            asked += finish(blind, club_card) == finish(seeing) and blind.key == seeing.key
    assert asked == 10


def test_it_is_blind_to_other_hands() -> None:
    """Two other hands change places: the same card."""
    found = 0
    for seed in range(20):
        referee = in_play("pagat", seed)
        if referee is None:
            continue
        table = table_of(referee)
        while any(table.hands) or table.indicator > 0:
            seat = (table.leader + len(table.plays)) % 4
            able = table.legal(seat)
            chosen = able if not able & (able - 1) else club_card(table, seat, able)
            a, b = [other for other in range(4) if other != seat][:2]
            if able != chosen:
                other = table.copied()
                other.hands[a], other.hands[b] = other.hands[b], other.hands[a]
                assert club_card(other, seat, able) == chosen
                found += 1
            table.play(seat, chosen)
    assert found > 100


def test_the_true_world_fits_the_plays_better_than_others() -> None:
    true, shown, others = [], [], []
    for seed in range(15):
        referee, chance = in_play("pagat", seed), random.Random(seed)
        while referee is not None and (seat := referee.hand.turn) is not None:
            view = referee.view(seat)
            if not view.hand.plays:
                known = reading(view)
                fit = PlayFit(view, known, Position(view, known).rules)
                world = Worlds(view, known, chance).draw()
                assert world is not None
                true.append(log(fit.weight(true_world(referee, view)), OTHERWISE))
                others.append(log(fit.weight(world), OTHERWISE))
                if view.hand.closed and view.hand.trump is not None:
                    shown.append(true[-1])
                if not view.hand.tricks:
                    assert true[-1] == others[-1] == 0
            referee.act(ClubBot().choose(view))
    assert len(true) > 80
    assert len(shown) > 20 and fmean(shown) < 0.5
    assert fmean(true) < 0.6  # plays that are not the club player's: other cards of equal points
    assert fmean(others) > 2 * fmean(true)


class FewWorlds:
    """Draws these worlds at random, and counts."""

    def __init__(self, *worlds: World) -> None:
        self._worlds, self._chance, self.drawn = worlds, random.Random(7), 0

    def draw(self) -> World:
        self.drawn += 1
        return self._chance.choice(self._worlds)


def test_worlds_count_as_much_as_the_plays_fit_them() -> None:
    checked, drawn = 0, set[int]()
    for seed in range(3):
        referee, chance = in_play("pagat", seed), random.Random(seed)
        while referee is not None and (seat := referee.hand.turn) is not None:
            view = referee.view(seat)
            known = reading(view)
            table = Worlds(view, known, chance)
            worlds = [world for world in (table.draw(), table.draw()) if world is not None]
            fit = PlayFit(view, known, Position(view, known).rules)
            worlds.sort(key=fit.weight)
            b, a = (fit.weight(world) for world in worlds)
            moves = [p.card.bit for p in referee.legal() if isinstance(p, Play) and p.card]
            if a != b and len(moves) > 1 and checked < 30 and view.hand.completed_count < 4:
                values = []
                for some in (worlds[1:], worlds[:1], worlds[1:] + 7 * worlds[:1]):
                    bot, few = StrongBot(random.Random(1).randrange, 100, 60.0), FewWorlds(*some)
                    bot.worlds_of = lambda *_, few=few: few
                    found = bot.values(view, moves)
                    assert found is not None
                    values.append(found)
                    if len(some) == 1:  # more are drawn than tried, until enough fit
                        assert few.drawn == min(200, 100 / fit.weight(some[0]))
                        drawn.add(few.drawn)
                for one, other, both in zip(*values, strict=True):
                    mean = (a * one + 7 * b * other) / (a + 7 * b)
                    assert both == pytest.approx(mean, abs=0.1 * abs(one - other) + 1e-9)
                    checked += one != other
            referee.act(ClubBot().choose(view))
    assert checked >= 30 and drawn == {100, 200}
