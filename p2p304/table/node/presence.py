"""Who is not connected, and when a player is told whom the table waits for.

Owns those two things only (SPEC.md, "When a wait is told"). Whether somebody is missed follows from
the log (table/node/table_machine.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

WORDS = (3.0, 12.0, 30.0, 60.0)
"""Seconds after which the waiting is told; after the last, every so many again."""


@dataclass(slots=True)
class Away:
    """Feed `gone` and `back`; `says` tells whether it is time for a word."""

    since: dict[bytes, float] = field(default_factory=dict)
    """Since when each of them is not connected."""
    _said: float = float("-inf")

    def gone(self, peer: bytes, now: float) -> None:
        """A link is lost: whoever waits is told at once."""
        if peer not in self.since:
            self.since[peer] = now
            self._said = float("-inf")

    def back(self, peer: bytes) -> None:
        self.since.pop(peer, None)

    def is_gone(self, peer: bytes) -> bool:
        return peer in self.since

    def says(self, now: float, since: float) -> bool:
        return now >= self.next_word(since)

    def said(self, now: float) -> None:
        self._said = now

    def next_word(self, since: float) -> float:
        """The next moment for a word about a wait that has lasted since ``since``."""
        for word in WORDS:
            if self._said < since + word:
                return since + word
        return self._said + WORDS[-1]
