"""The history as a page: the tables that were played, the last one first.

Responsible for the list and its keys. A table opens as a replay (replay_page.py); what stands in
a line is made from a summary by frontends/fullscreen/history_screen.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.theme import Look
from p2p304.ui.narration.intents import Quit
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated
from p2p304.ui.terminal.canvas import Box, Canvas
from p2p304.ui.terminal.frame import Hit, Redraw, RowList, Screenful

KEYS = say("Up/Down choose  Enter opens  q quit")
KEYS_FROM_LOBBY = say("Up/Down choose  Enter opens  q back")
NOTHING = say("You have not played yet. p2p304 play begins a game.")
HEIGHT = 2
"""Lines of a table."""


@dataclass(frozen=True, slots=True)
class Row:
    """One table: its transcript, when it was played and what, who played and how it ended. A table
    that is not ``sound`` is marked."""

    path: Path
    head: Phrase
    detail: Phrase
    sound: bool = True


@dataclass(frozen=True, slots=True)
class OpenReplay:
    """Step through this transcript."""

    path: Path


Wanted = OpenReplay | Quit | Redraw


class HistoryPage(RowList[Wanted]):
    """A list of ``rows``; ``note`` is a sentence on what could not be opened. ``from_lobby``: the
    player has come from the lobby, and goes back there."""

    def __init__(
        self,
        rows: tuple[Row, ...],
        look: Look,
        translate: Translate = untranslated,
        from_lobby: bool = False,
    ) -> None:
        super().__init__(0)
        self.rows = rows
        self._keys = KEYS_FROM_LOBBY if from_lobby else KEYS
        self.note: Phrase | None = None
        self._renderer = PhraseRenderer(look, translate)
        self._room = 1

    def press(self, key: str, now: float) -> tuple[Wanted, ...]:
        self.note = None
        steps = {"up": -1, "down": 1, "pageup": -self._room, "pagedown": self._room}
        match key:
            case "up" | "down" | "pageup" | "pagedown":
                self.at = max(0, min(len(self.rows) - 1, self.at + steps[key]))
            case "home" | "end":
                self.at = 0 if key == "home" else max(0, len(self.rows) - 1)
            case "enter" | "right" if self.rows:
                return (OpenReplay(self.rows[self.at].path),)
            case "c-l":
                return (Redraw(),)
            case "q" | "escape" | "c-c" | "c-d":
                return (Quit(),)
        return ()

    def picture(self, width: int, height: int, now: float) -> Screenful:
        renderer = self._renderer
        canvas = Canvas(width, height, renderer.look.frame.dots)
        count = f"{self.at + 1}/{len(self.rows)}" if self.rows else ""
        canvas.title("304   " + renderer.text(say("Your tables")), count)
        room = Box(2, 2, max(1, width - 4), max(1, height - 5))
        self._room = max(1, room.h // HEIGHT)
        first = max(0, min(self.at - self._room // 2, len(self.rows) - self._room))
        hits = []
        for number, row in enumerate(self.rows[first : first + self._room]):
            y, here = room.y + number * HEIGHT, first + number == self.at
            style = "chosen" if here else "head" if row.sound else "warn"
            canvas.spans(room.x, y, renderer.spans(row.head, style), room.w)
            detail = renderer.spans(row.detail, "minor" if row.sound else "warn")
            canvas.spans(room.x + 2, y + 1, detail, room.w - 2)
            hits.append(Hit(Box(0, y, width, HEIGHT), first + number))
        if not self.rows:
            canvas.lines(room.x, room.y, renderer.wrapped(room.w, NOTHING), room.w)
        if self.note is not None:
            canvas.spans(1, height - 2, renderer.spans(self.note, "warn"), width - 2)
        canvas.spans(1, height - 1, renderer.spans(self._keys, "key"), width - 2)
        self._hits = tuple(hits)
        return Screenful(canvas.rows(), self._hits)
