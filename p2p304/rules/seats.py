"""Seats and sides. A seat is its number in the order of play, so the next is always +1,
whichever way round the table that runs. Knows neither cards nor rules."""

from __future__ import annotations

Seat = int
Side = int
FOUR = "SENW"


def names(count: int) -> tuple[str, ...]:
    """Seat names in order of play: ``S E N W`` four-handed, else ``1`` to ``n``."""
    return tuple(FOUR) if count == 4 else tuple(str(n + 1) for n in range(count))


def side(seat: Seat) -> Side:
    """Partners sit alternately: 0 is N/S, 1 is E/W."""
    return seat % 2


def side_names(count: int) -> tuple[str, str]:
    return ("NS", "EW") if count == 4 else ("odd", "even")


def partners(seat: Seat, count: int) -> tuple[Seat, ...]:
    return tuple((seat + step) % count for step in range(2, count, 2))
