"""A screenful: rows of styled text, what a click points at, and the least window for the table.

Responsible for these values. How they come about is render.py's and the lobby's.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.ui.terminal.canvas import Box, Span

LEAST_WIDTH, LEAST_HEIGHT = 80, 24
Rows = tuple[tuple[Span, ...], ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A click into ``box`` points at the item with this number."""

    box: Box
    index: int


@dataclass(frozen=True, slots=True)
class Screenful:
    """A screenful: rows of spans, and what a click on a box points at (menu entries where the
    menu is open, else items)."""

    rows: Rows
    hits: tuple[Hit, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join("".join(text for _, text in row).rstrip() for row in self.rows)


@dataclass(frozen=True, slots=True)
class Redraw:
    """Draw the whole screen anew."""


def fits(width: int, height: int) -> bool:
    return width >= LEAST_WIDTH and height >= LEAST_HEIGHT
