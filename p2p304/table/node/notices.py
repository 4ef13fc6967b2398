"""What is told of peers: each thing once, counted, and bounded, whoever sends how much.

Owns that rule for everything that a screen is told because of somebody else's bytes or
connections (SPEC.md, "Limits"). Its two users are table/node/node.py for events and session.py for
sentences of the network.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

MOST = 8
"""Things told at once; then one more every EVERY seconds."""
EVERY = 15.0
AGAIN = 60.0
"""Seconds after which how many were left out is told."""
REMEMBERED = 256
"""Things that are remembered as told; the last ones."""


class Notices:
    """``takes`` says whether something is to be told; ``left_out`` how much was not."""

    def __init__(self) -> None:
        self._told: OrderedDict[Hashable, float] = OrderedDict()
        self._left, self._since = float(MOST), 0.0
        self._count, self._next = 0, 0.0

    def takes(self, thing: Hashable, now: float, again: float = float("inf")) -> bool:
        """Once for each thing, or ``again`` after so many seconds, and within the budget."""
        told = self._told.get(thing)
        if told is not None and now - told < again:
            self._count += 1
            return False
        self._left = min(float(MOST), self._left + (now - self._since) / EVERY)
        self._since = now
        if self._left < 1:
            self._count += 1
            return False
        self._left -= 1
        self._told[thing] = now
        self._told.move_to_end(thing)
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        return True

    def has_told(self, thing: Hashable) -> bool:
        """Whether this thing was told and is remembered."""
        return thing in self._told

    def left_out(self, now: float) -> int:
        """How many were not told since this was asked last; 0 where it was told lately."""
        if self._count == 0 or now < self._next:
            return 0
        count, self._count, self._next = self._count, 0, now + AGAIN
        return count
