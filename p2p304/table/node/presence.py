"""The presence of the other players, and when a wait for them is reported.

Responsible for which players are not connected, and for the times of the reports (SPEC.md, "When a
wait is told"). Whether the table waits for a player follows from the log, which is
table_waits.py's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

NOTICE_TIMES = (3.0, 12.0, 30.0, 60.0)
"""Seconds after which a wait is reported; after the last of them it is reported at that
interval."""


@dataclass(slots=True)
class Presence:
    """The players who are not connected. `is_due` tells whether to report a wait."""

    since: dict[bytes, float] = field(default_factory=dict)
    """The time since when each of them is not connected."""
    _last_notice: float = float("-inf")

    def on_link_down(self, peer: bytes, now: float) -> None:
        """Record a lost link. A wait is then reported without further delay."""
        if peer not in self.since:
            self.since[peer] = now
            self._last_notice = float("-inf")

    def on_link_up(self, peer: bytes) -> None:
        """Record a link. Where it was lost, a wait is reported without further delay, because the
        last report is no longer true."""
        if self.since.pop(peer, None) is not None:
            self._last_notice = float("-inf")

    @property
    def only_absentee(self) -> tuple[bytes, float] | None:
        """The player who alone is not connected, and since when; None where nobody or more than
        one is."""
        return next(iter(self.since.items())) if len(self.since) == 1 else None

    def is_gone(self, peer: bytes) -> bool:
        return peer in self.since

    def is_due(self, now: float, since: float) -> bool:
        return now >= self.next_notice(since)

    def record_notice(self, now: float) -> None:
        self._last_notice = now

    def next_notice(self, since: float) -> float:
        """Return the time of the next report about a wait that has lasted since ``since``."""
        for seconds in NOTICE_TIMES:
            if self._last_notice < since + seconds:
                return since + seconds
        return self._last_notice + NOTICE_TIMES[-1]
