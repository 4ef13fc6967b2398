"""Pictures of the screen for the documents. usage: scripts/dev pictures [--check]

Pages are shown in a terminal emulator, through the same output as on a real terminal, and each
screen is written as SVG into ``docs/pictures/``. ``--check`` changes nothing and fails where a
picture is out of date.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

from pyte.screens import Char

from p2p304.learn.lessons import LESSONS
from p2p304.learn.page import LessonPage
from p2p304.learn.run import LessonRun
from p2p304.rules.core.phrases import verbatim
from p2p304.table.state import events
from p2p304.ui.common.settings import Controls, Pace
from p2p304.ui.common.theme import LookSettings, look_for
from p2p304.ui.fullscreen.lobby.offer import Known, Offer
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.reducer import Change
from p2p304.ui.terminal.frame import Page
from tests.support.paths import ROOT
from tests.support.screen import scenes
from tests.support.screen.emulator import Emulated

PICTURES = ROOT / "docs" / "pictures"
LOOK = look_for(LookSettings(), {}, "utf-8")
CELL_W, CELL_H, SIZE = 8.4, 18, 14
"""Pixels of a character cell, and of the type in it."""
GROUND, INK = "1e1e1e", "d4d4d4"
OFFERS = (
    Offer("a", "Friday", "Asha", "pagat", 2, 4, "192.0.2.7:40304", Known.MET, "2026-11-13"),
    Offer("b", "Upstairs", "Bandu", "catsatcards", 1, 4, "192.0.2.9:40111", Known.NEW),
    Offer("c", "Aunties", "Dilan", "fives", 3, 4, "192.0.2.12:40900", Known.STRANGER),
)


def desk(seed: int, seat: int, when: Callable[[Change, Model], bool]) -> TablePage:
    """A desk on which a played hand has come to a moment."""
    page = TablePage(Model(me=scenes.NICKS[seat]), LOOK, pace=Pace(0, 0))
    for number, change in enumerate(scenes.evening(seed, seat, scenes.club())):
        page.tell(change, number * 0.021)
        if when(change, page.model):
            return page
    raise LookupError("the hand has no such moment")


def lobby() -> tuple[Page[Any], str, tuple[int, int]]:
    hall = LobbyPage("Ravi", LOOK)
    hall.begun(
        (
            verbatim("Listening on 192.0.2.5, TCP port 40304."),
            verbatim("Searching for tables on 192.0.2.5 (mDNS, UDP port 5353)."),
        ),
        0.0,
    )
    hall.found(OFFERS)
    return hall, "", (80, 18)


def following(change: Change, model: Model) -> bool:
    """The player has to follow, last of the four, in the second trick or later."""
    trick = model.shown_trick
    return (
        isinstance(change, events.YourTurn)
        and len(model.done_tricks) >= 1
        and model.view is not None
        and trick is not None
        and len(trick.plays) == 3
    )


def table() -> tuple[Page[Any], str, tuple[int, int]]:
    return desk(14, 2, following), "", (80, 26)


def proofs() -> tuple[Page[Any], str, tuple[int, int]]:
    """The same moment where there is room for the proofs."""
    return desk(14, 2, following), "", (100, 36)


def result() -> tuple[Page[Any], str, tuple[int, int]]:
    return desk(14, 3, lambda c, m: isinstance(c, events.NextHand)), "", (80, 26)


def lesson() -> tuple[Page[Any], str, tuple[int, int]]:
    """The first lesson, where the learner is to cut."""
    page = LessonPage(LessonRun(LESSONS[0]), "Ravi", LOOK, str, Controls(), Pace(0, 0))
    while page.run.step.do != "~AH":
        page.press("n", 0.0)
    return page, "", (80, 24)


WANTED = {"lobby": lobby, "table": table, "proofs": proofs, "result": result, "lesson": lesson}


def svg(screen: Emulated) -> str:
    """The emulator's screen as SVG: a rectangle for each ground, a text for each run."""
    width, height = screen.screen.columns, screen.screen.lines
    w, h = round(width * CELL_W, 1), height * CELL_H
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}">',
        f'<rect width="100%" height="100%" fill="#{GROUND}"/>',
        f'<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}">',
    ]
    for y in range(height):
        row = [screen.screen.buffer[y][x] for x in range(width)]
        parts += [*_grounds(row, y), *_texts(row, y)]
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


def _colours(cell: Char) -> tuple[str, str]:
    ink = INK if cell.fg == "default" else cell.fg
    ground = GROUND if cell.bg == "default" else cell.bg
    return (ground, ink) if cell.reverse else (ink, ground)


def _runs(row: list[Char], key: Callable[[Char], object]) -> Iterator[tuple[int, list[Char]]]:
    x = 0
    for _, group in groupby(row, key):
        cells = list(group)
        yield x, cells
        x += len(cells)


def _grounds(row: list[Char], y: int) -> Iterator[str]:
    for x, cells in _runs(row, lambda cell: _colours(cell)[1]):
        ground = _colours(cells[0])[1]
        place = f'x="{x * CELL_W:.1f}" y="{y * CELL_H}" width="{len(cells) * CELL_W:.1f}"'
        if ground != GROUND:
            yield f'<rect {place} height="{CELL_H}" fill="#{ground}"/>'


def _texts(row: list[Char], y: int) -> Iterator[str]:
    for x, cells in _runs(row, lambda c: (_colours(c)[0], c.bold, c.data == " ")):
        text = escape("".join(cell.data for cell in cells))
        width = f'textLength="{len(cells) * CELL_W:.1f}" lengthAdjust="spacingAndGlyphs"'
        weight = ' font-weight="bold"' if cells[0].bold else ""
        ink = f'fill="#{_colours(cells[0])[0]}"{weight}'
        if text.strip():
            yield f'<text x="{x * CELL_W:.1f}" y="{y * CELL_H + 14}" {width} {ink}>{text}</text>'


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/dev pictures", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if out of date")
    check = parser.parse_args().check
    stale = []
    for name, wanted in WANTED.items():
        page, typed, size = wanted()
        shown = Emulated(*size)
        shown.show(page, dict(LOOK.styles), typed)
        path, text = PICTURES / f"{name}.svg", svg(shown)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not check:
                PICTURES.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
    for name in stale:
        sys.stdout.write(f"docs/pictures/{name}.svg {'is out of date' if check else 'written'}\n")
    sys.exit(1 if check and stale else 0)


if __name__ == "__main__":
    main()
