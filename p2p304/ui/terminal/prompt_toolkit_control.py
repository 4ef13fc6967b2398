"""Writes rows of styled text to prompt_toolkit's screen, cell by cell.

Responsible for keeping every column where the canvas has put it, in any script. Terminals differ in
whether a vowel sign beside its letter takes a column. So a row with such signs is always written
whole, and after them the cursor is sent to the column where the next text begins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache

from prompt_toolkit.layout import Window
from prompt_toolkit.layout.containers import Container
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseEvent

from p2p304.ui.common.text_width import clusters, spreads
from p2p304.ui.terminal.canvas import Span
from p2p304.ui.terminal.frame import Screenful

Row = tuple[Span, ...]
Draw = Callable[[int, int], Screenful]
Moused = Callable[[MouseEvent], None]
_BLANK = "\u2002"
"""A blank that is no space: prompt_toolkit drops spaces at the end of a row."""
_ANEW = " class:anew"
"""A style without a visible effect: it makes a cell differ, so that it is written again."""


class PageControl(Container):
    """The whole screen; ``draw`` returns its picture for a width and height."""

    def __init__(self, draw: Draw, moused: Moused) -> None:
        self._draw, self._moused = draw, moused
        self._keys = Window()  # receives the keys: a layout must have a window
        self._shown: list[tuple[Row, bool]] = []

    def reset(self) -> None:
        self._shown = []

    def preferred_width(self, max_available_width: int) -> Dimension:
        return Dimension()

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:
        return Dimension()

    def get_children(self) -> list[Container]:
        return [self._keys]

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        width, height = write_position.width, write_position.height
        rows = self._draw(width, height).rows[:height]
        before = [*self._shown, *[((), False)] * (len(rows) - len(self._shown))]
        self._shown = [(row, _flipped(row, *was)) for row, was in zip(rows, before, strict=False)]
        for y, (row, anew) in enumerate(self._shown):
            cells, escapes = _cells(row, width, anew)
            screen.data_buffer[y] = cells
            for x, escape in escapes:
                screen.zero_width_escapes[y][x] = escape
        screen.width, screen.height = width, height
        mouse_handlers.set_mouse_handler_for_range(0, width, 0, height, self._handle)

    def _handle(self, event: MouseEvent) -> None:
        self._moused(event)


def _flipped(row: Row, was: Row, anew: bool) -> bool:
    """Whether a row must get the style that forces a rewrite: if it changed, and terminals may
    differ over its width, all of it is written."""
    return anew != (row != was and (_differs(row) or _differs(was)))


@lru_cache(maxsize=1024)
def _differs(row: Row) -> bool:
    return any(spreads(text) for _, text in row)


@lru_cache(maxsize=1024)
def _cells(
    row: Row, width: int, anew: bool
) -> tuple[defaultdict[int, Char], tuple[tuple[int, str], ...]]:
    """Return a row's cells by column, and the escape sequences sent before some of them."""
    cells: defaultdict[int, Char] = defaultdict(lambda: _cell(" ", "", 1))
    escapes: list[tuple[int, str]] = []
    x, extra = 0, _ANEW if anew else ""
    for names, text in row:
        style = _classes(names) + extra
        begin = x
        for cluster, columns in clusters(text):
            cells[x] = _cell(cluster, style, columns)
            for behind in range(x + 1, x + columns):
                cells[behind] = _BEHIND
            x += columns
        if spreads(text):
            escapes += [(begin, " " * (x - begin) + _to(begin)), (x, _to(x))]
    if escapes:
        for at in range(x, width):
            cells[at] = _cell(" ", extra, 1)
        if cells[width - 1].char == " ":
            cells[width - 1] = _cell(_BLANK, cells[width - 1].style, 1)
    return cells, tuple(_joined(escapes))


def _joined(escapes: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Join the escape sequences sent before the same cell: one text ends and another begins
    there."""
    found: dict[int, str] = {}
    for x, escape in escapes:
        found[x] = found.get(x, "") + escape
    return list(found.items())


def _to(column: int) -> str:
    """Return CHA, which moves the cursor to a column of its row."""
    return f"\x1b[{column + 1}G"


@lru_cache(maxsize=8192)
def _cell(text: str, style: str, columns: int) -> Char:
    cell = Char(text, style)
    cell.width = columns
    return cell


_BEHIND = _cell("", "", 1)
"""What is behind a character of several columns. It equals no other cell: whatever stands in that
column next is written, and not taken for the space that is there by default."""


@lru_cache(maxsize=512)
def _classes(style: str) -> str:
    """Return the names of styles in prompt_toolkit's form."""
    return " ".join(f"class:{name}" for name in style.split())
