"""The names of seats: a number, a compass point, or a partner's name.

Responsible for the words for seats at a table that gathers. Whether a seat is free the table knows.
"""

from __future__ import annotations

from p2p304.table.state.events import Members, NoSeat
from p2p304.ui.common.bot_labels import labelled
from p2p304.ui.common.wording import SEATS, seat_word
from p2p304.wire.names import folded

EXPLAINED = "a number from 1, a direction (north, east, south, west), or a partner's name"


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
        if folded(nick) == text:
            return next((s for s in partners(seat, members.seats) if s not in members.at), None)
    return None


def partners(seat: int, seats: int) -> tuple[int, ...]:
    """Return the seats on the same side, the next to play first; none in games without partners."""
    if seats < 4 or seats % 2:
        return ()
    return tuple((seat + step) % seats for step in range(2, seats, 2))


def gathered(members: Members) -> str:
    """Describe in one line who is here; with the seats if seats are chosen."""
    people = list(labelled(members.nicks, members.owners))
    if members.at:
        people = [
            f"{nick} ({seat_word(seat, members.seats)})"
            for nick, seat in zip(people, members.at, strict=True)
        ]
    line = f"At the table ({len(people)} of {members.seats}): {', '.join(people)}."
    if members.dealer is not None:
        line = f"{line} {seat_word(members.dealer, members.seats).capitalize()} deals first."
    if not members.at or len(people) == members.seats:
        return line
    return f"{line} To change your seat, type 'seat' and {EXPLAINED}."


def no_seat(answer: NoSeat) -> str:
    """Describe why a seat cannot be had."""
    if not answer.chosen:
        return "You can't choose a seat: this table draws the seats."
    return f"{seat_word(answer.seat, answer.seats).capitalize()} is taken. You have another seat."
