"""Lessons on the full screen: the list, one lesson after the other, and the puzzles.

Responsible for turning from one page to the other, and for noting what is done. The pages are
list_page.py's and page.py's.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from p2p304.learn import list_page, page
from p2p304.learn.lesson import Lesson
from p2p304.learn.lessons import LESSONS
from p2p304.learn.list_page import Begin, LessonList, ToPuzzles
from p2p304.learn.page import Done, LessonPage, ToLessons
from p2p304.learn.run import LessonRun
from p2p304.puzzles.page import PuzzlePage
from p2p304.puzzles.puzzle import collection
from p2p304.rules.core.phrases import say
from p2p304.ui.common.settings import Controls, Pace
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.full_screen import full_screen
from p2p304.ui.narration.intents import Quit, ToLobby
from p2p304.ui.narration.phrase_renderer import Translate
from p2p304.ui.terminal.application import Terminal

WELL_DONE = say("You have done “{lesson}”. Press Enter for “{next}”, or q for the lobby.")
ALL_DONE = say(
    "You have done all lessons. Press q, and in the lobby b: you play against three bots."
)
Wanted = list_page.Wanted | page.Wanted


class Lessons:
    """The screen of one learner. ``done`` are the names of lessons done before, and ``note_done``
    keeps another."""

    def __init__(
        self,
        me: str,
        look: Look,
        translate: Translate,
        controls: Controls,
        pace: Pace,
        done: AbstractSet[str],
        note_done: Callable[[str], None],
    ) -> None:
        self._me, self._look, self._translate = me, look, translate
        self._controls, self._pace, self._note_done = controls, pace, note_done
        self.list = LessonList(LESSONS, set(done), look, translate)
        self.terminal: Terminal[Wanted] = full_screen(self.list, self.carry_out, look, translate)
        self.quits = False

    async def show(self, first: Lesson | None = None) -> bool:
        """Show the list, or this lesson, until the learner leaves; returns whether the learner
        leaves the program too."""
        if first is not None:
            self.begin(first)
        await self.terminal.run()
        return self.quits or self.terminal.has_quit

    def begin(self, lesson: Lesson) -> None:
        run = LessonRun(lesson)
        self.list.at = LESSONS.index(lesson)
        self.terminal.turn_to(
            LessonPage(run, self._me, self._look, self._translate, self._controls, self._pace)
        )

    def carry_out(self, wanted: Wanted) -> None:
        match wanted:
            case Begin(lesson=lesson):
                self.begin(lesson)
            case Done():
                self._done(self.list.lessons[self.list.at])
            case ToPuzzles():
                self.terminal.turn_to(
                    PuzzlePage(collection(), 0, self._look, self._translate, self._controls)
                )
            case ToLessons():
                self.terminal.turn_to(self.list)
            case Quit() if isinstance(self.terminal.page, PuzzlePage):
                self.terminal.turn_to(self.list)
            case ToLobby() | Quit():
                self.quits = isinstance(wanted, Quit)
                self.terminal.leave()

    def _done(self, lesson: Lesson) -> None:
        self._note_done(lesson.name)
        self.list.done = {*self.list.done, lesson.name}
        self.list.at = list_page.first_to_do(LESSONS, self.list.done)
        follows = LESSONS[self.list.at]
        self.list.note = WELL_DONE.filled(lesson=lesson.title, next=follows.title)
        if follows.name in self.list.done:
            self.list.note = ALL_DONE
        self.terminal.turn_to(self.list)
