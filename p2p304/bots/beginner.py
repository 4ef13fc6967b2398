"""The beginner: bids as the club player does, and now and then plays any card that is legal.

Responsible for these slips. The club player is club.py's.
"""

from __future__ import annotations

from p2p304.bots.club import ClubBot
from p2p304.bots.player import Below
from p2p304.rules.core.actions import Action
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase

SLIPS = 3
"""One card in so many is any legal one."""


class BeginnerBot:
    """A player who knows the rules and not yet the game."""

    def __init__(self, below: Below) -> None:
        self._below, self._club = below, ClubBot()

    def choose(self, view: View) -> Action:
        if view.hand.phase is not Phase.PLAY or self._below(SLIPS):
            return self._club.choose(view)
        options = legal(view)
        return options[self._below(len(options))]
