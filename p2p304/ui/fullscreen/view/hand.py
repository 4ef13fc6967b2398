"""The lower part of the screen: the player's hand and the choices.

Responsible for drawing cards and choices, and for which of them a click hits. The lines below are
footer.py's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p304.rules.core.cards import Card
from p2p304.ui.common.text_width import width_of
from p2p304.ui.fullscreen.model.ui_state import Item, Ui, card_actions, held, items, pointed, words
from p2p304.ui.guidance.choice_phrases import describe
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.terminal import card_art
from p2p304.ui.terminal.canvas import Box, Canvas, Span, spans_width
from p2p304.ui.terminal.frame import Hit


@dataclass(slots=True)
class HandView:
    """Draws the hand into ``box`` (its first line is for the selected card)."""

    model: Model
    ui: Ui
    renderer: PhraseRenderer
    canvas: Canvas
    box: Box
    hits: list[Hit] = field(default_factory=list)

    def draw(self) -> None:
        mine = held(self.model)
        size = card_art.size_for(len(mine), self.box.w, self.box.h - 2)
        step = card_art.step_for(size, len(mine), self.box.w)
        if step is None:
            self._as_text(mine)
            return
        width = step * (len(mine) - 1) + size.w
        x = self.box.x + max(0, (self.box.w - width) // 2)
        for number, card in enumerate(mine):
            self._card(number, card, x + number * step, size, step)

    def _card(self, number: int, card: Card, x: int, size: card_art.Size, step: int) -> None:
        model, here = self.model, pointed(self.model, self.ui) is card
        open_now = bool(card_actions(model, card))
        y = self.box.y + (0 if here else 1)
        lying = model.view is not None and card is model.view.indicator
        dim = model.is_my_turn and not open_now and bool(is_card_to_choose(model))
        plain = "face-dim" if dim else "face-edge"
        edge = "face-here" if here else "face-legal" if open_now else plain
        card_art.draw(
            self.canvas, self.renderer.look, x, y, size, card, "face-dim" if dim else "", edge
        )
        self._label(number, card, x, size, lying=lying, open_now=open_now)
        if card in items(model):  # else its number is that of a word, as of a bid
            self.hits.append(Hit(Box(x, self.box.y, step, self.box.h), number))

    def _label(
        self, number: int, card: Card, x: int, size: card_art.Size, *, lying: bool, open_now: bool
    ) -> None:
        """Draw the label under a card: its number, that it is queued, or that it lies on the
        table."""
        y = self.box.y + 1 + size.h
        mark = self.renderer.look.frame.pointer if open_now else " "
        style = "key" if open_now else "minor"
        if self.ui.queued is card:
            self.canvas.put(x, y, self.renderer.say("next"), "good", size.w)
        elif lying:
            shown = f"{mark}{number + 1}" if card in items(self.model) else ""
            text = f"{shown} {self.renderer.say('down')}".strip()
            last = self.box.x + self.box.w - width_of(text)  # the word stands beside no log
            self.canvas.put(min(x, last), y, text, style)
        elif card in items(self.model):
            self.canvas.put(x + size.w // 2 - 1, y, f"{mark}{number + 1}", style)

    def _as_text(self, mine: tuple[Card, ...]) -> None:
        x = self.box.x
        for card in mine:
            x = self.canvas.spans(x, self.box.y, [self.renderer.card(card), ("", " ")])


def is_card_to_choose(model: Model) -> bool:
    """Whether a card is to be chosen now."""
    return any(card_actions(model, card) for card in held(model))


def choice_spans(item: Item, model: Model, renderer: PhraseRenderer) -> list[Span]:
    """Return a choice as it stands in the row of choices."""
    if isinstance(item, Card):
        return [renderer.card(item)]
    return renderer.spans(describe(item, model))


def draw_choices(
    model: Model, ui: Ui, renderer: PhraseRenderer, canvas: Canvas, box: Box
) -> list[Hit]:
    """Draw the choices in one line (two if there is room), scrolled to the cursor."""
    hits: list[Hit] = []
    choices = items(model)
    spoken = words(model)
    first = len(choices) - len(spoken)
    buttons = [[("", " "), *choice_spans(item, model, renderer), ("", " ")] for item in spoken]
    start = _first_shown(buttons, max(0, (ui.cursor or 0) - first), box.w * box.h)
    x, y = box.x, box.y
    for number in range(start, len(buttons)):
        width = spans_width(buttons[number])
        if x + width > box.x + box.w:
            x, y = box.x, y + 1
        if y >= box.y + box.h:
            canvas.put(box.x + box.w - 1, box.y + box.h - 1, renderer.look.frame.pointer, "key")
            break
        here = ui.cursor == first + number
        shown = (
            [("chosen", text) for _, text in buttons[number]]
            if here
            else [(style or "legal", text) for style, text in buttons[number]]
        )
        end = canvas.spans(x, y, shown, box.x + box.w - x)
        hits.append(Hit(Box(x, y, width, 1), first + number))
        x = end + 1
    if start:
        canvas.put(box.x, box.y, renderer.look.frame.pointer_back, "key")
    return hits


def _first_shown(buttons: list[list[Span]], at: int, room: int) -> int:
    """Return the first button to draw, so that the one at the cursor is drawn."""
    widths = [spans_width(button) + 1 for button in buttons]
    start = 0
    while start < at and sum(widths[start : at + 1]) > room:
        start += 1
    return start
