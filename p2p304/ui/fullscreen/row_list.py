"""What pages that list rows have in common: a click selects a row, another one opens it.

Responsible for pastes, clicks and times of such a page. Keys and picture are the page's own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from p2p304.ui.terminal.frame import Hit

Wanted = TypeVar("Wanted")


class RowList(ABC, Generic[Wanted]):
    """A page with the row ``at`` chosen. It changes by keys and clicks alone, never with time."""

    def __init__(self, at: int) -> None:
        self.at = at
        self._hits: tuple[Hit, ...] = ()

    @abstractmethod
    def press(self, key: str, now: float) -> tuple[Wanted, ...]:
        """Handle a key; ``enter`` opens the chosen row."""

    def paste(self, text: str, now: float) -> tuple[Wanted, ...]:
        return ()

    def click(self, x: int, y: int, now: float) -> tuple[Wanted, ...]:
        """Handle a click: the first one selects a row, a click on the chosen row opens it."""
        hit = next((hit for hit in self._hits if hit.box.holds(x, y)), None)
        if hit is None:
            return ()
        here, self.at = self.at == hit.index, hit.index
        return self.press("enter", now) if here else ()

    def handle_timer(self, now: float) -> tuple[Wanted, ...]:
        return ()

    def next_timeout(self, now: float) -> float | None:
        return None
