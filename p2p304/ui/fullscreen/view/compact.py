"""A window that is too small for the table: the size it needs, and the table as lines of text.

Responsible for what is shown first if there is little room; the line being typed is always shown.
Pure.
"""

from __future__ import annotations

from p2p304.rules.core.cards import Card
from p2p304.rules.core.phrases import Who, say
from p2p304.ui.common.open_seat import held
from p2p304.ui.fullscreen.model.ui_state import Ui, card_actions, items
from p2p304.ui.fullscreen.model.ui_state import held as held_cards
from p2p304.ui.fullscreen.view import panes
from p2p304.ui.fullscreen.view.hand import choice_spans
from p2p304.ui.guidance import status
from p2p304.ui.narration.intents import Sit
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.terminal.canvas import Canvas, Span, wrapped
from p2p304.ui.terminal.frame import LEAST_HEIGHT, LEAST_WIDTH, Screenful


def draw(
    model: Model, ui: Ui, renderer: PhraseRenderer, width: int, height: int, now: float
) -> Screenful:
    """Draw the size that the table needs, and the table as lines of text where there is room. The
    line being typed is always shown."""
    canvas = Canvas(width, height, renderer.look.frame.dots)
    lines = _lines(model, ui, renderer, width, now)
    needs = renderer.spans(
        say(
            "This window is {w}×{h}. Make it at least {needs}.",
            w=width,
            h=height,
            needs=f"{LEAST_WIDTH}×{LEAST_HEIGHT}",
        ),
        "minor",
    )
    lines += wrapped(needs, width) if width > 0 else []
    canvas.lines(0, 0, lines[: max(0, height - 1)], width)
    question = renderer.spans(ui.asking.question, "warn") if ui.asking else []
    canvas.spans(0, height - 1, [*question, ("key", "> "), ("", renderer.safe(ui.typed))])
    return Screenful(canvas.rows())


def _lines(model: Model, ui: Ui, renderer: PhraseRenderer, width: int, now: float) -> panes.Lines:
    """Return the lines, the most important first."""
    told: panes.Lines = []
    told += [renderer.spans(line.phrase) for line in ui.aside]
    awaited = status.waiting_phrase(model, now) or status.due(model)
    if ui.note not in (None, awaited):
        told.append(renderer.spans(ui.note, "warn"))
    due = renderer.spans(awaited, "head")
    left = status.seconds_left(model, now)
    told.append(due if left is None else [*due, ("key", renderer.text(say(" {n} s ", n=left)))])
    choices: list[Span] = []
    for at, item in enumerate(items(model)):
        number = item.seat + 1 if isinstance(item, Sit) else at + 1
        shown = choice_spans(item, model, renderer)
        if isinstance(item, Card) and model.is_my_turn and not card_actions(model, item):
            shown = [("dim", "("), *shown, ("dim", ")")]  # illegal now
        mark = "<  " if ui.cursor == at else "  "
        choices += [("key", f"{number}) "), *shown, ("key", mark)]
    told.append(choices)
    if held_cards(model) and not any(isinstance(item, Card) for item in items(model)):
        own: list[Span] = renderer.spans(say("Your hand: {cards}", cards=held_cards(model)))
        told.append(own)
    trick = model.shown_trick
    if trick is not None:
        table: list[Span] = []
        for play in trick.plays:
            known = model.known_down(trick).get(play.seat)
            card = [("back", renderer.look.frame.back * 2)]
            if play.card is not None:
                card = [renderer.card(play.card)]
            elif known is not None:
                card = renderer.spans(say("{card} face down", card=known))
            table += [("", f"{renderer.name(play.seat)} "), *card, ("", "  ")]
        told.append(table)
    told += [
        _empty_seat(model, renderer),
        renderer.spans(status.contract(model)),
        status.points(model, renderer),
    ]
    lines: panes.Lines = []
    for spans in told:
        lines += wrapped(spans, max(1, width)) if spans else []
    return lines


def _empty_seat(model: Model, renderer: PhraseRenderer) -> list[Span]:
    """Return the open cards of the seat that is played without its player."""
    emptied = model.emptied
    if emptied is None or not emptied.cards:
        return []
    cards = tuple(held(emptied.cards))
    return renderer.spans(
        say("{who} is absent, open cards: {cards}", who=Who(emptied.seat), cards=cards)
    )
