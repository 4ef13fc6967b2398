"""A table that was found, as the lobby lists it.

Responsible for these values. Nothing found is trusted.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Known(Enum):
    """What is known of the player who opened a table."""

    NEW = "new"
    MET = "met"
    STRANGER = "stranger"


@dataclass(frozen=True, slots=True)
class Offer:
    """A table that was found: ``key`` identifies it, ``since`` is the day of the last meeting."""

    key: str
    table: str
    nick: str
    rules: str
    free: int
    seats: int
    where: str
    known: Known = Known.NEW
    since: str = ""
    locked: bool = False
    is_watched: bool = False
    """Whether the table is played, and can be watched."""
