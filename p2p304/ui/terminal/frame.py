"""A screenful: rows of styled text, clickable boxes, and the least window size for the table.

Responsible for these values. They are made by ui/fullscreen/view/render.py and
ui/fullscreen/lobby/view.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.ui.terminal.canvas import Box, Span

LEAST_WIDTH, LEAST_HEIGHT = 80, 24
Rows = tuple[tuple[Span, ...], ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A clickable box: a click into ``box`` points at the item with this number."""

    box: Box
    index: int


@dataclass(frozen=True, slots=True)
class Screenful:
    """Rows of spans, and what a click on a box points at (menu entries if the menu is open, else
    items)."""

    rows: Rows
    hits: tuple[Hit, ...] = ()
    title: str = "304"
    """The title of the terminal's window."""

    @property
    def text(self) -> str:
        return "\n".join("".join(text for _, text in row).rstrip() for row in self.rows)


@dataclass(frozen=True, slots=True)
class Redraw:
    """Redraw the whole screen."""


@dataclass(frozen=True, slots=True)
class Ring:
    """Ring the terminal's bell."""


def fits(width: int, height: int) -> bool:
    return width >= LEAST_WIDTH and height >= LEAST_HEIGHT
