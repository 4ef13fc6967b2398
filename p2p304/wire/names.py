"""Names that players give, to themselves and to tables: which of them can be shown.

Owns one rule, the same on every node: no control, format, bidi or private characters and no
space but the plain one. It does not know whose name it is.
"""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST_NAME: Final = 32
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Zs"})
_JOINERS: Final = "\u200c\u200d"
_VIRAMA: Final = 9


def is_name(text: str) -> bool:
    """Whether this is 1 to 32 characters that can be shown, without a space at either end."""
    return 1 <= len(text) <= LONGEST_NAME and shown(text) == text and text == text.strip()


def shown(text: str) -> str:
    """The characters that can be shown. Characters that Unicode has not assigned yet count as
    such, so that nodes with older and newer tables agree.

    A joiner stays after a virama (RFC 5892, appendices A.1 and A.2): Sinhala is spelt with it.
    """
    return "".join(char for at, char in enumerate(text) if _can_be_shown(text, at))


def _can_be_shown(text: str, at: int) -> bool:
    char = text[at]
    if char in _JOINERS:
        return at > 0 and unicodedata.combining(text[at - 1]) == _VIRAMA
    return char == " " or unicodedata.category(char) not in _HIDDEN
