"""The time limit of a turn, where the rules set one (``timer``).

Responsible for the clock alone; what a program does when the time is up is own_turns.py's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


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
