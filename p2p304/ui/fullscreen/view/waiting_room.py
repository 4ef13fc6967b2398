"""The waiting room: the players here, how others come, and the code that all compare aloud.

Responsible for drawing these into a rectangle of cells. Which visitors get a seat is the table's to
decide.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Place, say
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.text_width import width_of
from p2p304.ui.common.wording import partners
from p2p304.ui.fullscreen.input.menu import may_add_bot
from p2p304.ui.guidance.gathering_phrases import (
    OTHERS_COME,
    asked_for_seat,
    if_somebody_leaves,
    table_codes,
)
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.terminal.canvas import Box, Canvas, Span, spans_width

_FREE = say("(free)")
_DRAWN = say("The seats are drawn when everybody has joined.")
_CHOOSE = say("Choose your seat with the arrow keys or its number, then press Enter.")
_OPPOSITE = say("Partners sit opposite each other.")
_SECOND = say("Partners sit in every second seat.")


def draw(model: Model, renderer: PhraseRenderer, canvas: Canvas, box: Box) -> None:
    """Draw the waiting room, in the middle of the box. How others come stands above the players:
    it is seen however many seats there are. A replay waits for nobody, and a spectator does not
    know which players have come."""
    if model.watches:
        return
    lines: list[list[Span]] = []
    if model.is_replay:
        begins = renderer.spans(say("The game begins here."), "minor")
        canvas.centre(box.x, box.y + box.h // 2, box.w, begins)
        return
    if model.is_visitor:
        for told in asked_for_seat(model):
            lines += [*renderer.wrapped(box.w - 2, told), []]
        _draw_lines(lines, canvas, box)
        return
    room, codes = model.room, table_codes(model)
    if room is not None:
        lines.append([("head", renderer.safe(room.table))])
        lines.append(renderer.spans(say("rules: {rules}", rules=room.rules), "minor"))
    if codes:
        lines += renderer.wrapped(box.w - 2, OTHERS_COME, style="minor")
        lines += [[("key", place)] for place in codes]
    lines.append([])
    seats = _seated(model, renderer) if model.at else _come(model, renderer)
    lines += _in_columns(seats) if len(seats) > 4 else seats
    lines.append([])
    if model.free_seats:
        lines += renderer.wrapped(box.w - 2, _CHOOSE, style="minor")
        if partners(0, model.places):
            pairs = _OPPOSITE if model.places == 4 else _SECOND
            lines.append(renderer.spans(pairs, "minor"))
    if not model.at:
        lines += renderer.wrapped(box.w - 2, _DRAWN, style="minor")
    elif model.dealer is not None:
        first = say("{seat} deals first.", seat=Place(model.dealer))
        lines.append(renderer.spans(first, "minor"))
    leaves = if_somebody_leaves(model)
    if leaves is not None:
        lines += renderer.wrapped(box.w - 2, leaves, style="minor")
    if may_add_bot(model):
        lines.append(
            renderer.spans(
                say("Press {key} to let a bot take a free seat.", key=model.keys[Command.BOT]),
                "minor",
            )
        )
    if model.me is not None:
        back = say("Press {key} to go back to the lobby.", key=model.keys[Command.LOBBY])
        lines.append(renderer.spans(back, "minor"))
    _draw_lines(lines, canvas, box)


def _draw_lines(lines: list[list[Span]], canvas: Canvas, box: Box) -> None:
    """Draw lines in the middle of the box; where there is little room, without empty ones."""
    shown = lines if len(lines) <= box.h else [line for line in lines if line]
    top = box.y + max(0, (box.h - len(shown)) // 2)
    for row, line in enumerate(shown[: box.h]):
        canvas.centre(box.x, top + row, box.w, line)


def _in_columns(seats: list[list[Span]]) -> list[list[Span]]:
    """Return the seats in two columns: the first half on the left."""
    half = (len(seats) + 1) // 2
    widest = max(map(spans_width, seats))
    lines: list[list[Span]] = []
    for number in range(half):
        left, right = seats[number], seats[number + half] if number + half < len(seats) else []
        gap = " " * (widest - spans_width(left) + 3)
        rest = " " * (widest - spans_width(right))
        lines.append([*left, ("", gap), *right, ("", rest)])
    return lines


def _come(model: Model, renderer: PhraseRenderer) -> list[list[Span]]:
    """Return the players here in order of coming: the seats are drawn afterwards."""
    lines = [_name(nick, model, renderer) for nick in model.nicks]
    return lines + [_free(renderer)] * (model.places - len(model.nicks))


def _seated(model: Model, renderer: PhraseRenderer) -> list[list[Span]]:
    """Return every seat with its number and place, and the player who has chosen it."""
    nicks = dict(zip(model.at, model.nicks, strict=True))
    widest = max(width_of(renderer.place(seat)) for seat in range(model.places))
    room = max([width_of(renderer.text(_FREE)), *(width_of(nick) + 2 for nick in model.nicks)])
    lines: list[list[Span]] = []
    for seat in range(model.places):
        place = renderer.place(seat) if model.places == 4 else ""
        who = _name(nicks[seat], model, renderer) if seat in nicks else _free(renderer)
        gap = " " * (widest - width_of(place)) if place else ""
        rest = " " * max(0, room - spans_width(who))
        lines.append([("key", f"{seat + 1} "), ("", f"{place}{gap}  "), *who, ("", rest)])
    return lines


def _name(nick: str, model: Model, renderer: PhraseRenderer) -> list[Span]:
    style = "turn" if nick == model.me else "good"
    return [(style, " "), (style, renderer.safe(nick)), (style, " ")]


def _free(renderer: PhraseRenderer) -> list[Span]:
    return [("dim", renderer.text(_FREE))]


def draw_code(model: Model, renderer: PhraseRenderer, canvas: Canvas, box: Box) -> None:
    """Draw the code where everybody looks, before the first cards, in the lines of ``box``."""
    if not model.code or model.number > 1 or model.me is None or not model.has_people:
        return
    lines = (
        renderer.spans(say("Spoken code: say it aloud and compare")),
        [("turn", f"  {model.code}  ")],
        renderer.spans(say("If the codes differ, leave: somebody is between you."), "minor"),
    )
    for row, line in enumerate(lines[: box.h], box.y + max(0, box.h - len(lines))):
        canvas.centre(box.x, row, box.w, line)
