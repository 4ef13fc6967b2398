"""The option ``away``: its values, how long an absence is, and how long others wait for a player
who is there and does nothing.

Responsible for these names and times, which rules, table and screens share. Which players agree to
what is left to table/absence/absence_voter.py (SPEC.md, "Leaving for good").
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

WAIT: Final = "wait"
REPLACE: Final = "replace"
PLAY_OUT: Final = "playout"
WAYS: Final = (WAIT, REPLACE, PLAY_OUT)
"""All values of the option."""
LONG: Final = 60.0
"""Seconds for which a player must have been gone before the others may part from them."""
OVERDUE: Final = 300.0
"""Seconds for which a player may owe an entry, a receipt or a word of parting while nobody else
does; after that the others may part from it although it is connected."""
OVERDUE_TURN: Final = 90.0
"""Where a turn is limited, so many seconds more than it, if that is less."""
BOT_PARTNER: Final = 300.0
"""Seconds after which a bot agrees to part from a player on its own side, who would pay for it."""


class LeaverCause(StrEnum):
    """Why a player is noted who left or held up a table before its first hand was over."""

    LEFT = "left"
    """It said that it leaves."""
    LOST = "lost"
    """Its link was lost."""
    LATE = "late"
    """It is connected, and the table waits for it or for its bot."""
    PARTED = "parted"
    """All others have agreed to continue without it."""
    FAULT = "fault"
    """A fault is proven against it."""


def patience(timer: str | int) -> float:
    """Seconds until a player is overdue, at a table with this option ``timer``."""
    return min(OVERDUE, timer + OVERDUE_TURN) if isinstance(timer, int) else OVERDUE
