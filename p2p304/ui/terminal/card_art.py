"""Cards drawn with lines, in three sizes, face up and face down.

Responsible for drawing one card and for the layout of a row. Which card may be seen is not known
here: None is drawn as a back.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.core.cards import Card
from p2p304.ui.common.text_width import clipped, width_of
from p2p304.ui.common.theme import Look
from p2p304.ui.terminal.canvas import Box, Canvas


@dataclass(frozen=True, slots=True)
class Size:
    """Columns and lines of a card."""

    w: int
    h: int


SMALL, MIDDLE, LARGE = Size(5, 3), Size(7, 5), Size(9, 7)
LEAST_STEP = 4
"""The least columns of a card that stay visible where cards overlap."""


def draw(
    canvas: Canvas,
    look: Look,
    x: int,
    y: int,
    size: Size,
    card: Card | None,
    style: str = "",
    edge: str = "face-edge",
    down: str = "",
) -> None:
    """Draw one card; ``style`` replaces the face's colours, ``edge`` is the frame's style; ``down``
    is the word for a card that the others see face down: it stands in the lower edge."""
    frame = look.frame
    edge = "face-back" if card is None else edge
    inside = Box(x + 1, y + 1, size.w - 2, size.h - 2)
    canvas.frame(Box(x, y, size.w, size.h), frame, edge)
    if card is None:
        canvas.fill(inside, frame.back, "face-back")
    if down:
        word = clipped(down, size.w, frame.dots)
        canvas.put(x, y + size.h - 1, " " * size.w, edge)
        canvas.put(x + (size.w - width_of(word)) // 2, y + size.h - 1, word, edge)
    if card is not None:
        _face(canvas, look, inside, card, style)


def _face(canvas: Canvas, look: Look, box: Box, card: Card, style: str) -> None:
    style = style or look.face_style(card.suit)
    name = look.card(card)
    canvas.fill(box, " ", style)
    if box.h == 1:
        canvas.put(box.x, box.y, name.rjust(box.w), style)
        return
    sign = look.suit(card.suit)
    canvas.put(box.x, box.y, name, style)
    canvas.put(box.x + box.w // 2, box.y + box.h // 2, sign, style)
    canvas.put(box.x + box.w - len(name), box.y + box.h - 1, name, style)


def step_for(size: Size, count: int, width: int) -> int | None:
    """Return the columns from one card of a row to the next, overlapping if needed; None if they do
    not fit."""
    if count <= 1:
        return size.w if size.w <= width else None
    step = min(size.w + 1, (width - size.w) // (count - 1))
    return step if step >= LEAST_STEP else None


def size_for(count: int, width: int, height: int, least: int = 1) -> Size:
    """Return the largest size of which ``count`` cards fit side by side in the width and ``least``
    above each other in the height."""
    for size in (LARGE, MIDDLE):
        if size.h * least <= height and count * (size.w + 1) <= width + 1:
            return size
    return SMALL
