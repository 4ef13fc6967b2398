"""The width of text in terminal columns, and text cut to a width.

Responsible for widths: a cell may hold a base character with its combining marks, as Sinhala and
Tamil need them, and a wide character takes two cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from unicodedata import category

from wcwidth import wcwidth

from p2p304.table.agreement.bot_labels import LABEL
from p2p304.ui.common.bidi import FIRST_STRONG_ISOLATE

_JOINER = "\u200d"


@lru_cache(maxsize=4096)
def columns_of(char: str) -> int:
    """Return the columns of one character; negative for a control character. Vowel signs that stand
    beside their letter (category Mc) take one column in most terminals and none in some
    (ui/terminal/prompt_toolkit_control.py copes with both): room is kept for them."""
    return 1 if category(char) == "Mc" else wcwidth(char)


def spreads(text: str) -> bool:
    """Whether terminals differ in how many columns this text takes: for vowel signs beside their
    letter, and for letters that a joiner joins."""
    return not text.isascii() and any(category(char) == "Mc" or char == _JOINER for char in text)


@lru_cache(maxsize=4096)
def clusters(text: str) -> tuple[tuple[str, int], ...]:
    """Return the characters with their combining marks, and the columns of each. Control characters
    are left out."""
    return tuple(_clusters(text))


def _clusters(text: str) -> Iterator[tuple[str, int]]:
    if is_plain(text):
        yield from ((char, 1) for char in text)
        return
    held, width = "", 0
    for char in text:
        if char == FIRST_STRONG_ISOLATE:
            if held:
                yield held, width
            held, width = char, 0
            continue
        columns = columns_of(char)
        beside = held and category(char) == "Mc"
        if columns < 0 or (columns == 0 and char != _JOINER and not held):
            continue
        if columns > 0 and width and not beside:
            yield held, width
            held, width = "", 0
        held, width = held + char, width + 1 if beside else max(width, columns)
    if held:
        yield held, width


def is_plain(text: str) -> bool:
    """Whether every character takes one column. Most texts do, and they are by far the quickest."""
    return text.isascii() and text.isprintable()


@lru_cache(maxsize=4096)
def width_of(text: str) -> int:
    """Return the columns that the text takes."""
    return len(text) if is_plain(text) else sum(columns for _, columns in clusters(text))


@lru_cache(maxsize=4096)
def clipped(text: str, most: int, mark: str = "…") -> str:
    """Cut the text to ``most`` columns, with ``mark`` at the cut. A bot's label stays whole, and
    the name before it is cut. If there is no room for both, neither is shown, because a name alone
    would look like a person's."""
    if width_of(text) <= most:
        return text
    label = f" {LABEL}"
    if text.endswith(label):
        room = most - width_of(label)
        if room > width_of(mark):
            return clipped(text.removesuffix(label), room, mark) + label
        return mark if most >= width_of(mark) else ""
    kept, used, room = "", 0, max(0, most - width_of(mark))
    for cluster, columns in clusters(text):
        if used + columns > room:
            break
        kept, used = kept + cluster, used + columns
    return kept + (mark if most >= width_of(mark) else "")
