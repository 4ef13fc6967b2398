"""The names of seats: a number, a compass point, or a partner's name.

Responsible for the words for seats at a table that gathers. Whether a seat is free the table knows.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import say
from p2p304.table.state.gathering_events import Members
from p2p304.ui.common.bot_labels import LABEL
from p2p304.ui.common.wording import SEATS
from p2p304.wire.names import folded

EXPLAINED = say("a number from 1, a direction (north, east, south, west), or a partner's name")
CANNOT_SIT = say("You can't have that seat. Enter {what}.", what=EXPLAINED)


def seat_named(word: str) -> int | None:
    """Parse ``3`` or ``north`` (or ``n``) as a seat from 0; None for anything else."""
    text = word.strip().lower()
    if text.isascii() and text.isdigit():
        return int(text[:3]) - 1 if 0 < int(text[:3]) <= 8 else None
    places = [place.lower() for place in SEATS]
    return next((n for n, place in enumerate(places) if text in (place, place[0])), None)


def seat_meant(word: str, members: Members) -> int | None:
    """Return the seat that a word names at this table; a nickname names a free seat on its side."""
    number = seat_named(word)
    if number is not None:
        return number if number < members.seats else None
    text = folded(word)
    for nick, seat in zip(members.nicks, members.at, strict=False):
        if folded(nick.removesuffix(f" {LABEL}")) == text:
            return next((s for s in partners(seat, members.seats) if s not in members.at), None)
    return None


def partners(seat: int, seats: int) -> tuple[int, ...]:
    """Return the seats on the same side, the next to play first; none in games without partners."""
    if seats < 4 or seats % 2:
        return ()
    return tuple((seat + step) % seats for step in range(2, seats, 2))
