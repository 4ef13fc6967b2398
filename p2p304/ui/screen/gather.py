"""A table that gathers: who is here, how others come, and the code that all say aloud.

Owns how that is drawn into a rectangle of cells. Who may sit down is the table's business.
"""

from __future__ import annotations

from p2p304.ui.screen.canvas import Box, Canvas, Span
from p2p304.ui.screen.menu import may_add_bot
from p2p304.ui.screen.model import Model
from p2p304.ui.screen.phrases import say
from p2p304.ui.screen.voice import Voice


def draw(model: Model, voice: Voice, canvas: Canvas, box: Box) -> None:
    """The waiting room, in the middle of the felt."""
    lines: list[list[Span]] = []
    room = model.room
    if room is not None:
        lines.append([("head", voice.safe(room.table))])
        lines.append(voice.spans(say("rules: {rules}", rules=room.rules), "minor"))
    lines.append([])
    for number in range(model.places):
        if number < len(model.nicks):
            nick = voice.safe(model.nicks[number])
            style = "turn" if model.nicks[number] == model.me else "good"
            lines.append([(style, f" {nick} ")])
        else:
            lines.append([("dim", voice.text(say("(free)")))])
    lines.append([])
    if room is not None and room.where and len(model.nicks) < model.places:
        lines.append(voice.spans(say("Others find this table by themselves, or type:"), "minor"))
        lines += [[("key", place)] for place in room.where]
    if may_add_bot(model):
        lines.append(voice.spans(say("+ lets a bot take a free seat."), "minor"))
    top = box.y + max(0, (box.h - len(lines)) // 2)
    for row, line in enumerate(lines[: box.h]):
        canvas.centre(box.x, top + row, box.w, line)


def draw_code(model: Model, voice: Voice, canvas: Canvas, box: Box) -> None:
    """Before the first cards: the code, where everybody looks."""
    if not model.code or model.number > 1 or model.me is None:
        return
    top = box.y + box.h // 2 - 1
    code = [("turn", f"  {model.code}  ")]
    canvas.centre(box.x, top, box.w, voice.spans(say("Say it aloud and compare:")))
    canvas.centre(box.x, top + 1, box.w, code)
    canvas.centre(
        box.x, top + 2, box.w,
        voice.spans(say("if it differs, somebody is between you"), "minor"),
    )  # fmt: skip
