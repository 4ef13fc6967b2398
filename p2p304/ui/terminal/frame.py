"""A page and its screenful: rows of styled text, clickable boxes, and the least window size.

Responsible for these values, and for clicks on pages that list rows. The values are made by
ui/fullscreen/view/render.py and ui/fullscreen/lobby/view.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

from p2p304.ui.terminal.canvas import Box, Span

LEAST_WIDTH, LEAST_HEIGHT = 80, 24
Rows = tuple[tuple[Span, ...], ...]

_Out = TypeVar("_Out", covariant=True)
_Row = TypeVar("_Row")
"""The intents of a page, and of a page of rows."""


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


class Page(Protocol[_Out]):
    """A page: it draws itself, and returns intents for keys; some take more than keys.
    ``asks_to_quit``: Ctrl-C is the page's own key, because leaving it may concern others."""

    asks_to_quit: bool = False

    def picture(self, width: int, height: int, now: float) -> Screenful: ...
    def press(self, key: str, now: float) -> tuple[_Out, ...]: ...

    def paste(self, text: str, now: float) -> tuple[_Out, ...]:
        return ()

    def click(self, x: int, y: int, now: float) -> tuple[_Out, ...]:
        return ()

    def handle_timer(self, now: float) -> tuple[_Out, ...]:
        return ()

    def next_timeout(self, now: float) -> float | None:
        return None


def fits(width: int, height: int) -> bool:
    return width >= LEAST_WIDTH and height >= LEAST_HEIGHT


class RowList(Page[_Row]):
    """A page with the row ``at`` chosen. It changes by keys and clicks alone, never with time."""

    def __init__(self, at: int) -> None:
        self.at = at
        self._hits: tuple[Hit, ...] = ()

    def click(self, x: int, y: int, now: float) -> tuple[_Row, ...]:
        """Handle a click: the first one selects a row, a click on the chosen row opens it."""
        hit = next((hit for hit in self._hits if hit.box.holds(x, y)), None)
        if hit is None:
            return ()
        here, self.at = self.at == hit.index, hit.index
        return self.press("enter", now) if here else ()
