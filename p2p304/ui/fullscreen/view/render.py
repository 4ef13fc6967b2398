"""Renders model and screen state as rows of styled text, for any size of window.

Responsible for the layout. Pure: the same values give the same rows. Windows below 80×24 are
compact.py's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from p2p304.ui.common.key_map import KEYS, NAMES, Command, Keys, key_name
from p2p304.ui.fullscreen.input.commands import PANES
from p2p304.ui.fullscreen.input.menu import entries, possible
from p2p304.ui.fullscreen.model import result_lines
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.view import compact, panes
from p2p304.ui.fullscreen.view.footer import Footer
from p2p304.ui.fullscreen.view.hand import HandView, draw_choices
from p2p304.ui.fullscreen.view.table import TableView
from p2p304.ui.guidance import status
from p2p304.ui.guidance.help import help_phrases
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.terminal import card_art
from p2p304.ui.terminal.canvas import Box, Canvas, spans_width, wrapped
from p2p304.ui.terminal.frame import Hit, Screenful, fits

WIDEST_TABLE = 100
"""The most columns of the table; wider, the players would be too far apart."""
LEAST_VALUES, LEAST_LOG = 5, 3
"""Lines for what cards are worth, where the log keeps so many."""
LEAST_FOR_EIGHT = 12
"""Lines in which the cards of seven or eight players do not cover each other."""
WIDE_ENOUGH = 64
"""Columns of the table from which a pane covers the table and leaves the log visible."""


def render(
    model: Model,
    ui: Ui,
    renderer: PhraseRenderer,
    width: int,
    height: int,
    now: float,
    keys: Keys = KEYS,
) -> Screenful:
    """Render the screen of ``width`` × ``height`` cells at ``now`` (seconds)."""
    if not fits(width, height):
        return compact.draw(model, ui, renderer, width, height, now)
    return _Screen(
        model, ui, renderer, Canvas(width, height, renderer.look.frame.dots), now, keys
    ).draw()


_LINES: dict[Pane, Callable[[Model, PhraseRenderer, int], panes.Lines]] = {
    Pane.LAST: panes.last_trick,
    Pane.PROOFS: panes.proof_log,
    Pane.SHEET: panes.match_sheet,
    Pane.HANDS: result_lines.hands,
    Pane.RULES: panes.rules,
    Pane.RESULT: result_lines.result,
    Pane.LOG: panes.log_lines,
    Pane.CODE: panes.spoken_code,
}
"""The contents of panes that show the model alone."""


@dataclass(slots=True)
class _Screen:
    """One drawing."""

    model: Model
    ui: Ui
    renderer: PhraseRenderer
    canvas: Canvas
    now: float
    keys: Keys
    hits: list[Hit] = field(default_factory=list)

    def draw(self) -> Screenful:
        canvas = self.canvas
        side = self._side_width()
        main = canvas.width - side - 1
        gathers = self.model.stage is Stage.GATHERING  # there are no cards yet
        hand = 0 if gathers else self._hand_height(main)
        table = Box(0, 2, main, canvas.height - 2 - hand - 4)
        self._head()
        wide = min(main, WIDEST_TABLE)
        table_box = Box((main - wide) // 2, table.y, wide, table.h)
        TableView(self.model, self.renderer, canvas, table_box).draw(self.ui.pane is not Pane.CODE)
        row = HandView(
            self.model, self.ui, self.renderer, canvas, Box(0, table.y + table.h, main, hand)
        )
        if not gathers:
            row.draw()
        footer_row = canvas.height - 4
        canvas.under(Box(0, 2, main, footer_row - 2), "felt")
        choices = draw_choices(
            self.model, self.ui, self.renderer, canvas, Box(0, footer_row, main, 1)
        )
        self.hits = [*row.hits, *choices]
        self._side(Box(main + 1, 2, side, canvas.height - 5))
        Footer(self.model, self.ui, self.renderer, canvas, self.now, self.keys).draw(footer_row + 1)
        if self.ui.pane is not None:
            room = main if main >= WIDE_ENOUGH or self.ui.aside else canvas.width
            self._pane(Box(0, 1, room, canvas.height - 4))
        return Screenful(canvas.rows(), tuple(self.hits))

    def _side_width(self) -> int:
        """Return the width of the log pane: a third of the window, and never what the table
        needs."""
        return max(26, min(self.canvas.width // 3, 64))

    def _hand_height(self, width: int) -> int:
        """Return the lines for the own hand: one for a raised card, the card, one for its
        number."""
        count = max(1, self.model.hand.options.tricks if self.model.hand else 8)
        most = self.canvas.height // 6 + 1
        if self.model.seats > 6:  # two cards above each other at each edge need more lines
            most = min(most, self.canvas.height - 6 - LEAST_FOR_EIGHT - 2)
        return card_art.size_for(count, width, most).h + 2

    def _head(self) -> None:
        canvas, renderer = self.canvas, self.renderer
        canvas.put(0, 0, " " * canvas.width, "title")
        for title in status.titles(self.model, renderer):
            room = canvas.width - spans_width(title)
            tokens = status.tokens(self.model, renderer, room - 2)
            if spans_width(tokens) < room:
                break
        canvas.spans(0, 0, title)
        canvas.spans(canvas.width - min(room, spans_width(tokens)), 0, tokens)
        style = "" if self.model.hand is not None else "minor"
        contract = renderer.fitted(status.contract(self.model), canvas.width - 2, style)
        canvas.spans(1, 1, contract, canvas.width - 2)
        points = [] if self._has_points_aside() else status.points(self.model, renderer)
        canvas.spans(canvas.width - spans_width(points) - 1, 1, points)

    def _has_points_aside(self) -> bool:
        """Whether the points stand above the log, because the contract leaves no room for them."""
        points = status.points(self.model, self.renderer)
        contract = self.renderer.spans(status.contract(self.model))
        return spans_width(contract) + spans_width(points) + 4 > self.canvas.width

    def _side(self, box: Box) -> None:
        """Draw the log and what cards are worth; in high windows also the last trick and the proof
        log."""
        for y in range(box.y, box.y + box.h):
            self.canvas.put(box.x - 1, y, self.renderer.look.frame.down, "frame")
        if self.ui.aside:
            aside = panes.aside(self.ui.aside, self.renderer, box.w - 1)
            self._part(Box(box.x, box.y, box.w, len(aside)), None, aside)
            box = Box(box.x, box.y + len(aside) + 1, box.w, max(0, box.h - len(aside) - 1))
        if self._has_points_aside():
            points = wrapped(status.points(self.model, self.renderer), box.w - 1)
            self._part(Box(box.x, box.y, box.w, len(points)), None, points)
            line = self.renderer.look.frame.across * (box.w - 1)
            self.canvas.put(box.x, box.y + len(points), line, "frame")
            box = Box(box.x, box.y + len(points) + 1, box.w, max(0, box.h - len(points) - 1))
        box = self._values(box)
        high = self.canvas.height >= 36 and not self.ui.aside
        parted = high and self.model.stage is not Stage.GATHERING
        if parted:
            lower = panes.proof_log(self.model, self.renderer, box.w - 1, box.h)
            trick = panes.last_trick(self.model, self.renderer, box.w - 1)
            first = max(6, self.model.seats + 1)  # a card of every player, under the title
            self._part(Box(box.x, box.y, box.w, first), Pane.LAST, trick)
            y, room = box.y + first, box.h - first
            self._part(Box(box.x, y + room // 2, box.w, room - room // 2), Pane.PROOFS, lower)
            box = Box(box.x, y, box.w, room // 2)
        lines = panes.log_lines(self.model, self.renderer, box.w - 1, box.h - parted)
        self._part(box, Pane.LOG if parted else None, lines)

    def _values(self, box: Box) -> Box:
        """Draw what cards are worth at the end of the box; returns the rest of it."""
        if not self.ui.has_values:
            return box
        most = max(0, min(max(LEAST_VALUES, box.h * 2 // 5), box.h - LEAST_LOG))
        lines = panes.card_values(self.model, self.renderer, box.w - 1, most)
        if not lines:
            return box
        top = box.y + box.h - len(lines)
        line = self.renderer.look.frame.across * (box.w - 1)
        self.canvas.put(box.x, top - 1, line, "frame")
        self.canvas.lines(box.x, top, lines, box.w - 1)
        return Box(box.x, box.y, box.w, box.h - len(lines) - 1)

    def _part(self, box: Box, pane: Pane | None, lines: panes.Lines) -> None:
        """Draw the end of some lines, under their title."""
        y, room = box.y, box.h
        if pane is not None:
            title = self.renderer.text(panes.TITLES[pane])
            self.canvas.put(box.x, y, title, "key", box.w - 1)
            y, room = y + 1, room - 1
        shown = lines[:room] if pane is Pane.LAST else lines[-room:] if room > 0 else []
        self.canvas.lines(box.x, y, shown, box.w - 1)

    # Panes

    def _pane(self, area: Box) -> None:
        pane = self.ui.pane
        if pane is None:
            return
        width = min(area.w - 4, 76 if area.w < 120 else 90)
        lines = self._pane_lines(pane, width - 4)
        height = min(area.h, len(lines) + 2)
        box = Box(
            area.x + (area.w - width) // 2, area.y + max(0, (area.h - height) // 2), width, height
        )
        self.canvas.fill(Box(0, box.y, area.w, box.h))  # nothing of the table shows beside it
        self._frame(box)
        room = box.h - 2
        start = self._start(pane, len(lines), room)
        self.hits = []
        items = range(len(lines) if pane is Pane.MENU else 0)
        if pane is Pane.END:
            items = panes.end(self.model, self.ui.at, self.renderer, width - 4)[1]
        for row, line in enumerate(lines[start : start + room]):
            self.canvas.spans(box.x + 2, box.y + 1 + row, line, box.w - 4)
            if start + row in items:
                hit = Box(box.x, box.y + 1 + row, box.w, 1)
                self.hits.append(Hit(hit, items.index(start + row)))
        if start + room < len(lines):
            self.canvas.put(
                box.x + box.w - 4,
                box.y + box.h - 1,
                " v " if self.renderer.look.ascii else " ↓ ",
                "key",
            )

    def _start(self, pane: Pane, count: int, room: int) -> int:
        """Return the first line to show: the log and the proof log open at their end."""
        last = max(0, count - room)
        if pane is Pane.MENU:
            return max(0, min(last, self.ui.at - room // 2))
        if pane in (Pane.LOG, Pane.PROOFS):
            return max(0, last - max(0, self.ui.scroll))
        return max(0, min(last, self.ui.scroll))

    def _frame(self, box: Box) -> None:
        canvas = self.canvas
        canvas.fill(box, " ", "pane")
        canvas.frame(box, self.renderer.look.frame, "frame")
        if self.ui.pane is not None:
            name = self.renderer.text(panes.title(self.ui.pane, self.model))
            canvas.put(box.x + 2, box.y, f" {name} ", "head", box.w - 4)

    def _pane_lines(self, pane: Pane, width: int) -> panes.Lines:
        model, renderer = self.model, self.renderer
        match pane:
            case Pane.HELP:
                return [*renderer.wrapped(width, *help_phrases(model)), *self._key_lines()]
            case Pane.MENU:
                return self._menu_lines()
            case Pane.END:
                return panes.end(model, self.ui.at, renderer, width)[0]
            case Pane.CAPS:
                return panes.caps(self.ui.order, self.ui.at, self.ui.lifted, renderer, width)
        return _LINES[pane](model, renderer, width)

    def _key_lines(self) -> panes.Lines:
        """Return the keys that do something now; in a replay those that show something."""
        here = possible(self.model, self.ui)
        shows = (*PANES, Command.VALUES) if self.model.is_replay else here
        return [
            [("key", f"{key_name(key):>6} "), *self.renderer.spans(NAMES[command], "minor")]
            for command, key in self.keys.items()
            if key and command in shows
        ]

    def _menu_lines(self) -> panes.Lines:
        lines: panes.Lines = []
        for number, entry in enumerate(entries(self.model, self.ui)):
            key = self.keys.get(entry.does, "") if isinstance(entry.does, Command) else ""
            name = self.renderer.spans(entry.name)
            if number == self.ui.at:
                name = [("chosen", text) for _, text in name]
            lines.append([("key", f"{key_name(key):>6} "), *name])
        return lines
