"""How a founder's list may change while a table gathers: never in what is played, and not so fast
that it floods the guests.

Owns both rules (SPEC.md, "Gathering"). Which list counts is guest_list.py's.
"""

from __future__ import annotations

from p2p304.table.gathering.messages import Seated

MOST_AT_ONCE = 16
"""Changes that are taken at once: everybody comes, and some choose another seat."""
EVERY = 2.0
"""Seconds after which one more is taken. Who came too late is told again: lists and wishes for a
seat are repeated each second."""


class Pace:
    """Changes of one kind by one player: MOST_AT_ONCE, and one more every EVERY seconds."""

    def __init__(self) -> None:
        self._left, self._since = float(MOST_AT_ONCE), 0.0

    def takes(self, now: float) -> bool:
        filled = self._left + max(0.0, now - self._since) / EVERY
        self._left, self._since = min(float(MOST_AT_ONCE), filled), now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def is_same_game(one: Seated, other: Seated) -> bool:
    """Whether two lists play by the same rules, as many hands, before the same spectators."""
    return (one.rules, one.hands, one.watch) == (other.rules, other.hands, other.watch)
