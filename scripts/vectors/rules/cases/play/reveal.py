"""Cases: asking for trumps, and games in which all play face up."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, allows, deal, forbids, judges, passes, plays
from scripts.vectors.rules.cases.deals import SPADES, VOID, bid
from scripts.vectors.rules.cases.play.beginnings import CLOSED, ONLINE

_ASK = f"{bid('150')}, E trump JS, E AC, N 9C"
_TRUMPS_LED = deal(
    "S",
    "8S 7S AH AD TH TD KH KD",
    "AS 9H 9D 9C 8H 8D 8C 7C",
    "AC TC KC QC QH QD 7H 7D",
    "TS QS KS 9S JS JH JD JC",
)
_NOBODY_ASKS = deal(
    "S",
    "7S JC QH TC JD 8C 8D TD",
    "9H KC TH AD AC AH 7D KD",
    "QC KH KS TS 8H 9C 8S QD",
    "7H 9D QS JH JS 9S 7C AS",
)
_TO_THE_LAST_CARD = plays(
    "E TH 8H JH QH / W 9D JD AD QD / S 8C KC QC 7C / E 7D 9C 7H 8D / S TC AC KH JS"
    " / E 9H 8S AS TD / E KD TS QS JC / E AH KS 9S 7S"
)
CASES: list[Case] = [
    allows(
        "reveal.ask",
        "unable to follow",
        SPADES,
        f"{_ASK}, W reveal",
        rules=ONLINE,
        to_act=["W"],
        contract={"shown": True},
    ),
    forbids(
        "reveal.ask",
        "able to follow",
        SPADES,
        f"{bid('150')}, E trump JS, E AC, N reveal",
        rules=ONLINE,
    ),
    forbids("reveal.ask", "on lead", SPADES, f"{bid('150')}, E trump JS, E reveal", rules=ONLINE),
    forbids("reveal.ask", "shown already", SPADES, f"{_ASK}, W reveal, W reveal", rules=ONLINE),
    forbids(
        "reveal.ask", "not where cards lie face down", SPADES, f"{CLOSED}, E AC, N 9C, W reveal"
    ),
    allows(
        "reveal.ask",
        "the trump maker asks in the same word",
        VOID,
        "S pass, E 150, N pass, W pass, S pass, E trump 9S, S 7C, E reveal",
        rules=ONLINE,
        to_act=["E"],
        legal=["E 9S", "E AS", "E JS", "E TS"],
    ),
    forbids(
        "reveal.ask",
        "not the trump maker whose only card is the indicator",
        _NOBODY_ASKS,
        f"{passes('ENW')}, S 150, {passes('ENW')}, S trump 7S, {_TO_THE_LAST_CARD[: -len('S 7S')]}"
        "S reveal",
        rules=ONLINE,
        legal=["S 7S"],
    ),
    allows(
        "reveal.cut",
        "who asked cuts",
        SPADES,
        f"{_ASK}, W reveal, W 8S, S JC",
        rules=ONLINE,
        to_act=["W"],
        points={"NS": 0, "EW": 61},
    ),
    forbids(
        "reveal.cut", "and may not throw away", SPADES, f"{_ASK}, W reveal, W JH", rules=ONLINE
    ),
    allows(
        "reveal.up",
        "any card face up; a trump unasked cuts nothing",
        SPADES,
        f"{_ASK}, W 8S, S JC",
        rules=ONLINE,
        to_act=["S"],
        points={"NS": 61, "EW": 0},
        contract={"shown": False},
    ),
    judges(
        "reveal.up",
        "trumps led before they are shown win as any suit led",
        _TRUMPS_LED,
        f"{passes('ENW')}, S 150, {passes('ENW')}, S trump 7S, E AS, N reveal, N 7H, W TS, S 8S",
        rules=ONLINE,
        to_act=["E"],
        points={"NS": 0, "EW": 21},
    ),
    judges(
        "reveal.up",
        "the indicator, played last, cuts; an opponent's higher trump before it is dead",
        _NOBODY_ASKS,
        f"{passes('ENW')}, S 150, {passes('ENW')}, S trump 7S, {_TO_THE_LAST_CARD}",
        rules=ONLINE,
        points={"NS": 117, "EW": 187},
    ),
    forbids("reveal.up", "nothing lies face down", SPADES, f"{_ASK}, W ~8S", rules=ONLINE),
    forbids(
        "lead.up",
        "a lead face down where nothing lies face down",
        SPADES,
        f"{bid('150')}, E trump JS, E ~AC",
        rules=ONLINE,
        contract={"bid": 150, "by": "E", "trump": "S", "open": False, "shown": False},
    ),
]
