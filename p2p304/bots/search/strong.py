"""The strong player: plays the card that is best in many worlds.

Responsible for the choice of a card. Each legal card is tried in deals that fit what the bot has
seen (worlds.py), by quick play (playout.py), near the end exactly (endgame.py). Bids are bids.py's;
contracts to win every trick it plays as the club player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from random import Random
from time import monotonic
from typing import Protocol

from p2p304.bots.club import ClubBot
from p2p304.bots.player import Below, first
from p2p304.bots.search import bids
from p2p304.bots.search.endgame import Solver, TooLong
from p2p304.bots.search.playout import Table
from p2p304.bots.search.position import Position, reading
from p2p304.bots.search.worlds import World, Worlds
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.core.actions import Action, Open, Play, Reveal
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase

STRONG_WORLDS = 100
EXACT = 16
"""With so many cards in all hands together, or fewer, a world is solved exactly."""
MARGIN = 15
"""Card points: a bid that is made, or broken, by so many more counts a little more."""
CHECKED = 12
"""After so many worlds, and again after as many, moves that are far behind are dropped."""
BEHIND = 1.0
"""How far: so much times the root of the worlds, which is two to three standard errors."""
LEAST = 4
"""Worlds that are tried even when the time is over."""
ASK = 0
"""The move of a player who asks for trumps, among cards as bits."""


class WorldSource(Protocol):
    """What draws the worlds of a view: `Worlds`, or the true one where a ceiling is measured."""

    def draw(self) -> World | None: ...


class StrongBot:
    """Tries ``worlds`` deals for a decision, or as many as it has ``seconds`` for. ``infers``: how
    the trump maker bid says what it holds. Without ``bids_by_chances`` it bids as the club
    player."""

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
        elif self._bids and view.hand.phase is Phase.DECLARE and bids.opens(view, self._chance):
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
        try:
            known = reading(view)
        except CapsError:
            return None
        until, tried, sums = monotonic() + self._seconds, 0, [0.0] * len(moves)
        left = list(range(len(moves)))
        position = Position(view, known)
        worlds = self.worlds_of(view, known, self._chance, self._infers)
        for number in range(self._worlds):
            if number >= LEAST and monotonic() > until:
                break
            world = worlds.draw()
            if world is None:
                continue
            start = position.table(world)
            exact = start.is_open and start.cards_left() <= EXACT
            solver = Solver(start.points) if exact else None
            sign = 1 if start.side[view.seat] == 0 else -1
            aim = position.aim(start)
            tried += 1
            for place in left:
                table, move = start.copied(), moves[place]
                if move == ASK:
                    table.ask(view.seat)
                else:
                    table.play(view.seat, move)
                sums[place] += sign * _worth(table, solver, aim)
            if drops and tried % CHECKED == 0:
                least = max(sums[place] for place in left) - BEHIND * tried**0.5
                left = [place for place in left if sums[place] >= least]
                if len(left) == 1:
                    break
        if not tried:
            return None
        return [sums[place] / tried if place in left else -inf for place in range(len(moves))]


def _worth(table: Table, solver: Solver | None, bid: int) -> float:
    """1 for a bid that is made, a tenth for each margin, and in quick play hardly anything for each
    point. May play the table to its end."""
    if solver is not None:
        with suppress(TooLong):  # else the quick play decides
            made = solver.reaches(table, bid)
            near = solver.reaches(table, bid + MARGIN if made else bid - MARGIN)
            return made + (made + near) / 10
    reached = table.finish()
    made = reached >= bid
    near = reached >= (bid + MARGIN if made else bid - MARGIN)
    return made + (made + near) / 10 + reached / 30_000
