"""The strong player: plays the card that is best in many worlds.

Responsible for the choice of a card. Each legal card is tried in deals that fit what the bot has
seen (worlds.py), kept as likely as the plays so far fit them (play_fit.py): by the quick play of
those who see all hands (playout.py) and of those who do not (club_play.py), near the end exactly
(endgame.py), or where every trick must be won by those of all_tricks.py. Bids are bids.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import exp, inf
from random import Random
from time import monotonic
from typing import Protocol

from p2p304.bots.club import ClubBot
from p2p304.bots.player import Below, first
from p2p304.bots.search import bids
from p2p304.bots.search.all_tricks import all_tricks_won, is_lost, usual_card
from p2p304.bots.search.club_play import club_card
from p2p304.bots.search.endgame import EXACT, Solver, TooLong
from p2p304.bots.search.play_fit import PlayFit
from p2p304.bots.search.playout import ASK, ask, finish
from p2p304.bots.search.worlds import Worlds
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.core.actions import Action, Open, Play, Reveal
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase
from p2p304.rules.worlds.position import Position, World, reading, reading_of_any
from p2p304.rules.worlds.world_play import WorldPlay

STRONG_WORLDS = 100
MARGIN = 15
"""Card points: a bid that is made, or broken, by so many more counts a little more."""
SPREAD = 25
"""Card points by which true play differs from quick play."""
CHECKED = 12
"""After so many worlds, and again after as many, moves that are far behind are dropped."""
BEHIND = 1.0
"""How far: so much times the root of the worlds, which is two to three standard errors."""
DRAWN = 2
"""At most so many times as many worlds are drawn as are tried."""
LEAST = 4
"""Worlds that are tried even when the time is over."""


class WorldSource(Protocol):
    """What draws the worlds of a view: `Worlds`, or the true one where a ceiling is measured."""

    def draw(self) -> World | None: ...


class StrongBot:
    """Tries ``worlds`` deals for a decision, or as many as it has ``seconds`` for. ``infers``: bids
    and plays say what the others are likely to hold. Without ``bids_by_chances`` it bids as the
    club player."""

    def __init__(
        self,
        below: Below,
        worlds: int = STRONG_WORLDS,
        seconds: float = 0.3,
        infers: bool = True,
        bids_by_chances: bool = True,
    ) -> None:
        self._chance, self._worlds, self._seconds = Random(below(1 << 32)), worlds, seconds
        self._infers, self._bids = infers, bids_by_chances
        self.worlds_of: Callable[[View, Knowledge, Random, bool], WorldSource] = Worlds
        self._club = ClubBot()

    def choose(self, view: View) -> Action:
        said: Action | None = None
        if self._bids and view.hand.phase in (Phase.BID4, Phase.BID8):
            said = bids.bid(view, legal(view), self._chance)
        elif self._bids and view.hand.phase in (Phase.TRUMP4, Phase.TRUMP8):
            said = bids.indicator(view, self._chance)
        elif (
            self._bids
            and view.hand.phase is Phase.DECLARE
            and bids.is_open_better(view, self._chance)
        ):
            said = first(legal(view), Open)
        if said is not None:
            return said
        usual = self._club.choose(view)
        if view.hand.phase is not Phase.PLAY or not isinstance(usual, Play | Reveal):
            return usual
        moves = [
            (one, ASK if one.card is None else one.card.bit)
            if isinstance(one, Play)
            else (one, ASK)
            for one in legal(view)
            if isinstance(one, Play | Reveal)
        ]
        values = self.values(view, [move for _, move in moves], True) if len(moves) > 1 else None
        if values is None:
            return usual
        best = max(values)
        able = [one for (one, _), value in zip(moves, values, strict=True) if value == best]
        return usual if usual in able else able[0]

    def values(self, view: View, moves: Sequence[int], drops: bool = False) -> list[float] | None:
        """What each move is worth to this seat's side, over the worlds; None if no world was found,
        or the bot does not know the game. If it ``drops``, moves that are far behind are tried no
        further, and count as worthless."""
        if view.hand.bids_all_tricks:
            return self._all_tricks_shares(view, moves)
        try:
            known = reading(view)
        except CapsError:
            return None
        begun, sums = monotonic(), [0.0] * len(moves)
        total = squares = 0.0
        left = list(range(len(moves)))
        position = Position(view, known)
        plays = PlayFit(view, known, position.rules)
        worlds = self.worlds_of(view, known, self._chance, self._infers)
        kept = self._kept(worlds, plays, begun + self._seconds / 2)
        for tried, (world, weight) in enumerate(kept, 1):
            if tried > LEAST and monotonic() > begun + self._seconds:
                break
            start = position.table(world)
            exact = start.is_open and start.cards_left() <= EXACT
            solver = Solver(start.points) if exact else None
            sign = weight if start.side[view.seat] == 0 else -weight
            aim = position.aim(start)
            total += weight
            squares += weight * weight
            for place in left:
                table, move = start.copied(), moves[place]
                if move == ASK:
                    ask(table, view.seat)
                else:
                    table.play(view.seat, move)
                sums[place] += sign * _worth(table, solver, aim)
            if drops and tried % CHECKED == 0:
                least = max(sums[place] for place in left) - BEHIND * squares**0.5
                left = [place for place in left if sums[place] >= least]
                if len(left) == 1:
                    break
        if not kept:
            return None
        return [sums[place] / total if place in left else -inf for place in range(len(moves))]

    def _all_tricks_shares(self, view: View, moves: Sequence[int]) -> list[float] | None:
        """The same where every trick must be won; None too where one is lost."""
        hand, begun, tried = view.hand, monotonic(), 0
        if hand.maker is None or is_lost(hand, hand.maker):
            return None
        known = reading_of_any(view)
        position, sums = Position(view, known), [0.0] * len(moves)
        worlds = self.worlds_of(view, known, self._chance, self._infers)
        for number in range(self._worlds):
            if number >= LEAST and monotonic() > begun + self._seconds:
                break
            world = worlds.draw()
            if world is None:
                continue
            tried += 1
            start = position.table(world)
            sign = 1 if start.side[view.seat] == 0 else -1
            for place, makes in enumerate(all_tricks_won(view, start, 0, moves)):
                sums[place] += sign * makes
            if tried == 1 and (card := usual_card(view, start)) in moves:
                sums[moves.index(card)] += 0.5  # of equal moves it is the best
        return [one / tried for one in sums] if tried else None

    def _kept(self, worlds: WorldSource, plays: PlayFit, until: float) -> list[tuple[World, float]]:
        """The worlds to try, and how often each counts: of those drawn the likelier are kept."""
        drawn, total = list[tuple[World, float]](), 0.0
        for number in range(DRAWN * self._worlds):
            if total >= self._worlds or (number >= LEAST and monotonic() > until):
                break
            world = worlds.draw()
            if world is not None:
                drawn.append((world, plays.weight(world) if self._infers else 1.0))
                total += drawn[-1][1]
        # Over the summed weights lie marks, evenly spaced: a world counts once for each on it.
        kept, space = list[tuple[World, float]](), total / self._worlds
        rest = space * self._chance.random()
        for world, weight in drawn:
            times, rest = divmod(rest + weight, space)
            if times:
                kept.append((world, times))
        return kept


def _worth(table: WorldPlay, solver: Solver | None, bid: int) -> float:
    """The mean of two: the chance to make the bid as blind players end the hand; and as those do
    who see all, or solved 1 for a bid that is made, and a tenth for each margin. May play the table
    to its end."""
    blind = _chance(finish(table.copied(), club_card) - bid)
    if solver is not None:
        with suppress(TooLong):  # else the quick play decides
            made = solver.reaches(table, bid)
            near = solver.reaches(table, bid + MARGIN if made else bid - MARGIN)
            return (blind + made + (made + near) / 10) / 2
    if table.rules.asks:
        return blind  # club_play.py plays there as those do who see all
    return (blind + _chance(finish(table) - bid)) / 2


def _chance(over: int) -> float:
    """The chance to make a bid that a quick play exceeds by so many points."""
    return 1 / (1 + exp(-(over + 0.5) / SPREAD))
