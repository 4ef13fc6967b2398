"""The places of players on the screen.

Responsible for the geometry of seats relative to the one at the bottom: play runs to the right if
the table plays counter-clockwise, else to the left (SPEC.md, "Seats, cards, deal").
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from p2p304.rules.core.seats import Seat
from p2p304.ui.narration.model import Model


class Edge(Enum):
    """An edge of the table."""

    BOTTOM = "bottom"
    RIGHT = "right"
    TOP = "top"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """The ``at``-th of ``of`` places along an edge: from the left, or from above."""

    edge: Edge
    at: int
    of: int


_AROUND = {1: (0, 0), 2: (0, 1), 3: (1, 0), 4: (1, 1), 5: (1, 2), 6: (1, 3), 7: (2, 2), 8: (2, 3)}
"""For each number of seats, how many are on each flank and at the top."""


def spots(count: int, bottom: Seat, clockwise: bool = False) -> dict[Seat, SeatPlace]:
    """Return every seat's place on the screen; ``bottom`` is the nearest."""
    flank, top = _AROUND.get(count, (2, max(0, count - 5)))
    found = {bottom: SeatPlace(Edge.BOTTOM, 0, 1)}
    for step in range(1, count):
        seat = (bottom - step if clockwise else bottom + step) % count
        if step <= flank:
            found[seat] = SeatPlace(Edge.RIGHT, flank - step, flank)
        elif step <= flank + top:
            found[seat] = SeatPlace(Edge.TOP, top - (step - flank), top)
        else:
            found[seat] = SeatPlace(Edge.LEFT, step - flank - top - 1, flank)
    return found


def clockwise(model: Model) -> bool:
    """Whether play runs clockwise at this table."""
    return model.hand is not None and model.hand.options.direction == "cw"


def places_of(model: Model) -> dict[Seat, SeatPlace]:
    """Return the places of all seats; a spectator sees the table from the first seat."""
    return spots(max(1, model.seats), model.seat or 0, clockwise(model))
