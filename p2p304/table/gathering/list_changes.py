"""Limits on changes of a founder's list while a table gathers.

Responsible for two rules (SPEC.md, "Gathering"): a list never changes what is played, and it does
not change so fast that it floods the guests. Which list counts is guest_list.py's.
"""

from __future__ import annotations

from p2p304.table.gathering.messages import Seated

MOST_AT_ONCE = 16
"""Changes that are taken at once: all guests arrive, and some choose another seat."""
EVERY = 2.0
"""Seconds after which one more change is taken. A change that is dropped is not lost: lists and
requests for a seat are repeated each second."""


class ChangeLimit:
    """A rate limit for changes of one kind by one player: MOST_AT_ONCE, then one every EVERY
    seconds."""

    def __init__(self) -> None:
        self._left, self._since = float(MOST_AT_ONCE), 0.0

    def take(self, now: float) -> bool:
        """Take one change; False if it comes too fast."""
        filled = self._left + max(0.0, now - self._since) / EVERY
        self._left, self._since = min(float(MOST_AT_ONCE), filled), now
        if self._left < 1:
            return False
        self._left -= 1
        return True


def is_same_game(one: Seated, other: Seated) -> bool:
    """Whether two lists have the same rules, number of hands and rule about spectators."""
    return (one.rules, one.hands, one.watch) == (other.rules, other.hands, other.watch)
