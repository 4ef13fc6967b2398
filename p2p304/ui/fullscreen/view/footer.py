"""The footer: one sentence on what is going on, the typed line, the keys.

Responsible for which sentence is shown there and how a long one is fitted in. What is due is
status.py's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.key_map import Command, Keys
from p2p304.ui.common.remarks import REMARKS
from p2p304.ui.common.text_width import width_of
from p2p304.ui.fullscreen.input.menu import may_chat, possible
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.view import panes
from p2p304.ui.guidance import status
from p2p304.ui.guidance.choice_phrases import timeout_phrase
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.terminal.canvas import Canvas, Span, spans_width, wrapped

FOOTER = (
    (Command.MENU, say("menu")),
    (Command.HELP, say("help")),
    (Command.CHAT, say("chat")),
    (Command.LAST, say("last trick")),
    (Command.PROOFS, say("proofs")),
    (Command.HINT, say("hint")),
    (Command.SHEET, say("match sheet")),
    (Command.LOG, say("log")),
    (Command.LOBBY, say("lobby")),
)


_DISPENSABLE = (Command.PROOFS, Command.LOG, Command.SHEET, Command.LAST, Command.LOBBY)
"""What the menu alone names where the line is too short, the first one first."""


@dataclass(frozen=True, slots=True)
class Footer:
    """Draws the last three lines."""

    model: Model
    ui: Ui
    renderer: PhraseRenderer
    canvas: Canvas
    now: float
    keys: Keys

    def draw(self, y: int) -> None:
        """Draw three lines: the message, what is typed or asked, the keys; a long sentence takes
        two lines and replaces the keys."""
        canvas, width = self.canvas, self.canvas.width
        clock = self._clock()
        room = spans_width(clock)
        message = self._message_lines(max(1, width - 2 - room))
        asked = self._asked(max(1, width - 2))
        is_idle = not self.ui.typed and self.ui.asking is None
        if is_idle and len(message) > 2:
            asked = []
        if self.ui.footer is not None and is_idle and len(message) > 1:
            message, asked = message[:2], []  # this page's keys stay below two lines
        lines = [*message[: max(1, 3 - len(asked))], *asked][:3]
        canvas.lines(1, y, lines if len(lines) == 3 else [*lines, self._keys()], width - 2)
        canvas.spans(width - 1 - room, y, clock)

    def _asked(self, width: int) -> panes.Lines:
        """Return a question that y or n answers, else the end of the typed line."""
        asking, renderer = self.ui.asking, self.renderer
        if asking is not None:
            question = [*renderer.spans(asking.question, "warn"), ("key", "  y / n ")]
            if asking.other is not None:
                more = [("", " "), *renderer.spans(asking.other, "minor"), ("key", " ")]
                question = [*renderer.spans(asking.question, "warn"), *more, ("key", " y / n / b ")]
            return wrapped(question, width)
        typed = renderer.safe(self.ui.typed)
        while width_of(typed) > width - 3:
            typed = typed[1:]
        return [[("key", "> "), ("", typed), ("chosen", " ")]]

    def _message_lines(self, width: int) -> panes.Lines:
        """Return the message. All wait for this player: a refusal or a chat message does not hide
        that, it stands below."""
        message = wrapped(self._message(), width) or [[]]
        due = status.due(self.model)
        if self.ui.note in (None, due) or not self._is_awaited():
            return message
        first = self.renderer.spans(due, "head")
        lines = [*wrapped(first, width), *message]
        return lines if len(lines) <= 3 else wrapped([*first, ("", "  "), *self._message()], width)

    def _is_awaited(self) -> bool:
        """Whether the table waits for this player: to choose, to cut or to ask for the deal."""
        return self.model.is_asked or self.model.deal_next is not None

    def _clock(self) -> list[Span]:
        """Return the time left of the turn, at the right of the message line."""
        left = status.seconds_left(self.model, self.now)
        if left is None:
            return []
        text = self.renderer.text(say(" {n} s ", n=left))
        mine = self.model.is_asked
        return [("turn" if mine and left <= status.HURRY else "key" if mine else "minor", text)]

    def _message(self) -> list[Span]:
        renderer = self.renderer
        if self.ui.note is not None:
            return renderer.spans(self.ui.note, "warn")
        if self.ui.hint is not None:
            return renderer.spans(self.ui.hint, "good")
        waiting = status.waiting_phrase(self.model, self.now)
        if waiting is not None:
            return renderer.spans(waiting, "warn")
        told = status.due(self.model)
        if self.ui.pane is Pane.END:
            told = say("The table is over. Choose with Up/Down or a number, then press Enter.")
        left = status.seconds_left(self.model, self.now)
        if self.model.is_my_turn and self.model.view and left is not None and left <= status.HURRY:
            then = timeout_phrase(self.model.view)
            told = say("{due} {then}", due=told, then=then)
        style = "warn" if self.model.stopped else "head" if self.model.is_asked else ""
        return renderer.spans(told, style)

    def _keys(self) -> list[Span]:
        if self.ui.footer is not None:
            return self.renderer.spans(self.ui.footer, "key")
        spans: list[Span] = []
        if self.ui.typed == "/" and may_chat(self.model):
            for key, remark in REMARKS.items():
                spans += [("key", key), ("minor", f" {self.renderer.text(remark)}  ")]
            return spans
        here = possible(self.model, self.ui)
        shown = {command: name for command, name in FOOTER if command in here}
        spans = self._named_keys(shown)
        for command in _DISPENSABLE:
            if spans_width(spans) > self.canvas.width - 2:
                shown.pop(command, None)
                spans = self._named_keys(shown)
        return spans

    def _named_keys(self, shown: Mapping[Command, Phrase]) -> list[Span]:
        spans: list[Span] = []
        for command, name in shown.items():
            gap = [("", "  ")] if spans else []
            spans += [*gap, ("key", self.keys[command]), ("minor", f" {self.renderer.text(name)}")]
        return spans
