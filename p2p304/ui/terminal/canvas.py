"""A grid of character cells: text is put at a position and clipped, never wrapped by accident.

Responsible for widths: a cell may hold a base character with its combining marks, as Sinhala and
Tamil need them, and a wide character takes two cells. It knows nothing of the game, except that the
label of a bot is never cut (bot_labels.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from p2p304.ui.common.text_width import clipped, clusters, is_plain, width_of
from p2p304.ui.common.theme import Frame

Span = tuple[str, str]
"""Names of styles, separated by spaces (a later one overrides), and the text."""
LEAST_NAME = 9
"""Columns for a name with a bot's label."""


def spans_width(spans: Sequence[Span]) -> int:
    return sum(width_of(text) for _, text in spans)


def wrapped(spans: Sequence[Span], width: int) -> list[list[Span]]:
    """Break spans into lines of at most ``width`` columns, at spaces if possible."""
    return [list(line) for line in _wrapped(tuple(spans), width)]


@lru_cache(maxsize=2048)
def _wrapped(spans: tuple[Span, ...], width: int) -> list[list[Span]]:
    lines: list[list[Span]] = [[]]
    used = 0
    for chunk in _chunks(spans):
        columns = spans_width(chunk)
        blank = chunk[0][1] == " "
        if used and used + columns > width:
            lines.append([])
            used = 0
        if blank and used == 0 and (len(lines) > 1 or columns > width):
            continue
        for style, text in chunk:
            for part in _cut(text, width):
                if used and used + width_of(part) > width:
                    lines.append([])
                    used = 0
                lines[-1].append((style, part))
                used += width_of(part)
    if len(lines) > 1 and not lines[-1]:  # begun by a space at the end
        lines.pop()
    return lines


def _chunks(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """Yield the parts that must stay together: single spaces, and the spans between two spaces."""
    chunk: list[Span] = []
    for style, text in spans:
        for number, word in enumerate(text.split(" ")):
            if number:
                if chunk:
                    yield chunk
                    chunk = []
                yield [(style, " ")]
            if word:
                chunk.append((style, word))
    if chunk:
        yield chunk


def _cut(word: str, width: int) -> list[str]:
    """Cut a word that is longer than a line into pieces."""
    if width_of(word) <= width or width <= 0:
        return [word]
    parts, used = [""], 0
    for cluster, columns in clusters(word):
        if used + columns > width and used:
            parts.append("")
            used = 0
        parts[-1] += cluster
        used += columns
    return parts


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of cells."""

    x: int
    y: int
    w: int
    h: int

    def holds(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h


class Canvas:
    """``width`` × ``height`` cells; text outside of them is dropped."""

    def __init__(self, width: int, height: int, mark: str = "…") -> None:
        """``mark`` stands where text is cut."""
        self._mark = mark
        self.width, self.height = max(0, width), max(0, height)
        # The style and the text of every cell, apart: most of what is done concerns one of them.
        self._styles = [[""] * self.width for _ in range(self.height)]
        self._texts = [[" "] * self.width for _ in range(self.height)]
        self._has_wide = False
        """Whether a wide character was put, of which half may be overwritten."""

    def put(self, x: int, y: int, text: str, style: str = "", most: int | None = None) -> int:
        """Write text at a cell, in at most ``most`` columns; returns the column after it."""
        shown = text if most is None else clipped(text, most, self._mark)
        if not 0 <= y < self.height:
            return x + width_of(shown)
        if is_plain(shown) and x >= 0 and x + len(shown) <= self.width:
            return self._put_plain(x, y, shown, style)
        for cluster, columns in clusters(shown):
            if x >= 0 and x + columns <= self.width and columns:
                self._has_wide |= columns > 1
                if self._has_wide:
                    self._break_wide(self._texts[y], x, columns)
                self._texts[y][x : x + columns] = [cluster, *[""] * (columns - 1)]
                self._styles[y][x : x + columns] = [style] * columns
            x += columns
        return x

    def _put_plain(self, x: int, y: int, text: str, style: str) -> int:
        end = x + len(text)
        if text:
            texts = self._texts[y]
            if self._has_wide:
                self._break_wide(texts, x, 1)
                self._break_wide(texts, end - 1, 1)
            texts[x:end] = text
            self._styles[y][x:end] = [style] * len(text)
        return end

    def spans(self, x: int, y: int, spans: Sequence[Span], most: int | None = None) -> int:
        """Write styled spans one after the other; returns the column after them."""
        end = self.width if most is None else x + most
        for style, text in spans:
            if x >= end:
                break
            x = self.put(x, y, text, style, end - x)
        return x

    def lines(self, x: int, y: int, lines: Sequence[Sequence[Span]], most: int) -> int:
        """Write lines one below the other; returns the row after them."""
        for row, spans in enumerate(lines):
            self.spans(x, y + row, spans, most)
        return y + len(lines)

    def title(self, text: str, right: str = "") -> None:
        """Write the first line: the title of a page, and what stands at its right."""
        self.put(0, 0, " " * self.width, "title")
        self.put(1, 0, text, "title")
        self.put(max(0, self.width - width_of(right) - 2), 0, right, "title")

    def centre(self, x: int, y: int, width: int, spans: Sequence[Span]) -> None:
        """Write spans in the middle of ``width`` columns."""
        shift = max(0, (width - spans_width(spans)) // 2)
        self.spans(x + shift, y, spans, width - shift)

    def frame(self, box: Box, frame: Frame, style: str) -> None:
        """Draw a frame along the edges of a box."""
        across, right, bottom = frame.across * (box.w - 2), box.x + box.w - 1, box.y + box.h - 1
        self.put(box.x, box.y, frame.corners[0] + across + frame.corners[1], style)
        self.put(box.x, bottom, frame.corners[2] + across + frame.corners[3], style)
        for y in range(box.y + 1, bottom):
            self.put(box.x, y, frame.down, style)
            self.put(right, y, frame.down, style)

    def fill(self, box: Box, char: str = " ", style: str = "") -> None:
        for y in range(box.y, box.y + box.h):
            self.put(box.x, y, char * box.w, style)

    def under(self, box: Box, style: str) -> None:
        """Put a background style under a box: it goes before each cell's own style."""
        left, right = max(0, box.x), max(0, min(self.width, box.x + box.w))
        rows = self._styles[max(0, box.y) : max(0, box.y + box.h)]
        styles = {own for row in rows for own in row[left:right]}
        both = {own: f"{style} {own}" if own else style for own in styles}
        for row in rows:
            row[left:right] = [both[own] for own in row[left:right]]

    def rows(self) -> tuple[tuple[Span, ...], ...]:
        """Return rows of spans, with neighbours of the same style joined."""
        return tuple(map(tuple, map(_joined, self._styles, self._texts)))

    def text(self) -> str:
        """Return the canvas as plain text, without spaces at the ends of lines."""
        return "\n".join("".join(row).rstrip() for row in self._texts)

    @staticmethod
    def _break_wide(texts: list[str], x: int, columns: int) -> None:
        """Replace the other half of a wide character that is overwritten."""
        if texts[x] == "" and x > 0:
            texts[x - 1] = " "
        after = x + columns
        if after < len(texts) and texts[after] == "":
            texts[after] = " "


def _joined(styles: Sequence[str], texts: Sequence[str]) -> Iterator[Span]:
    at = 0
    for style, cells in groupby(styles):
        begin, at = at, at + len(list(cells))
        text = "".join(texts[begin:at])
        if text:
            yield style, text
