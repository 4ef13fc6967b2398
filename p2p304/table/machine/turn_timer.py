"""The time limit of a turn, where the rules set one (``timer``), and the hint that is followed when
the time is up.

Responsible for the clock, for when the search for the hint begins, and for what it has found. The
search may run elsewhere, since it takes up to a second (app/background_work.py runs it in a
thread). What else a program does when the time is up is own_turns.py's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from p2p304.rules.core.actions import Action
from p2p304.rules.play.view import View

LEAD: Final = 3.0
"""Seconds before the end of a turn at which its hint is searched for."""
AGAIN: Final = 0.1
"""Seconds after which a search that is not finished is asked for again."""


@dataclass(slots=True)
class TurnClock:
    """A clock: ``seconds`` for a turn, or None without a limit; ``until`` is the end of this
    turn."""

    seconds: int | None
    until: float = math.inf
    _place: int | None = None

    def start(self, place: int, now: float) -> None:
        """Start the turn at this place of the log, unless it has started."""
        if self.seconds is not None and self._place != place:
            self._place, self.until = place, now + self.seconds

    def is_at(self, place: int) -> bool:
        """Whether the turn at this place is the one that has started last."""
        return self._place == place

    def take_timeout(self, place: int, now: float) -> bool:
        """Whether the time for the turn at this place is up; True only once."""
        if now < self.until:
            return False
        self.until = math.inf
        return self._place == place

    def reset(self) -> None:
        """Forget the place of the turn: the log goes back, and the same place may have another
        turn."""
        self._place = None


@dataclass(frozen=True, slots=True, repr=False)
class HintSearch:
    """A search for the hint of the turn at ``place``. It needs nothing else."""

    place: int
    view: View
    choose: Callable[[View], Action]

    def action(self) -> Action:
        return self.choose(self.view)


@dataclass(slots=True, repr=False)
class TimeoutHint:
    """The hint of this player's turn. Without ``choose`` there is none; ``runs_elsewhere``: another
    part of the program runs the search, and tells `found`."""

    choose: Callable[[View], Action] | None = None
    runs_elsewhere: bool = False
    _begun: int | None = None
    _found: tuple[int, Action | None] | None = None

    def begins_at(self, place: int, until: float) -> float:
        """When the search for the hint at this place begins, if the turn ends at ``until``."""
        is_due = self.runs_elsewhere and self.choose is not None and self._begun != place
        return until - LEAD if is_due else math.inf

    def begin(self, place: int, view: View) -> HintSearch | None:
        """Return the search for the hint at this place, once."""
        if self.choose is None or self._begun == place:
            return None
        self._begun, self._found = place, None
        return HintSearch(place, view, self.choose)

    def found(self, place: int, action: Action | None) -> None:
        """Take what a search has found; None if the hint does not know the game."""
        self._found = place, action

    def is_awaited(self, place: int) -> bool:
        """Whether the search for this place must be waited for."""
        is_found = self._found is not None and self._found[0] == place
        return self.runs_elsewhere and self.choose is not None and not is_found

    def action(self, place: int, view: View) -> Action | None:
        """Return what the hint says; it is searched for now unless that runs elsewhere."""
        if self.choose is None:
            return None
        if not self.runs_elsewhere:
            return self.choose(view)
        return self._found[1] if self._found is not None and self._found[0] == place else None

    def reset(self) -> None:
        """Forget the place: the log goes back, and the same place may have another turn."""
        self._begun = self._found = None
