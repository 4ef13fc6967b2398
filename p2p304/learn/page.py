"""A lesson on the full screen: the table's own page, with the lesson's words above the log.

Responsible for the keys of a lesson (answer, back, skip, leave) and for what is said after a wrong
answer. The place in the lesson is run.py's; the table's page shows the cards and reads all other
keys.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.learn.run import GO_ON, NUMBER, LessonRun
from p2p304.rules.core.actions import Action
from p2p304.rules.core.phrases import Phrase, Quoted, say
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.settings import Controls, Pace
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.intents import AskHint, Do, Intent, Quit, ToLobby
from p2p304.ui.narration.model import Line, Tone
from p2p304.ui.narration.phrase_renderer import Translate
from p2p304.ui.narration.reducer import Change
from p2p304.ui.terminal.frame import Redraw, Ring, Screenful

KEYS = say("h answer  b back  n skip  m menu  ? help  Esc lessons  x lobby")


WATCH = say("Watch the table. Space shows the rest at once.")


class Done:
    """The learner has done the last step of a lesson."""


class ToLessons:
    """Back to the list of lessons."""


Wanted = Done | ToLessons | ToLobby | Quit | Redraw | Ring


class LessonPage:
    """One lesson of the learner ``me``."""

    asks_to_quit = False

    def __init__(
        self,
        run: LessonRun,
        me: str,
        look: Look,
        translate: Translate,
        controls: Controls,
        pace: Pace,
    ) -> None:
        self.run, self._me = run, me
        self._look, self._translate, self._pace = look, translate, pace
        keys = {**controls.keys, Command.PROOFS: ""}  # nothing is proved here, and b goes back
        self._controls = replace(controls, keys=keys, confirm="never", bell="off")
        self.said: tuple[Line, ...] = ()
        """What is said after a wrong answer, or the answer itself."""
        self.table = self._table_at(0)

    # A page

    def press(self, key: str, now: float) -> tuple[Wanted, ...]:
        ui = self.table.ui
        if not ui.typed and ui.asking is None and (own := self._own_key(key, now)) is not None:
            return own
        if key in ("c-c", "c-d"):
            return (Quit(),)
        if key == "enter" and ui.pane is None and self._is_asked and not self.run.step.do:
            return self._answered(ui.typed.strip(), now)
        wanted = self.table.press(key, now)
        return self._chosen(wanted, now) if key == "enter" else self._carried_out(wanted, now)

    def paste(self, text: str, now: float) -> tuple[Wanted, ...]:
        return self._carried_out(self.table.paste(text, now), now)

    def click(self, x: int, y: int, now: float) -> tuple[Wanted, ...]:
        return self._chosen(self.table.click(x, y, now), now)

    def handle_timer(self, now: float) -> tuple[Wanted, ...]:
        return self._carried_out(self.table.handle_timer(now), now)

    def next_timeout(self, now: float) -> float | None:
        return self.table.next_timeout(now)

    def picture(self, width: int, height: int, now: float) -> Screenful:
        ui = self.table.ui
        self.table.ui = replace(
            ui,
            aside=self._aside(),
            footer=KEYS,
            hint=self._due(),
            has_values=ui.has_values and not self.run.step.ask,  # they would be the answer
        )
        shown = self.table.picture(width, height, now)
        self.table.ui = ui
        return shown

    # Inside

    @property
    def _is_asked(self) -> bool:
        """Whether everything that comes before the step has been shown."""
        return self.table.is_settled

    def _aside(self) -> tuple[Line, ...]:
        run = self.run
        head = say("{lesson} {n}/{count}", lesson=run.lesson.title, n=run.at + 1, count=run.count)
        told = (Line(run.text), *self.said) if self._is_asked else (Line(WATCH, Tone.MINOR),)
        return Line(head, Tone.HEAD), *told

    def _due(self) -> Phrase | None:
        if not self._is_asked or self.run.step.do:
            return None
        return NUMBER if self.run.step.ask else GO_ON

    def _own_key(self, key: str, now: float) -> tuple[Wanted, ...] | None:
        """Do what a key of the lesson does; None for any other key."""
        match key:
            case "escape":
                is_free = self.table.ui.pane is None and self.table.ui.cursor is None
                return (ToLessons(),) if is_free else None
            case "x":
                return (ToLobby(),)
            case "h" | "i":
                if self._is_asked:
                    self.said = (Line(self.run.answer(self.table.model), Tone.GOOD),)
            case "b":
                self.table = self._table_at(max(0, self.run.at - 1))
            case "n":
                return self._advance(now) if self._is_asked else self._show_rest(now)
            case " " if not self._is_asked:
                return self._show_rest(now)
            case _:
                return None
        return ()

    def _table_at(self, at: int) -> TablePage:
        """Return the table's page at a step, with all that happened before it."""
        model = self.run.model(self._me, keys=self._controls.keys)
        page = TablePage(model, self._look, self._translate, self._controls, self._pace)
        for change in self.run.place(at):
            page.recall(change, 0.0)
        self.said = ()
        return page

    def _show_rest(self, now: float) -> tuple[Wanted, ...]:
        return self._carried_out(self.table.show_rest(now), now)

    def _advance(self, now: float, action: Action | None = None) -> tuple[Wanted, ...]:
        if self.run.is_last and not self.run.step.do:
            return (Done(),)
        self.said = ()
        self.table.ui = replace(self.table.ui, typed="", note=None, pane=None, cursor=None)
        return self._told(tuple(self.run.advance(action)), now)

    def _told(self, changes: tuple[Change, ...], now: float) -> tuple[Wanted, ...]:
        wanted: tuple[Wanted, ...] = ()
        for change in changes:
            wanted += self._carried_out(self.table.tell(change, now), now)
        return wanted

    def _answered(self, typed: str, now: float) -> tuple[Wanted, ...]:
        """Judge the number that was typed; at a step without one go on."""
        number = self.run.number
        if number is None or typed.split()[:1] == [str(number)]:
            return self._advance(now)
        self.table.ui = replace(self.table.ui, typed="")
        if typed:
            self._refused(say("{typed} is not right.", typed=Quoted(typed)))
        return ()

    def _refused(self, why: Phrase) -> None:
        """Say why the answer is not what the step asks for, and the lesson's sentence."""
        wrong = self.run.wrong
        told = why if wrong is None else say("{why} {lesson}", why=why, lesson=wrong)
        self.said = (Line(told, Tone.WARN),)

    def _chosen(self, wanted: tuple[Intent, ...], now: float) -> tuple[Wanted, ...]:
        """Carry out a choice; what the table's page has refused, the lesson answers too."""
        if self.table.ui.queued is not None:  # a lesson plays nothing before its text was read
            self.table.ui = replace(self.table.ui, queued=None, note=self._due() or WATCH)
        elif not wanted and self.table.ui.note is not None:
            self._refused(self.table.ui.note)
        return self._carried_out(wanted, now)

    def _carried_out(self, wanted: tuple[Intent, ...], now: float) -> tuple[Wanted, ...]:
        """Carry out what the table's page wants; nobody waits for a learner who leaves."""
        ui, rest = self.table.ui, tuple[Wanted, ...]()
        if ui.asking is not None and isinstance(ui.asking.wanted, Quit | ToLobby):
            wanted = (*wanted, ui.asking.wanted)
            self.table.ui = replace(ui, asking=None)
        for intent in wanted:
            match intent:
                case Do(action=action):
                    why = self.run.refusal(action)
                    if why is None:
                        rest += self._advance(now, action)
                    else:
                        self.table.note(why)
                        self._refused(why)
                case AskHint():
                    self.said = (Line(self.run.answer(self.table.model), Tone.GOOD),)
                case Quit() | ToLobby() | Redraw() | Ring():
                    rest += (intent,)
        return rest
