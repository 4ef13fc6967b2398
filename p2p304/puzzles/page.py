"""A puzzle on the full screen: the table's own picture, with the question in the log.

Responsible for the keys of a puzzle (answer, next, previous, leave) and for what is said of an
answer. Keys that choose a card or call Caps are the table's (ui/fullscreen/input/keys.py).
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.puzzles.position import model_of, solution
from p2p304.puzzles.puzzle import NO, Kind, Puzzle, judge
from p2p304.rules.core.actions import Action
from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.settings import CONTROLS, Controls
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input import keys
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.narration.intents import AskHint, Do, Intent, Quit, ToLobby
from p2p304.ui.narration.model import Line, Tone
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated
from p2p304.ui.narration.reducer import logged
from p2p304.ui.terminal.frame import Page, Redraw, Screenful

KEYS = say("{hint} answer  PgDn next  PgUp previous  {menu} menu  {help} help  Esc leaves")


Wanted = Quit | ToLobby | Redraw


class PuzzlePage(Page[Wanted]):
    """A page over ``puzzles``; ``at`` is the one shown. It leaves with Quit or ToLobby."""

    def __init__(
        self,
        puzzles: tuple[Puzzle, ...],
        at: int,
        look: Look,
        translate: Translate = untranslated,
        controls: Controls = CONTROLS,
    ) -> None:
        self.puzzles, self.look, self.translate = puzzles, look, translate
        self.controls = controls
        self.solved: set[int] = set()
        self.ui = Ui()
        self._picture = Screenful(())
        self._turn_to(at)

    # A page

    def press(self, key: str, now: float) -> tuple[Wanted, ...]:
        is_plain = self.ui.pane is None and self.ui.asking is None
        typed = self.ui.typed.strip().lower()
        match key:
            case "pagedown" | "pageup" if is_plain:
                self._turn_to((self.at + (1 if key == "pagedown" else -1)) % len(self.puzzles))
                return ()
            case "enter" if is_plain and not typed and self.at in self.solved:
                self._turn_to((self.at + 1) % len(self.puzzles))
                return ()
            case "enter" if is_plain and typed in (NO, NO[0]) and self.puzzle.kind is Kind.CAPS:
                self._answer(None)
                return ()
            case "escape" if is_plain and not typed and self.ui.cursor is None:
                return (Quit(),)
        self.ui, wanted = keys.press(self.model, self.ui, key, self.controls)
        return self._carried_out(wanted)

    def paste(self, text: str, now: float) -> tuple[Wanted, ...]:
        self.ui = keys.paste(self.model, self.ui, text)
        return ()

    def click(self, x: int, y: int, now: float) -> tuple[Wanted, ...]:
        hit = next((hit for hit in reversed(self._picture.hits) if hit.box.holds(x, y)), None)
        if hit is None:
            return ()
        self.ui, wanted = keys.click(self.model, self.ui, hit.index, self.controls)
        return self._carried_out(wanted)

    def picture(self, width: int, height: int, now: float) -> Screenful:
        model = self.model
        renderer = PhraseRenderer(self.look, self.translate, model.nicks, seat=model.seat)
        self._picture = render(model, self.ui, renderer, width, height, now, self.controls.keys)
        return self._picture

    # Inside

    @property
    def puzzle(self) -> Puzzle:
        return self.puzzles[self.at]

    def _turn_to(self, at: int) -> None:
        self.at = at
        self.referee = self.puzzle.position()
        names, count = self.controls.keys, len(self.puzzles)
        self.model = model_of(self.puzzle, self.referee, at + 1, count, names)
        shown = {command.value: key for command, key in names.items()}
        footer = KEYS.filled(hint=shown["hint"], menu=shown["menu"], help=shown["help"])
        self.ui = Ui(footer=footer, has_values=self.controls.values == "on")

    def _carried_out(self, wanted: tuple[Intent, ...]) -> tuple[Wanted, ...]:
        rest: tuple[Wanted, ...] = ()
        for intent in wanted:
            match intent:
                case Do(action=action):
                    self._answer(action)
                case AskHint():
                    self._tell(solution(self.puzzle), Tone.PLAIN)
                case Quit() | ToLobby() | Redraw():
                    rest += (intent,)
        return rest

    def _answer(self, action: Action | None) -> None:
        """Judge an answer; a right one is remembered until the page is left."""
        judged = judge(self.puzzle, self.referee, action)
        self._tell(judged.sentence, Tone.GOOD if judged.is_right else Tone.WARN)
        if judged.is_right:
            self.solved.add(self.at)

    def _tell(self, told: Phrase, tone: Tone) -> None:
        """Show a sentence in the player's line, and keep it in the log."""
        is_good = tone is not Tone.WARN
        self.model = logged(self.model, Line(told, tone))
        fresh = replace(self.ui, typed="", cursor=None, pane=None)
        note, hint = (None, told) if is_good else (told, None)
        self.ui = replace(fresh, note=note, hint=hint)
