"""The renderer: model and screen state to rows of styled text, for any size of window.

Owns the layout. Pure: the same values give the same rows. Below 80×24 it says what it needs and
tells the table in plain lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p304.rules.cards import Card
from p2p304.ui.screen import cards, outcome, panes, status
from p2p304.ui.screen.canvas import Box, Canvas, Span, spans_width, width_of, wrapped
from p2p304.ui.screen.commands import ABOUT_PLAY
from p2p304.ui.screen.felt import Felt
from p2p304.ui.screen.handrow import HandRow, Hit, choice_spans, draw_choices
from p2p304.ui.screen.helping import help_phrases
from p2p304.ui.screen.intents import Sit
from p2p304.ui.screen.menu import KEYS, NAMES, Command, Keys, entries
from p2p304.ui.screen.model import Model, Stage
from p2p304.ui.screen.phrases import say
from p2p304.ui.screen.state import Pane, Ui, card_actions, items
from p2p304.ui.screen.voice import Voice

LEAST_WIDTH, LEAST_HEIGHT = 80, 24
WIDEST_TABLE = 100
"""Columns: farther apart the players would no longer sit at one table."""
WIDE_ENOUGH = 64
"""Columns of the table from which on a pane stands over it and leaves the log to be read."""
_FOOTER = (
    (Command.MENU, say("menu")),
    (Command.HELP, say("help")),
    (Command.LAST, say("last trick")),
    (Command.BEHIND, say("behind it")),
    (Command.HINT, say("hint")),
    (Command.SHEET, say("match sheet")),
    (Command.LOG, say("log")),
)
Rows = tuple[tuple[Span, ...], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenful: rows of spans, and what a click on a box points at (menu entries where the
    menu is open, else items)."""

    rows: Rows
    hits: tuple[Hit, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join("".join(text for _, text in row).rstrip() for row in self.rows)


def fits(width: int, height: int) -> bool:
    return width >= LEAST_WIDTH and height >= LEAST_HEIGHT


def render(
    model: Model, ui: Ui, voice: Voice, width: int, height: int, now: float, keys: Keys = KEYS
) -> Picture:
    """The screen of ``width`` × ``height`` cells at ``now`` (seconds)."""
    if not fits(width, height):
        return _small(model, ui, voice, width, height, now)
    return _Screen(model, ui, voice, Canvas(width, height, voice.look.frame.dots), now, keys).draw()


@dataclass(slots=True)
class _Screen:
    """One drawing."""

    model: Model
    ui: Ui
    voice: Voice
    canvas: Canvas
    now: float
    keys: Keys
    hits: list[Hit] = field(default_factory=list)

    def draw(self) -> Picture:
        canvas = self.canvas
        side = self._side_width()
        main = canvas.width - side - 1
        hand = self._hand_height(main)
        table = Box(0, 2, main, canvas.height - 2 - hand - 4)
        self._head()
        wide = min(main, WIDEST_TABLE)
        felt = Box((main - wide) // 2, table.y, wide, table.h)
        Felt(self.model, self.voice, canvas, felt).draw()
        row = HandRow(
            self.model, self.ui, self.voice, canvas, Box(0, table.y + table.h, main, hand)
        )
        row.draw()
        foot = canvas.height - 4
        canvas.under(Box(0, 2, main, foot - 2), "felt")
        choices = draw_choices(self.model, self.ui, self.voice, canvas, Box(0, foot, main, 1))
        self.hits = [*row.hits, *choices]
        self._side(Box(main + 1, 2, side, canvas.height - 5))
        self._foot(foot + 1)
        if self.ui.pane is not None:
            room = main if main >= WIDE_ENOUGH else canvas.width
            self._pane(Box(0, 1, room, canvas.height - 4))
        return Picture(canvas.rows(), tuple(self.hits))

    def _side_width(self) -> int:
        """The log pane: a third of the window, and never what the table needs."""
        return max(26, min(self.canvas.width // 3, 64))

    def _hand_height(self, width: int) -> int:
        """Lines for the own hand: one for a raised card, the card, one for its number."""
        count = max(1, self.model.hand.options.tricks if self.model.hand else 8)
        room = self.canvas.height
        size = cards.size_for(count, width, room // 6 + 1)
        return size.h + 2

    def _head(self) -> None:
        canvas, voice = self.canvas, self.voice
        canvas.put(0, 0, " " * canvas.width, "title")
        x = canvas.spans(0, 0, status.title(self.model, voice))
        tokens = status.tokens(self.model, voice, canvas.width - x - 2)
        canvas.spans(max(x, canvas.width - spans_width(tokens)), 0, tokens)
        canvas.spans(1, 1, status.contract(self.model, voice))
        points = status.points(self.model, voice)
        canvas.spans(canvas.width - spans_width(points) - 1, 1, points)

    def _side(self, box: Box) -> None:
        """The log; in high windows the last trick and what went on behind it, too."""
        for y in range(box.y, box.y + box.h):
            self.canvas.put(box.x - 1, y, self.voice.look.frame.down, "frame")
        parts = [(None, panes.log_lines(self.model, self.voice, box.w - 1, box.h))]
        parted = self.canvas.height >= 36 and self.model.stage is not Stage.GATHERING
        if parted:
            lower = panes.behind(self.model, self.voice, box.w - 1, box.h)
            trick = panes.last_trick(self.model, self.voice, box.w - 1)
            self._part(Box(box.x, box.y, box.w, 6), Pane.LAST, trick)
            room = box.h - 6
            self._part(
                Box(box.x, box.y + 6 + room // 2, box.w, room - room // 2), Pane.BEHIND, lower
            )
            box = Box(box.x, box.y + 6, box.w, room // 2)
        self._part(box, Pane.LOG if parted else None, parts[0][1])

    def _part(self, box: Box, pane: Pane | None, lines: panes.Lines) -> None:
        """The end of some lines, under their title."""
        y, room = box.y, box.h
        if pane is not None:
            title = self.voice.text(panes.TITLES[pane])
            self.canvas.put(box.x, y, title, "key", box.w - 1)
            y, room = y + 1, room - 1
        shown = lines[:room] if pane is Pane.LAST else lines[-room:] if room > 0 else []
        for row, line in enumerate(shown):
            self.canvas.spans(box.x, y + row, line, box.w - 1)

    def _foot(self, y: int) -> None:
        """Three lines: the message, what is typed or asked, the keys; a long sentence takes two,
        and the keys give way."""
        canvas, width = self.canvas, self.canvas.width
        clock = self._clock()
        room = spans_width(clock)
        message = wrapped(self._message(), max(1, width - 2 - room)) or [[]]
        asked = self._asked(max(1, width - 2))
        lines = [*message[: max(1, 3 - len(asked))], *asked][:3]
        for row, line in enumerate(lines if len(lines) == 3 else [*lines, self._keys()]):
            canvas.spans(1, y + row, line, width - 2)
        canvas.spans(width - 1 - room, y, clock)

    def _asked(self, width: int) -> panes.Lines:
        """A question that y or n answers, else the end of the typed line."""
        asking, voice = self.ui.asking, self.voice
        if asking is not None:
            question = [*voice.spans(asking.question, "warn"), ("key", "  y / n ")]
            return wrapped(question, width)
        typed = voice.safe(self.ui.typed)
        while width_of(typed) > width - 3:
            typed = typed[1:]
        return [[("key", "> "), ("", typed), ("chosen", " ")]]

    def _clock(self) -> list[Span]:
        """What is left of the turn, at the right of the message line."""
        left = status.seconds_left(self.model, self.now)
        if left is None:
            return []
        text = self.voice.text(say(" {n} s ", n=left))
        mine = self.model.my_turn
        return [("turn" if mine and left <= status.HURRY else "key" if mine else "minor", text)]

    def _message(self) -> list[Span]:
        voice = self.voice
        if self.ui.note is not None:
            return voice.spans(self.ui.note, "warn")
        if self.ui.hint is not None:
            return voice.spans(self.ui.hint, "good")
        waiting = status.waited(self.model, self.now)
        if waiting is not None:
            return voice.spans(waiting, "warn")
        told = status.due(self.model)
        style = "warn" if self.model.stopped else "head" if self.model.my_turn else ""
        return voice.spans(told, style)

    def _keys(self) -> list[Span]:
        if self.ui.footer is not None:
            return self.voice.spans(self.ui.footer, "key")
        spans: list[Span] = []
        gathering = self.model.stage is Stage.GATHERING
        for command, name in _FOOTER:
            if gathering and command in ABOUT_PLAY:
                continue
            spans += [("key", self.keys[command]), ("minor", f" {self.voice.text(name)}  ")]
        return spans

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
        if area.w == self.canvas.width:  # over all: no letters peep out beside it
            self.canvas.fill(Box(0, box.y, area.w, box.h))
        self._frame(box)
        room = box.h - 2
        start = self._start(pane, len(lines), room)
        self.hits = []
        for row, line in enumerate(lines[start : start + room]):
            self.canvas.spans(box.x + 2, box.y + 1 + row, line, box.w - 4)
            if pane is Pane.MENU:
                self.hits.append(Hit(Box(box.x, box.y + 1 + row, box.w, 1), start + row))
        if start + room < len(lines):
            self.canvas.put(
                box.x + box.w - 4,
                box.y + box.h - 1,
                " v " if self.voice.look.ascii else " ↓ ",
                "key",
            )

    def _start(self, pane: Pane, count: int, room: int) -> int:
        """The first line shown: the log and the steps open at their end."""
        last = max(0, count - room)
        if pane is Pane.MENU:
            return max(0, min(last, self.ui.at - room // 2))
        if pane in (Pane.LOG, Pane.BEHIND):
            return max(0, last - max(0, self.ui.scroll))
        return max(0, min(last, self.ui.scroll))

    def _frame(self, box: Box) -> None:
        look, canvas = self.voice.look, self.canvas
        frame = look.frame
        canvas.fill(box, " ", "pane")
        top = frame.corners[0] + frame.across * (box.w - 2) + frame.corners[1]
        bottom = frame.corners[2] + frame.across * (box.w - 2) + frame.corners[3]
        canvas.put(box.x, box.y, top, "frame")
        canvas.put(box.x, box.y + box.h - 1, bottom, "frame")
        for y in range(box.y + 1, box.y + box.h - 1):
            canvas.put(box.x, y, frame.down, "frame")
            canvas.put(box.x + box.w - 1, y, frame.down, "frame")
        if self.ui.pane is not None:
            name = self.voice.text(panes.TITLES[self.ui.pane])
            canvas.put(box.x + 2, box.y, f" {name} ", "head", box.w - 4)

    def _pane_lines(self, pane: Pane, width: int) -> panes.Lines:
        model, voice = self.model, self.voice
        match pane:
            case Pane.HELP:
                lines: panes.Lines = []
                for phrase in help_phrases(model):
                    lines += wrapped(voice.spans(phrase), width)
                return [*lines, *self._key_lines()]
            case Pane.MENU:
                return self._menu_lines()
            case Pane.LAST:
                return panes.last_trick(model, voice, width)
            case Pane.BEHIND:
                return panes.behind(model, voice, width)
            case Pane.SHEET:
                return panes.sheet(model, voice, width)
            case Pane.HANDS:
                return outcome.hands(model, voice, width)
            case Pane.RULES:
                return panes.rules(model, voice, width)
            case Pane.RESULT:
                return outcome.result(model, voice, width)
            case Pane.LOG:
                return panes.log_lines(model, voice, width)
            case Pane.CAPS:
                return panes.caps(self.ui.order, self.ui.at, self.ui.lifted, voice, width)

    def _key_lines(self) -> panes.Lines:
        """Every key with what it does."""
        return [
            [("key", f"{key:>4} "), *self.voice.spans(NAMES[command], "minor")]
            for command, key in self.keys.items()
        ]

    def _menu_lines(self) -> panes.Lines:
        lines: panes.Lines = []
        for number, entry in enumerate(entries(self.model, self.ui)):
            key = self.keys.get(entry.does, "") if isinstance(entry.does, Command) else ""
            name = self.voice.spans(entry.name)
            if number == self.ui.at:
                name = [("chosen", text) for _, text in name]
            lines.append([("key", f"{key:>4} "), *name])
        return lines


# Small windows


def _small(model: Model, ui: Ui, voice: Voice, width: int, height: int, now: float) -> Picture:
    """What the table needs, and what goes on in plain lines, as much as there is room for; the
    line being typed always shows."""
    canvas = Canvas(width, height, voice.look.frame.dots)
    lines = _plain(model, ui, voice, width, now)
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
    return Picture(canvas.rows())


def _plain(model: Model, ui: Ui, voice: Voice, width: int, now: float) -> panes.Lines:
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
    told += [status.contract(model, voice), status.points(model, voice)]
    lines: panes.Lines = []
    for spans in told:
        lines += wrapped(spans, max(1, width)) if spans else []
    return lines
