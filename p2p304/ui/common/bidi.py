"""Right-to-left text within lines that run from left to right.

Responsible for where a run of it begins and ends (Unicode's bidirectional algorithm, UAX 9).
Without isolation, a terminal that reorders text would move the numbers and names beside a Hebrew or
Arabic name to its other side. A bid or a seat would then stand beside the wrong player.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby

FIRST_STRONG_ISOLATE = "\u2068"
POP_ISOLATE = "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def isolated(text: str) -> str:
    """Put each right-to-left word between U+2068 and U+2069. Words are isolated one by one, so that
    a list of names keeps its order."""
    if text.isascii() or not any(map(_is_right_to_left, text)):
        return text
    parts = ("".join(part) for _, part in groupby(text, lambda char: char in " ():.,"))
    return "".join(
        f"{FIRST_STRONG_ISOLATE}{part}{POP_ISOLATE}"
        if any(map(_is_right_to_left, part)) and FIRST_STRONG_ISOLATE not in part
        else part
        for part in parts
    )


def _is_right_to_left(char: str) -> bool:
    return unicodedata.bidirectional(char) in _RIGHT_TO_LEFT
