"""How long a session took to come to its table, to its cards and to its end.

Responsible for the seconds that ``p2p304 bot`` writes. When something has happened is session.py's.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Times:
    """Seconds from the start to: a table found, all seated, first cards seen, the end."""

    begun: float = field(default_factory=time.monotonic)
    found: float | None = None
    seated: float | None = None
    dealt: float | None = None
    over: float | None = None

    def note(self, what: str) -> None:
        if getattr(self, what) is None:
            setattr(self, what, time.monotonic() - self.begun)
