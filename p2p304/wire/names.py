"""Names of players and tables: which can be shown, and which two a reader could confuse.

Responsible for SPEC.md, "Names": one rule, the same on every node. Where a name comes from is not
known here, and what characters there are is wire/unicode_14.py's.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect
from functools import cache, lru_cache
from typing import Final

from p2p304.wire.forms import checked, string
from p2p304.wire.unicode_14 import HIDDEN, MARKS, VIRAMAS

LONGEST_NAME: Final = 32
MOST_MARKS: Final = 2
"""Combining marks in a row. More of them would be drawn over other lines."""
PUNCTUATION: Final = frozenset("()[]:.,")
"""Marks that the program's own sentences put around names. A name that contains them could imitate
a sentence of the program."""
NAME_FORM: Final = (
    "a name has 1 to 32 visible characters, single spaces between them, at most two accents on a "
    "letter, and no brackets, colons, full stops or commas."
)
_JOINERS: Final = "\u200c\u200d"
_REMEMBERED: Final = 256
"""How many names' folded forms are cached. Every name of a list is compared with every other, and
one character can fold to many."""
_BLANK: Final = frozenset(
    chr(code)
    for first, last in (
        # Default_Ignorable_Code_Point (Unicode, DerivedCoreProperties.txt) outside category Cf.
        (0x034F, 0x034F),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x2065, 0x2065),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFFA0, 0xFFA0),
        (0xFFF0, 0xFFF8),
        (0xE0000, 0xE0FFF),
        # Characters that are drawn as nothing: an empty braille cell, an empty note head.
        (0x2800, 0x2800),
        (0x1D159, 0x1D159),
    )
    for code in range(first, last + 1)
)


def is_name(text: str) -> bool:
    """Return whether the text is a name: 1 to 32 characters that can be shown, none of ``()[]:.,``,
    at most two combining marks in a row, no word that begins with one, single spaces, and none at
    either end."""
    return (
        1 <= len(text) <= LONGEST_NAME
        and shown(text) == text
        and text == text.strip(" ")
        and "  " not in text
        and not any(_is_in(MARKS, word[0]) for word in text.split(" "))
        and not PUNCTUATION & set(_compatible(text))
    )


NAME_VALUE: Final = checked(string(), is_name, "no name of 1 to 32 characters that can be shown")
"""The form of a name in a message (forms.py)."""


def name_from(text: str) -> str:
    """Return the nearest name to a text such as a login; empty if no part of it can be in a
    name."""
    kept = "".join(char for char in shown(text) if not PUNCTUATION & set(_compatible(char)))
    name = " ".join(kept.split()).capitalize()[:LONGEST_NAME].strip()
    return name if is_name(name) else ""


def shown(text: str) -> str:
    """Return the characters of the text that can be shown.

    Every node must judge names alike, whatever Python runs it: what can be shown follows from the
    tables of Unicode 14.0, and not from ``unicodedata``. A joiner is kept after a virama (RFC 5892,
    appendices A.1 and A.2), because the spelling of Sinhala needs it.
    """
    if text.isascii() and text.isprintable():  # most texts: no table is needed
        return text
    kept, marks = "", 0
    for at, char in enumerate(text):
        if not _can_be_shown(text, at):
            continue
        marks = marks + 1 if _is_in(MARKS, char) else 0
        if marks <= MOST_MARKS:
            kept += char
    return kept


def are_alike(one: str, other: str) -> bool:
    """Return whether a reader could confuse two names: they differ in case, width and spaces alone,
    or by letters that look alike (the skeletons of UTS 39, section 4)."""
    return folded(one) == folded(other) or bool(_skeletons(one) & _skeletons(other))


@lru_cache(maxsize=_REMEMBERED)
def folded(name: str) -> str:
    """Return the name without what a hurried reader overlooks: case, width and spaces."""
    return "".join(_compatible(name).casefold().split())


def _compatible(text: str) -> str:
    # The same in every Python for the characters of 14.0 (Unicode's stability policy).
    return unicodedata.normalize("NFKC", text)


@lru_cache(maxsize=_REMEMBERED)
def _skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of the name as written, in small and in capital letters. Some pairs look
    alike in one of them alone (capital I and small l, capital O and zero)."""
    small = folded(name)
    return frozenset(map(_skeleton, ("".join(name.split()), small, small.upper())))


def _skeleton(text: str) -> str:
    """Replace every character by the prototype of all that look like it (UTS 39)."""
    prototypes = _prototypes()
    once = "".join(prototypes.get(c, c) for c in unicodedata.normalize("NFD", text))
    twice = "".join(prototypes.get(c, c) for c in unicodedata.normalize("NFD", once))
    return unicodedata.normalize("NFD", twice)


@cache
def _prototypes() -> dict[str, str]:
    """Return the prototype of every character that looks like others.

    The package keeps Unicode's confusables.txt as pairs without direction, so all characters that
    are joined by pairs form one class. Its prototype is a sequence if it has one (``rn`` for
    ``m``), else its least character. (UTS 39 needs classes alone: a skeleton is never shown.)
    """
    # Read on the first comparison: 900 kB that most commands never need.
    from confusable_homoglyphs.confusables import confusables_data

    pairs = {
        _bare(char): [_bare(like["c"]) for like in likes]
        for char, likes in confusables_data.items()
    }
    found: dict[str, str] = {}
    seen: set[str] = set()
    for start in sorted(pairs):
        if start in seen:
            continue
        members, ahead = {start}, [start]
        while ahead:
            for like in pairs.get(ahead.pop(), ()):
                if like not in members:
                    members.add(like)
                    ahead.append(like)
        seen |= members
        stands = min(members, key=lambda member: (len(member) == 1, member))
        found.update({member: stands for member in members if len(member) == 1})
    return found


def _bare(text: str) -> str:
    """Remove the marks U+200E that the package puts around sequences."""
    return text.strip("\u200e")


def _can_be_shown(text: str, at: int) -> bool:
    char = text[at]
    if char in _JOINERS:
        return at > 0 and _is_in(VIRAMAS, text[at - 1])
    return char == " " or not (_is_in(HIDDEN, char) or char in _BLANK)


def _is_in(runs: str, char: str) -> bool:
    """Whether the character lies in one of these runs of wire/unicode_14.py."""
    return bisect(_edges(runs), ord(char)) % 2 == 1


@cache
def _edges(runs: str) -> list[int]:
    """Return where each run begins and where what follows it begins, in order."""
    pairs = (run.split("-") for run in runs.split())
    return [edge for pair in pairs for edge in (int(pair[0], 16), int(pair[-1], 16) + 1)]
