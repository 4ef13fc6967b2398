"""Seats and sides.

A seat is its number in the order of play, so that the next seat is always +1, whichever way round
the table that runs. This module knows neither cards nor rules.
"""

from __future__ import annotations

from functools import lru_cache

Seat = int
Side = int
FOUR = "SENW"
_NAMES = {count: tuple(str(n + 1) for n in range(count)) for count in range(1, 9)} | {
    4: tuple(FOUR)
}


def names(count: int) -> tuple[str, ...]:
    """Seat names in order of play: ``S E N W`` four-handed, else ``1`` to ``n``."""
    return _NAMES[count]


def side(seat: Seat) -> Side:
    """Partners sit alternately: 0 is N/S, 1 is E/W."""
    return seat % 2


def side_names(count: int) -> tuple[str, ...]:
    """What the two sides are called: ``NS`` and ``EW``, else their seats, such as ``135``.
    Two and three players play for themselves: there a side is a seat."""
    known = names(count)
    return known if count < 4 else ("".join(sorted(known[::2])), "".join(known[1::2]))


@lru_cache(maxsize=64)
def following(playing: tuple[Seat, ...], count: int) -> tuple[Seat, ...]:
    """For each of ``count`` seats the next in order of play that is among ``playing``."""
    around = [[(seat + step) % count for step in range(1, count + 1)] for seat in range(count)]
    return tuple(next(other for other in seats if other in playing) for seats in around)
