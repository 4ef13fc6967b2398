"""Which seat somebody gets at a table where seats are chosen.

Owns the founder's choice (SPEC.md, "Gathering"): the seat that was asked for if it is free, else
the first free one. At a table that draws its seats nobody has one before the draw.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.table.gathering.messages import Guest, Seated


def free_seats(here: Seated) -> tuple[int, ...]:
    """The seats that nobody has; none where seats are drawn."""
    if not here.chosen:
        return ()
    taken = {guest.seat for guest in here.guests}
    return tuple(seat for seat in range(here.rules.seats) if seat not in taken)


def welcomed(here: Seated, guest: Guest, wish: int | None) -> tuple[Guest, ...]:
    """The guests with one more, who wishes for a seat; the table is not complete."""
    free = free_seats(here)
    seat = None if not free else wish if wish in free else free[0]
    return (*here.guests, replace(guest, seat=seat))


def moved(here: Seated, key: bytes, wish: int) -> tuple[Guest, ...] | None:
    """The guests after one of them has moved to a free seat; None if that cannot be."""
    if here.complete or wish not in free_seats(here):
        return None
    return tuple(replace(g, seat=wish) if g.key == key else g for g in here.guests)


def seat_of(here: Seated, key: bytes) -> int | None:
    """The seat of a guest, if seats are chosen and it is one."""
    return next((guest.seat for guest in here.guests if guest.key == key), None)
