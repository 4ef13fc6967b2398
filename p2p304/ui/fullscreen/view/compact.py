"""A window that is too small for the table: what it needs, and the table in plain lines.

Responsible for what is told first where there is little room; the line being typed always shows.
Pure.
"""

from __future__ import annotations

from p2p304.rules.core.cards import Card
from p2p304.rules.core.phrases import Who, say
from p2p304.ui.common.open_seat import held
from p2p304.ui.fullscreen.model import status
from p2p304.ui.fullscreen.model.intents import Sit
from p2p304.ui.fullscreen.model.model import Model
from p2p304.ui.fullscreen.model.phrase_renderer import PhraseRenderer
from p2p304.ui.fullscreen.model.ui_state import Ui, card_actions, items
from p2p304.ui.fullscreen.view import panes
from p2p304.ui.fullscreen.view.hand import choice_spans
from p2p304.ui.terminal.canvas import Canvas, Span, wrapped
from p2p304.ui.terminal.frame import LEAST_HEIGHT, LEAST_WIDTH, Screenful


def draw(
    model: Model, ui: Ui, voice: PhraseRenderer, width: int, height: int, now: float
) -> Screenful:
    """What the table needs, and what goes on in plain lines, as much as there is room for; the
    line being typed always shows."""
    canvas = Canvas(width, height, voice.look.frame.dots)
    lines = _lines(model, ui, voice, width, now)
    needs = voice.spans(
        say(
            "This window is {w}×{h}; the table needs {needs}.",
            w=width,
            h=height,
            needs=f"{LEAST_WIDTH}×{LEAST_HEIGHT}",
        ),
        "minor",
    )
    lines += wrapped(needs, width) if width > 0 else []
    for row, line in enumerate(lines[: max(0, height - 1)]):
        canvas.spans(0, row, line)
    question = voice.spans(ui.asking.question, "warn") if ui.asking else []
    canvas.spans(0, height - 1, [*question, ("key", "> "), ("", voice.safe(ui.typed))])
    return Screenful(canvas.rows())


def _lines(model: Model, ui: Ui, voice: PhraseRenderer, width: int, now: float) -> panes.Lines:
    """The most needed first."""
    told: panes.Lines = []
    if ui.note is not None:
        told.append(voice.spans(ui.note, "warn"))
    due = voice.spans(status.waited(model, now) or status.due(model), "head")
    left = status.seconds_left(model, now)
    told.append(due if left is None else [*due, ("key", voice.text(say(" {n} s ", n=left)))])
    choices: list[Span] = []
    for at, item in enumerate(items(model)):
        number = item.seat + 1 if isinstance(item, Sit) else at + 1
        shown = choice_spans(item, model, voice)
        if isinstance(item, Card) and model.my_turn and not card_actions(model, item):
            shown = [("dim", "("), *shown, ("dim", ")")]  # may not be played now
        mark = "<  " if ui.cursor == at else "  "
        choices += [("key", f"{number}) "), *shown, ("key", mark)]
    told.append(choices)
    trick = model.shown_trick
    if trick is not None:
        table: list[Span] = []
        for play in trick.plays:
            card = voice.card(play.card) if play.card else ("back", voice.look.frame.back * 2)
            table += [("", f"{voice.name(play.seat)} "), card, ("", "  ")]
        told.append(table)
    told += [_empty_seat(model, voice), status.contract(model, voice), status.points(model, voice)]
    lines: panes.Lines = []
    for spans in told:
        lines += wrapped(spans, max(1, width)) if spans else []
    return lines


def _empty_seat(model: Model, voice: PhraseRenderer) -> list[Span]:
    """The cards that lie open of a seat without whose player the hand is played out."""
    emptied = model.emptied
    if emptied is None or not emptied.cards:
        return []
    cards = tuple(held(emptied.cards))
    return voice.spans(
        say("{who} is gone, cards open: {cards}", who=Who(emptied.seat), cards=cards)
    )
