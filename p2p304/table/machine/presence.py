"""The presence of the other players, and when a wait for them is reported.

Responsible for which players are not connected, and for the times of the reports (SPEC.md, "When a
wait is told"). Whether the table waits for a player follows from the log, which is
table_waits.py's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from p2p304.rules.variants.absence import LONG

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

    def on_ready(self) -> None:
        """Record that this node's own player keeps nobody waiting any more: for whom the others
        wait is reported without further delay."""
        self._last_notice = float("-inf")

    def long_absentee(self, now: float) -> bytes | None:
        """Return the player who alone is not connected, for LONG seconds at least, or None."""
        return next(iter(self.since)) if now >= self._long_at else None

    @property
    def _long_at(self) -> float:
        """The time from which the only player who is not connected has been absent for long."""
        return min(self.since.values()) + LONG if len(self.since) == 1 else math.inf

    def is_gone(self, peer: bytes) -> bool:
        return peer in self.since

    def is_due(self, now: float, since: float) -> bool:
        return now >= self.next_notice(since)

    def record_notice(self, now: float) -> None:
        self._last_notice = now

    def next_notice(self, since: float) -> float:
        """Return the time of the next report about a wait that has lasted since ``since``. The
        report at which an absence is long says that the others may go on."""
        last, times = self._last_notice, [since + seconds for seconds in NOTICE_TIMES]
        regular = next((at for at in times if last < at), last + NOTICE_TIMES[-1])
        long = max(times[0], self._long_at)
        return min(regular, long) if last < long else regular
