"""A replay on the full screen: a transcript's game, stepping forwards and back.

Responsible for the position in the game and the keys that move it. Entries are taken when they are
needed; each arrives verified, with its events (frontends/replay_screen.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from p2p304.rules.core.phrases import Phrase, say
from p2p304.table.state.events import PublicEvent
from p2p304.ui.common.key_map import Command, Keys
from p2p304.ui.common.settings import CONTROLS, Controls
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input import keys
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.narration.intents import Intent, Quit
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated
from p2p304.ui.narration.reducer import reduce
from p2p304.ui.terminal.frame import Redraw, Screenful


@dataclass(frozen=True, slots=True)
class Entry:
    """A verified entry: its place and kind, its author's nickname, its events, and the seconds that
    verifying it took."""

    seq: int
    kind: str
    author: str
    events: tuple[PublicEvent, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Moment:
    """The screen after an entry, and the line that names the entry or the fault in it."""

    model: Model
    caption: Phrase
    sound: bool = True


NOTHING = Moment(Model(), say("There are no entries."), sound=False)


class ReplayPage:
    """A page over ``entries``; a false entry ends them with a ``Phrase`` in its place."""

    def __init__(
        self,
        entries: Iterator[Entry | Phrase],
        look: Look,
        translate: Translate = untranslated,
        controls: Controls = CONTROLS,
    ) -> None:
        self.look, self.translate, self.controls = look, translate, controls
        self._entries = entries
        self._spent = 0.0
        self.moments: list[Moment] = []
        self.at = 0
        self.ui = Ui(footer=_footer(controls.keys))
        self._more()

    @property
    def model(self) -> Model:
        return self.moments[self.at].model if self.moments else Model()

    def go_to_hand(self, number: int) -> bool:
        """Go to the beginning of a hand; returns False, and does not move, if there is no such
        hand."""
        before = self.at
        self.at = 0
        if self.model.number < number:
            self._forward(lambda model: model.number >= number)
        if self.model.number == number:
            return True
        self.at = before
        return False

    # A page

    def press(self, key: str, now: float) -> tuple[Intent, ...]:
        if self.ui.pane is None and self._move(key):
            return ()
        if key in ("c-c", "c-d", "q") or (key == "escape" and self.ui.pane is None):
            return (Quit(),)
        self.ui, wanted = keys.press(self.model, self.ui, key, self.controls)
        self.ui = replace(self.ui, typed="", asking=None, note=None, queued=None)
        return tuple(intent for intent in wanted if isinstance(intent, Quit | Redraw))

    def paste(self, text: str, now: float) -> tuple[Intent, ...]:
        return ()

    def click(self, x: int, y: int, now: float) -> tuple[Intent, ...]:
        return self.press("escape" if self.ui.pane else "right", now)

    def handle_timer(self, now: float) -> tuple[Intent, ...]:
        return ()

    def next_timeout(self, now: float) -> float | None:
        return None

    def picture(self, width: int, height: int, now: float) -> Screenful:
        moment = self.moments[self.at] if self.moments else NOTHING
        told = moment.caption
        ui = replace(self.ui, hint=told) if moment.sound else replace(self.ui, note=told)
        renderer = PhraseRenderer(self.look, self.translate, moment.model.nicks)
        return render(moment.model, ui, renderer, width, height, now, self.controls.keys)

    # Inside

    def _move(self, key: str) -> bool:
        """Move if the key is one that moves; returns whether it is."""
        tricks, number = len(self.model.done_tricks), self.model.number
        match key:
            case "right" | " " | "enter":
                self._forward(lambda model: True)
            case "left" | "backspace":
                self._back(lambda model: True)
            case "pagedown":
                self._forward(lambda m: m.number != number or len(m.done_tricks) != tricks)
            case "pageup":
                self._back(lambda m: m.number != number or len(m.done_tricks) != tricks)
            case "down":
                self._forward(lambda model: model.number > number)
            case "up":
                self._back(lambda model: model.number < number)
            case "home":
                self.at = 0
            case "end":
                self._forward(lambda model: False)
            case _:
                return False
        return True

    def _forward(self, until: Callable[[Model], bool]) -> None:
        """Go forward, at least one entry, until the model is as wanted or the entries end."""
        while self.at + 1 < len(self.moments) or self._more():
            self.at += 1
            if until(self.model):
                return

    def _back(self, until: Callable[[Model], bool]) -> None:
        while self.at > 0:
            self.at -= 1
            if until(self.model):
                return

    def _more(self) -> bool:
        """Take one more entry; returns False if there is none."""
        entry = next(self._entries, None)
        if entry is None:
            return False
        model = self.moments[-1].model if self.moments else Model()
        if isinstance(entry, Phrase):
            self.moments.append(Moment(model, entry, sound=False))
            return True
        self._spent += entry.seconds
        for event in entry.events:
            model = reduce(model, event, self._spent)
        caption = say(
            "Entry {n}: {kind} by {author}, verified in {ms} ms.",
            n=entry.seq,
            kind=entry.kind,
            author=entry.author,
            ms=round(entry.seconds * 1000),
        )
        self.moments.append(Moment(model, caption))
        return True


def _footer(names: Keys) -> Phrase:
    return say(
        "Right/Left entry  PgDn/PgUp trick  Down/Up hand  {menu} menu  {proofs} proofs  q quit",
        menu=names[Command.MENU],
        proofs=names[Command.PROOFS],
    )
