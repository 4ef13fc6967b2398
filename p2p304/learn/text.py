"""Lessons in text mode: lines in, lines out.

Responsible for the words of a lesson (answer, back, skip, lessons, quit) and for what is printed
at a step. The table's own text mode shows the cards and reads all other words;
frontends/text/lessons.py reads and prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from shutil import get_terminal_size

from p2p304.learn.lesson import Lesson
from p2p304.learn.lessons import ABOUT, DONE, LESSONS, TITLE, find_lesson
from p2p304.learn.run import GO_ON, NUMBER, LessonRun
from p2p304.puzzles.text import list_lines
from p2p304.rules.core.actions import Action
from p2p304.rules.core.phrases import Phrase, Quoted, say
from p2p304.ui.narration.intents import Do, Quit
from p2p304.ui.narration.phrase_renderer import Translate
from p2p304.ui.narration.reducer import Change, Chosen
from p2p304.ui.terminal.canvas import wrapped
from p2p304.ui.text.narrator import LONGEST_LINE
from p2p304.ui.text.screen import Show, TextScreen

CHOOSE = say("Type the number of a lesson, 'puzzles', or 'quit'.")
WORDS = say(
    "At every step you can type: h (the answer), back, skip, lessons (the list), ? (help), quit."
)
LEFT = say("You have left the lessons: 'p2p304 learn' takes you back to them.")


class TextLessons:
    """The lessons of one learner in text mode. ``done`` and ``note_done`` are as on the full screen
    (screen.py)."""

    def __init__(
        self,
        me: str,
        translate: Translate,
        done: AbstractSet[str],
        note_done: Callable[[str], None],
    ) -> None:
        self._me, self._translate = me, translate
        self._done, self._note_done = set(done), note_done
        self._run: LessonRun | None = None
        self._screen = TextScreen(me, translate)
        self.is_over = False

    def begin(self, first: Lesson | None = None) -> list[str]:
        """Return the first lines: the list, or the beginning of this lesson."""
        return self._list() if first is None else self._begin(first)

    def typed(self, line: str) -> list[str]:
        """Do what a typed line says, and return the lines that answer it."""
        word, run = line.strip().lower(), self._run
        if word in ("q", "quit", "exit", "leave", "lobby", "x"):
            return self.end()
        if run is None and word in ("p", "puzzles"):
            return list_lines(self._translate)
        if run is None:
            lesson = find_lesson(word) if word else None
            return [self._text(CHOOSE)] if lesson is None else self._begin(lesson)
        match word:
            case "h" | "hint" | "answer" | "i":
                return self._wrapped(run.answer(self._screen.model))
            case "n" if self._screen.asked_claim is not None:  # the answer, not the next step
                return self._shown(word)
            case "back" | "b":
                return self._placed(run, run.at - 1)
            case "skip" | "next" | "n":
                return self._advance(run)
            case "?" | "help":
                return [*self._shown(word), *self._wrapped(WORDS)]
            case "lessons":
                self._run = None
                return self._list()
        return self._choice(run, line) if run.step.do else self._number(run, word)

    def end(self) -> list[str]:
        """Leave; returns the closing line."""
        self.is_over = True
        return [self._text(LEFT)]

    # Inside

    def _text(self, phrase: Phrase) -> str:
        return self._screen.teller.text(phrase)

    def _wrapped(self, *phrases: Phrase) -> list[str]:
        """Return sentences as lines that the terminal need not wrap."""
        room = min(LONGEST_LINE, get_terminal_size().columns) - 1
        spans = [[("", self._text(phrase))] for phrase in phrases]
        return [
            "".join(text for _, text in row).rstrip() for one in spans for row in wrapped(one, room)
        ]

    def _list(self) -> list[str]:
        lines = [self._text(TITLE), *self._wrapped(ABOUT), ""]
        for number, lesson in enumerate(LESSONS, 1):
            told = say("{n}) {lesson}. {about}", n=number, lesson=lesson.title, about=lesson.about)
            if lesson.name in self._done:
                told = say("{told} ({done})", told=told, done=DONE)
            lines += self._wrapped(told)
        return [*lines, self._text(CHOOSE)]

    def _begin(self, lesson: Lesson) -> list[str]:
        self._run = LessonRun(lesson)
        head = say("{lesson}. {about}", lesson=lesson.title, about=lesson.about)
        return [*self._wrapped(head, WORDS), *self._placed(self._run, 0)]

    def _placed(self, run: LessonRun, at: int) -> list[str]:
        """Go to a step; what happened before it is told only at the first one of a deal."""
        self._screen = TextScreen(self._me, self._translate)
        self._screen.teller.model = run.model(self._me, typed=True)
        lines = self._told(run.place(at))
        if run.at:
            lines = [] if run.step.do else self._screen.table_lines()
            lines += self._shown("")
        return [*lines, *self._step(run)]

    def _shown(self, word: str) -> list[str]:
        meant = self._screen.typed(word)
        return list(meant.lines) if isinstance(meant, Show) else []

    def _told(self, changes: Iterable[Change]) -> list[str]:
        lines: list[str] = []
        for change in changes:
            if isinstance(change, Chosen):
                self._screen.chosen(change.action)
            else:
                lines += self._screen.show(change)  # type: ignore[arg-type]
        return lines

    def _step(self, run: LessonRun) -> list[str]:
        head = say("Step {n} of {count}. {told}", n=run.at + 1, count=run.count, told=run.text)
        further = () if run.step.do else (NUMBER,) if run.step.ask else (GO_ON,)
        return ["", *self._wrapped(head, *further)]

    def _advance(self, run: LessonRun, action: Action | None = None) -> list[str]:
        if not run.is_last:
            return [*self._told(run.advance(action)), *self._step(run)]
        lines = self._told(run.advance(action))
        self._done.add(run.lesson.name)
        self._note_done(run.lesson.name)
        self._run = None
        done = say("You have done “{lesson}”.", lesson=run.lesson.title)
        return [*lines, "", self._text(done), "", *self._list()]

    def _number(self, run: LessonRun, word: str) -> list[str]:
        if run.number is None or word.split()[:1] == [str(run.number)]:
            return self._advance(run)
        meant = self._screen.typed(word)
        if not word:
            return self._step(run)
        if isinstance(meant, Show) and not meant.refused:
            return list(meant.lines)
        return self._refused(run, say("{typed} is not right.", typed=Quoted(word[:16])))

    def _choice(self, run: LessonRun, line: str) -> list[str]:
        meant = self._screen.typed(line)
        match meant:
            case Do(action=action):
                why = run.refusal(action)
                return self._advance(run, action) if why is None else self._refused(run, why)
            case Show(lines=lines, refused=refused):
                wrong = self._wrapped(run.wrong) if refused and run.wrong is not None else []
                return [*lines, *wrong]
            case Quit():
                return self.end()
        return self._wrapped(run.wrong) if run.wrong is not None else []

    def _refused(self, run: LessonRun, why: Phrase) -> list[str]:
        told = () if run.wrong is None else (run.wrong,)
        return self._wrapped(why, *told)
