"""The list of lessons as a page: which there are, and which are done.

Responsible for the list and its keys. A lesson itself is page.py's.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from p2p304.learn.lesson import Lesson
from p2p304.learn.lessons import ABOUT, DONE, TITLE
from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.theme import Look
from p2p304.ui.narration.intents import Quit, ToLobby
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate
from p2p304.ui.terminal.canvas import Box, Canvas, Span
from p2p304.ui.terminal.frame import Hit, Redraw, RowList, Screenful

KEYS = say("Up/Down choose  Enter begins  p puzzles  q lobby")
HEIGHT = 3
"""Lines of a lesson, the empty one below it included."""


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin this lesson."""

    lesson: Lesson


@dataclass(frozen=True, slots=True)
class ToPuzzles:
    """Show the puzzles."""


Wanted = Begin | ToPuzzles | ToLobby | Quit | Redraw


def first_to_do(lessons: tuple[Lesson, ...], done: AbstractSet[str]) -> int:
    """Return the number of the first lesson that is not done; after the last the first."""
    return next((n for n, lesson in enumerate(lessons) if lesson.name not in done), 0)


class LessonList(RowList[Wanted]):
    """A list of ``lessons``; ``done`` are the names of those that are done, ``note`` a sentence
    below the list."""

    def __init__(
        self, lessons: tuple[Lesson, ...], done: AbstractSet[str], look: Look, translate: Translate
    ) -> None:
        super().__init__(first_to_do(lessons, done))
        self.lessons, self.done = lessons, done
        self.note: Phrase | None = None
        self._renderer = PhraseRenderer(look, translate)

    def press(self, key: str, now: float) -> tuple[Wanted, ...]:
        match key:
            case "up" | "down":
                self.at = (self.at + (1 if key == "down" else -1)) % len(self.lessons)
            case "home" | "end":
                self.at = 0 if key == "home" else len(self.lessons) - 1
            case "enter" | "right":
                return (Begin(self.lessons[self.at]),)
            case "p":
                return (ToPuzzles(),)
            case "c-l":
                return (Redraw(),)
            case "q" | "x" | "escape":
                return (ToLobby(),)
            case "c-c" | "c-d":
                return (Quit(),)
        if key.isascii() and key.isdecimal() and 1 <= int(key) <= len(self.lessons):
            self.at = int(key) - 1  # Enter begins it
        return ()

    def picture(self, width: int, height: int, now: float) -> Screenful:
        renderer = self._renderer
        canvas = Canvas(width, height, renderer.look.frame.dots)
        canvas.title("304   " + renderer.text(TITLE))
        room = max(1, width - 4)
        y = canvas.lines(2, 2, renderer.wrapped(room, ABOUT), room)
        hits = []
        for number, lesson in enumerate(self.lessons):
            y += 1
            canvas.spans(2, y, self._head(number, lesson), room)
            canvas.spans(5, y + 1, renderer.spans(lesson.about, "minor"), max(1, room - 3))
            hits.append(Hit(Box(0, y, width, HEIGHT - 1), number))
            y += HEIGHT - 1
        if self.note is not None:
            note = renderer.wrapped(room, self.note, style="good")
            canvas.lines(2, height - 4, note[:2], room)
        canvas.spans(2, height - 1, renderer.spans(KEYS, "key"), room)
        self._hits = tuple(hits)
        return Screenful(canvas.rows(), self._hits)

    def _head(self, number: int, lesson: Lesson) -> list[Span]:
        renderer = self._renderer
        style = "chosen" if number == self.at else "head"
        spans: list[Span] = [
            ("key", f"{number + 1}  "),
            *((style, text) for _, text in renderer.spans(lesson.title)),
        ]
        if lesson.name in self.done:
            tick = renderer.look.frame.tick
            spans += [("", "  "), ("good", f"{tick} {renderer.text(DONE)}")]
        return spans
