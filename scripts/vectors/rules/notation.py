"""Lines for protocol/notation.json that are, or are not, 304N (SPEC.md, "304N").

A line with a `record` is read as that record; with `written` true a program also writes that line
for it. `rule` (or null) and `index` say what `p2p304 score` refuses: a line, or an action at its
place. What is expected was thought out from SPEC.md, as in the cases of rules beside this file.
"""

from __future__ import annotations

import json
from typing import Any

Row = dict[str, Any]

HANDS = {
    "S": "AH TH KH QH TD KD 8D JC",
    "E": "JS 9S 8H 7D AC KC QD 7H",
    "N": "9C TC 8C QC 9D 7C JD AD",
    "W": "AS TS KS QS 8S 7S JH 9H",
}
TWO = {"1": "JS 9S AS TS KS QS 8S 7S JH 9H", "2": "AH TH KH QH 8H 7H JD 9D AD TD"}
STOCK = "KD QD 8D 7D JC 9C AC TC KC QC 8C 7C"
SIX = {
    str(n + 1): " ".join(f"{rank}{suit}" for rank in cards for suit in "SHDC")
    for n, cards in enumerate("J9ATKQ")
}


def record(
    actions: str = "",
    rules: str | dict[str, Any] = "pagat",
    hands: dict[str, str] | None = None,
    dealer: str = "S",
    pile: str = "",
) -> Row:
    """A record of such hands, `?` for an unknown card and commas between the actions."""
    dealt = {seat: _cards(cards) for seat, cards in (hands or HANDS).items()}
    told: Row = {"rules": rules, "dealer": dealer, "hands": dealt}
    if pile:
        told["pile"] = _cards(pile)
    return {**told, "actions": actions.split(", ") if actions else []}


def _cards(names: str) -> list[str | None]:
    return [None if name == "?" else name for name in names.split()]


HEAD = "304N pagat; dealer S; "
DEALT = "S AHTHKHQHTDKD8DJC; E JS9S8H7DACKCQD7H; N 9CTC8CQC9D7CJDAD; W ASTSKSQS8S7SJH9H"
LINE = HEAD + DEALT
BEGUN = f"{LINE}; 160, ask, S pass, W pass"
BEGUN_RECORD = record("E 160, N ask, S pass, W pass")
UNKNOWN = {**HANDS, "N": "? ? ? ? ? ? ? ?"}
UNKNOWN_LINE = LINE.replace("N 9CTC8CQC9D7CJDAD", "N ????????????????")
SIX_LINE = "304N six-24; dealer 6; " + "; ".join(
    f"{seat} {cards.replace(' ', '')}" for seat, cards in SIX.items()
)
TWO_LINE = (
    "304N online-2; dealer 1; 1 JS9SASTSKSQS8S7SJH9H; 2 AHTHKHQH8H7HJD9DADTD; "
    "pile KDQD8D7DJC9CACTCKCQC8C7C"
)


def _read(comment: str, line: str, read: Row, rule: str | None = None, **more: Any) -> Row:
    return {"comment": comment, "line": line, "record": read, "written": True, "rule": rule, **more}


def _also(comment: str, line: str, read: Row, rule: str | None = None, **more: Any) -> Row:
    return {**_read(comment, line, read, rule, **more), "written": False}


def _not(comment: str, line: str) -> Row:
    return {
        "comment": comment,
        "line": line,
        "record": None,
        "written": False,
        "rule": "record.json",
    }


def rows() -> list[Row]:
    return [*_lines(), *_other_spellings(), *_refused()]


