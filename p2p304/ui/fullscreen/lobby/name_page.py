"""The page of a first start: it asks for the player's name.

Responsible for the typed name until it is one. Which names there are wire/names.py says; storing it
is storage/data_folder.py's.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.key_map import CLEAR
from p2p304.ui.common.theme import Look
from p2p304.ui.common.wording import ASK_NAME, NO_NAME
from p2p304.ui.fullscreen.lobby.intents import Rename
from p2p304.ui.narration.intents import Quit
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated
from p2p304.ui.terminal.canvas import Canvas
from p2p304.ui.terminal.frame import Page, Redraw, Screenful
from p2p304.wire.names import LONGEST_NAME, is_name


class NamePage(Page[Rename | Quit | Redraw]):
    """Asks for a name; ``suggested`` stands on the line already. It wants `Rename` or `Quit`."""

    def __init__(self, suggested: str, look: Look, translate: Translate = untranslated) -> None:
        self.typed = suggested
        self.note: Phrase | None = None
        self._renderer = PhraseRenderer(look, translate)

    def press(self, key: str, now: float) -> tuple[Rename | Quit | Redraw, ...]:
        if key == "c-l":
            return (Redraw(),)
        if key in ("c-c", "c-d"):
            return (Quit(),)
        if key == "enter":
            name = " ".join(self.typed.split())
            if is_name(name):
                return (Rename(name),)
            self.note = NO_NAME
        else:
            self.typed, self.note = edited(self.typed, key), None
        return ()

    def paste(self, text: str, now: float) -> tuple[Rename | Quit | Redraw, ...]:
        line = (text.splitlines() or [""])[0]
        self.typed = (self.typed + "".join(c for c in line if c.isprintable()))[:LONGEST_NAME]
        return ()

    def picture(self, width: int, height: int, now: float) -> Screenful:
        renderer = self._renderer
        canvas = Canvas(width, height, renderer.look.frame.dots)
        canvas.title("304")
        room = max(1, width - 4)
        y = canvas.lines(2, 2, renderer.wrapped(room, ASK_NAME), room)
        typed = [("key", "> "), ("", renderer.safe(self.typed)), ("chosen", " ")]
        canvas.spans(2, y + 1, typed, room)
        if self.note is not None:
            canvas.lines(2, y + 3, renderer.wrapped(room, self.note, style="warn"), room)
        keys = renderer.spans(say("Enter continues, Ctrl-C asks whether to quit"), "key")
        canvas.spans(2, height - 1, keys, room)
        return Screenful(canvas.rows())


def edited(typed: str, key: str) -> str:
    """Return the name being typed after a key."""
    if key == "backspace":
        return typed[:-1]
    if key == CLEAR:
        return ""
    return (typed + key)[:LONGEST_NAME] if len(key) == 1 and key.isprintable() else typed
