"""protocol/names.json: texts that are names or none, and names that are alike or not."""

from __future__ import annotations

from typing import Any

SRI = "\u0dc1\u0dca\u200d\u0dbb\u0dd3"
"""The word Sri in Sinhala: its conjunct is spelt with a zero-width joiner."""

NAMES = (
    ("ASCII", "Asha"),
    ("Sinhala", "අශා"),
    ("Tamil", "ஆஷா"),
    ("a space", "a b"),
    ("32 characters", "x" * 32),
    ("32 characters beyond the first plane", "\U0001f0a1" * 32),
    ("a hyphen and an apostrophe", "Ann-Marie O'Neil"),
    ("a joiner after a virama", SRI),
    ("two marks on a letter", "e\u0301\u0302"),
    (
        "two marks, the second a virama, a joiner after it, and a mark",
        "\u0d9a\u0301\u0dca\u200d\u0301",
    ),
    ("three spacing marks (Mc)", "\u0d9a\u0dcf\u0dcf\u0dcf"),
    ("a digit", "Asha 2"),
    ("a neighbour of a blank character", "A\u2801b"),
)
NO_NAMES = (
    ("empty", ""),
    ("a space alone", " "),
    ("a space at the end", "a "),
    ("a space at the beginning", " a"),
    ("two spaces", "a  b"),
    ("33 characters", "x" * 33),
    ("a line feed", "a\n"),
    ("an escape", "\x1b[2J"),
    ("delete", "\x7f"),
    ("a no-break space", "a\u00a0b"),
    ("a line separator", "a\u2028b"),
    ("a zero-width space", "\u200b"),
    ("a joiner alone", "\u200d"),
    ("a joiner after a letter", "a\u200db"),
    ("a joiner after an Arabic letter", "\u0628\u200c\u0628"),
    ("an isolate", "a\u2066b"),
    ("an override", "a\u202eb"),
    ("a byte order mark", "\ufeffa"),
    ("a soft hyphen", "a\u00adb"),
    ("for private use", "\ue000"),
    ("not assigned in Unicode 14.0", "a\U0001e08f"),
    ("brackets", "Asha (East)"),
    ("square brackets, as a bot is marked", "Asha [bot]"),
    ("a colon", "Spoken code: x"),
    ("a comma", "Asha, Bandu"),
    ("a full stop", "no."),
    ("a wide bracket", "x\uff08y"),
    ("a wide square bracket", "x\uff3by"),
    ("an ellipsis", "a\u2026"),
    ("a digit with a full stop", "\u2488"),
    ("a Hangul filler", "\u3164"),
    ("a Hangul choseong filler", "\u115f"),
    ("a grapheme joiner", "Asha\u034f"),
    ("a variation selector", "Asha\ufe0f"),
    ("a variation selector of plane 14", "A\U000e0100"),
    ("an empty Braille pattern", "\u2800"),
    ("an unassigned character that is drawn as nothing", "As\u2065ha"),
    ("three marks on a letter", "a\u0301\u0302\u0303"),
    ("a mark alone", "\u0301"),
    ("a mark at the beginning", "\u0301Asha"),
    ("a mark at the beginning of a word", "Asha \u0302"),
)
ALIKE = (
    ("capital letters", "Asha", "asha"),
    ("a space", "Asha", "A sha"),
    ("wide letters", "Asha", "\uff21\uff53\uff48\uff41"),
    ("a Cyrillic letter", "Asha", "\u0410sha"),
    ("a Greek letter", "Olivia", "\u039flivia"),
    ("capital I and small l", "Ilan", "llan"),
    ("a zero and a capital letter", "Olivia", "0livia"),
    ("a zero, in capital letters alone", "OLIVIA", "0livia"),
    ("two letters for one", "Mary", "rnary"),
    ("a one and a capital I", "Chitra", "CH1TRA"),
    ("a one and a small l", "Bot 1", "Bot l"),
    ("an accent, composed or not", "Jos\u00e9", "Jose\u0301"),
    ("a mathematical letter", "Dilan", "\U0001d403ilan"),
    ("full folding", "Stra\u00dfe", "STRASSE"),
)
ALIKE_BY_THE_TABLE = (
    ("an Armenian letter", "Nuwan", "N\u057dwan"),
    ("a Cherokee letter", "Dilan", "\u13a0ilan"),
    ("a letter for two, one of which stands for another", "\u00afbab", "\u044aab"),
)
"""Alike by letters of other scripts."""
DIFFERENT = (
    ("another letter", "Asha", "Usha"),
    ("another digit", "Bot 1", "Bot 2"),
    ("two other letters", "Nimal", "Kamal"),
    ("a virama", "නිමල්", "නිමල"),
    ("an accent", "Jos\u00e9", "Jose"),
    ("a letter more", "Asha", "Ashan"),
)


def names() -> dict[str, Any]:
    return {
        "names": [_text(row, True) for row in NAMES] + [_text(row, False) for row in NO_NAMES],
        "alike": [
            *(_pair(row, True) for row in ALIKE),
            *(_pair(row, True) | {"table": True} for row in ALIKE_BY_THE_TABLE),
            *(_pair(row, False) for row in DIFFERENT),
        ],
    }


def _text(row: tuple[str, str], is_name: bool) -> dict[str, Any]:
    comment, text = row
    return {"comment": comment, "text": text, "name": is_name}


def _pair(row: tuple[str, str, str], are_alike: bool) -> dict[str, Any]:
    comment, one, other = row
    return {"comment": comment, "one": one, "other": other, "alike": are_alike}
