"""A limit on notices about peers: each is shown once, the rest are counted.

Responsible for this limit on everything that a screen shows because of the bytes or connections of
others (SPEC.md, "Limits"). Showing the notices is left to its two users: table/node/node.py for
events and session.py for sentences about the network.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

MOST = 8
"""Notices shown at once; then one more every EVERY seconds."""
EVERY = 15.0
AGAIN = 60.0
"""Seconds after which the number of omitted notices is shown again."""
REMEMBERED = 256
"""Notices that are remembered as shown; the oldest is forgotten first."""


class Notices:
    """The limiter. `take` tells whether to show a notice, `take_omitted` how many were not
    shown."""

    def __init__(self) -> None:
        self._remembered: OrderedDict[Hashable, float] = OrderedDict()
        self._allowance, self._filled_at = float(MOST), 0.0
        self._omitted, self._next_omitted = 0, 0.0

    def take(self, thing: Hashable, now: float, again: float = float("inf")) -> bool:
        """Take one notice; False if it is not to be shown. Each is shown once, or ``again`` after
        so many seconds, within the limit."""
        shown_at = self._remembered.get(thing)
        if shown_at is not None and now - shown_at < again:
            self._omitted += 1
            return False
        self._allowance = min(float(MOST), self._allowance + (now - self._filled_at) / EVERY)
        self._filled_at = now
        if self._allowance < 1:
            self._omitted += 1
            return False
        self._allowance -= 1
        self._remembered[thing] = now
        self._remembered.move_to_end(thing)
        if len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        return True

    def is_remembered(self, thing: Hashable) -> bool:
        """Whether this notice was shown and is remembered."""
        return thing in self._remembered

    def take_omitted(self, now: float) -> int:
        """Return how many were omitted since the last report; 0 if that was less than AGAIN seconds
        ago."""
        if self._omitted == 0 or now < self._next_omitted:
            return 0
        count, self._omitted, self._next_omitted = self._omitted, 0, now + AGAIN
        return count