def _lines() -> list[Row]:
    own = {"preset": "pagat", "tokens": 5, "caps": "off"}
    usual = {"preset": "pagat", "tokens": 11}
    return [
        _read("no action yet", LINE, record()),
        _read("a seat is left out where it is the next", BEGUN, BEGUN_RECORD),
        _read(
            "options that differ",
            LINE.replace("pagat", "pagat tokens=5 caps=off"),
            record(rules=own),
        ),
        _read(
            "an option with the preset's own value",
            LINE.replace("pagat", "pagat tokens=11"),
            record(rules=usual),
        ),
        _read(
            "two spaces between fields: the second begins an action",
            BEGUN.replace("; 160", ";  160"),
            record("E  160, N ask, S pass, W pass"),
            "action.form",
            index=0,
        ),
        _read(
            "a bid in tenths",
            LINE.replace("pagat", "tenths") + "; 1.6, 1.65",
            record("E 1.6, N 1.65", "tenths"),
            "bid.step",
            index=1,
        ),
        _read(
            "six seats, named by numbers",
            f"{SIX_LINE}; 200, 3 pass",
            record("1 200, 3 pass", "six-24", SIX, "6"),
            "turn",
            index=1,
        ),
        _read(
            "a pile",
            f"{TWO_LINE}; pass, 150, trump JD",
            record("2 pass, 1 150, 2 trump JD", "online-2", TWO, "1", STOCK),
            "phase",
            index=2,
        ),
        _read(
            "cards that are not known",
            f"{UNKNOWN_LINE}; trump ?, ~?",
            record("E trump ?, N ~?", hands=UNKNOWN),
            "record.cards",
        ),
        _read(
            "an action that is none keeps its place",
            f"{LINE}; 160, jump, pass",
            record("E 160, N jump, W pass"),
            "action.form",
            index=1,
        ),
        _read(
            "a seat alone is no seat of an action",
            f"{LINE}; 160, W",
            record("E 160, N W"),
            "action.form",
            index=1,
        ),
        _read(
            "a seat and a space: an action of that seat, without a word",
            f"{LINE}; 160, W , pass",
            record("E 160, W , S pass"),
            "action.form",
            index=1,
        ),
        _read(
            "a seat of another game is no seat",
            f"{LINE}; 160, 1 pass",
            record("E 160, N 1 pass"),
            "action.form",
            index=1,
        ),
        _read(
            "a card of another pack",
            LINE.replace("JC; E", "6C; E"),
            record(hands={**HANDS, "S": "AH TH KH QH TD KD 8D 6C"}),
            "record.cards",
        ),
        _read(
            "a card that there is not",
            LINE.replace("JC; E", "XX; E"),
            record(hands={**HANDS, "S": "AH TH KH QH TD KD 8D XX"}),
            "record.cards",
        ),
        _read(
            "a small letter",
            LINE.replace("JC; E", "jC; E"),
            record(hands={**HANDS, "S": "AH TH KH QH TD KD 8D jC"}),
            "record.cards",
        ),
        _read(
            "a hand without cards",
            LINE.replace(" AHTHKHQHTDKD8DJC; E", " ; E"),
            record(hands={**HANDS, "S": ""}),
            "record.cards",
        ),
        _read(
            "a card too few",
            LINE.replace("JC; E", "; E"),
            record(hands={**HANDS, "S": "AH TH KH QH TD KD 8D"}),
            "record.cards",
        ),
        _read(
            "a card twice",
            LINE.replace("JC; E", "AH; E"),
            record(hands={**HANDS, "S": "AH TH KH QH TD KD 8D AH"}),
            "record.cards",
        ),
        _read(
            "a character beyond 16 bits is one character",
            LINE.replace("JC; E", "\U0001f0a1C; E"),
            record(hands={**HANDS, "S": "AH TH KH QH TD KD 8D \U0001f0a1C"}),
            "record.cards",
        ),
    ]


def _other_spellings() -> list[Row]:
    own = {"preset": "pagat", "caps": "off", "tokens": 5}
    tens = "E 160, N pass, W pass, S pass, E trump 10D"
    return [
        _also("every seat written", BEGUN.replace("160, ask", "E 160, N ask"), BEGUN_RECORD),
        _also(
            "options in another order",
            LINE.replace("pagat", "pagat tokens=5 caps=off"),
            record(rules=own),
        ),
        _also(
            "an action with two spaces",
            f"{LINE}; 160, N  pass",
            record("E 160, N  pass"),
            "action.form",
            index=1,
        ),
        _also("spaces and line ends around it", f" \n  {BEGUN}  \r\n", BEGUN_RECORD),
        _also(
            "10D in an action is taken as it stands",
            f"{LINE}; 160, pass, pass, pass, trump 10D",
            record(tens),
            "card.held",
            index=4,
        ),
    ]


def _refused() -> list[Row]:
    return [
        _not("another version", LINE.replace("304N", "304M")),
        _not("no space behind the beginning", LINE.replace("304N ", "304N")),
        _not("a tab before it", f"\t{LINE}"),
        _not("a tab behind it", f"{LINE}\t"),
        _not("no such preset", LINE.replace("pagat", "bridge")),
        _not("an option without a value", LINE.replace("pagat", "pagat caps")),
        _not("no such option", LINE.replace("pagat", "pagat ruff=off")),
        _not("no such value", LINE.replace("pagat", "pagat caps=never")),
        _not("an option twice", LINE.replace("pagat", "pagat caps=off caps=off")),
        _not("a zero in front of a number", LINE.replace("pagat", "pagat tokens=07")),
        _not("digits that are not ASCII", LINE.replace("pagat", "pagat tokens=\u0667")),
        _not("the preset as an option", LINE.replace("pagat", "pagat preset=pagat")),
        _not("two spaces between options", LINE.replace("pagat", "pagat  caps=off")),
        _not("options that do not go together", LINE.replace("pagat", "pagat hidden=ask_reveal")),
        _not("no dealer", LINE.replace("dealer S; ", "")),
        _not("no such dealer", LINE.replace("dealer S", "dealer X")),
        _not("a hand missing", LINE.replace("; W ASTSKSQS8S7SJH9H", "")),
        _not("hands in another order", f"{HEAD}{DEALT[20:]}; {DEALT[:18]}"),
        _not("a hand without its seat", LINE.replace("E JS", "JS")),
        _not("a 10 in a hand", LINE.replace("TD", "10D")),
        _not("an odd number of characters", LINE.replace("JC; E", "J\U0001f0a1C; E")),
        _not("an empty list of actions", f"{LINE}; "),
        _not("a space between cards", LINE.replace("JS9S", "JS 9S")),
        _not("a semicolon without its space", BEGUN.replace("9H; 160", "9H;160")),
        _not("a field behind the actions", f"{BEGUN}; pass"),
        _not(
            "a pile behind the actions",
            f"{TWO_LINE.split('; pile')[0]}; pass; pile {STOCK.replace(' ', '')}",
        ),
        _not("nothing but the rules", "304N pagat"),
        _not("nothing", ""),
    ]


def text() -> str:
    """One line a row, so that a change shows as one line."""
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows()) + "\n]\n"
