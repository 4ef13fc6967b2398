"""The time that a turn lasts, where the rules limit it (``timer``).

Owns that alone; what a program does when it is over is the table's business.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(slots=True)
class TurnClock:
    """``seconds`` for a turn, or None without a limit; ``until`` is when the present one ends."""

    seconds: int | None
    until: float = math.inf
    _place: int | None = None

    def start(self, place: int, now: float) -> None:
        """The turn at this place of the log begins, if it has not yet."""
        if self.seconds is not None and self._place != place:
            self._place, self.until = place, now + self.seconds

    def is_up(self, place: int, now: float) -> bool:
        """Whether the turn at this place is over; told once."""
        if now < self.until:
            return False
        self.until = math.inf
        return self._place == place

    def forget(self) -> None:
        """The log goes back: the same place may have another turn."""
        self._place = None
