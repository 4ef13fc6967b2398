"""What pages that list rows have in common: a click selects a row, another one opens it.

Responsible for clicks. Keys (``enter`` opens the chosen row) and picture are the page's own.
"""

from __future__ import annotations

from typing import TypeVar

from p2p304.ui.terminal.frame import Hit, Page

Wanted = TypeVar("Wanted")


class RowList(Page[Wanted]):
    """A page with the row ``at`` chosen. It changes by keys and clicks alone, never with time."""

    def __init__(self, at: int) -> None:
        self.at = at
        self._hits: tuple[Hit, ...] = ()

    def click(self, x: int, y: int, now: float) -> tuple[Wanted, ...]:
        """Handle a click: the first one selects a row, a click on the chosen row opens it."""
        hit = next((hit for hit in self._hits if hit.box.holds(x, y)), None)
        if hit is None:
            return ()
        here, self.at = self.at == hit.index, hit.index
        return self.press("enter", now) if here else ()
