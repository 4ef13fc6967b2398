"""The choice of seats at a table where seats are chosen.

Responsible for the founder's choice (SPEC.md, "Gathering"): a guest gets the requested seat if it
is free, otherwise the first free seat. At a table that draws its seats, no guest has a seat before
the draw. The list that holds the seats is guest_list.py's.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.table.gathering.exchange.messages import Guest, Seated


def free_seats(table_list: Seated) -> tuple[int, ...]:
    """Return the free seats; none if seats are drawn."""
    if not table_list.has_chosen_seats:
        return ()
    taken = {guest.seat for guest in table_list.guests}
    return tuple(seat for seat in range(table_list.rules.seats) if seat not in taken)


def guests_with(table_list: Seated, guest: Guest, requested: int | None) -> tuple[Guest, ...]:
    """Return the guests with one more, on the requested seat if it is free. The table must not be
    complete."""
    free = free_seats(table_list)
    seat = None if not free else requested if requested in free else free[0]
    return (*table_list.guests, replace(guest, seat=seat))


def guests_after_move(table_list: Seated, key: bytes, requested: int) -> tuple[Guest, ...] | None:
    """Return the guests after one of them has moved to a free seat; None if it cannot move."""
    if table_list.is_complete or requested not in free_seats(table_list):
        return None
    return tuple(replace(g, seat=requested) if g.key == key else g for g in table_list.guests)


def seat_of(table_list: Seated, key: bytes) -> int | None:
    """Return the seat of a guest; None if seats are drawn or if this key is no guest."""
    return next((guest.seat for guest in table_list.guests if guest.key == key), None)
