"""Cases: drawing from a stock, and exchanging."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, deal, forbids, judges, plays

TWO = deal(
    "2",
    "JS 9S AS TS KS JH 9H AH TH KH",
    "JD 9D AD TD KD JC 9C AC TC KC",
    pile="QS 8S 7S QH 8H 7H QD 8D 7D QC 8C 7C",
)
THREE = deal(
    "3",
    "JS 9S AS JH 9H AH JD 9D JC 9C",
    "TS KS QS TH KH QH AD TD AC TC",
    "8S 7S 8H 7H KD QD 8D KC QC 8C",
    pile="7D 7C",
)
_TWO = "1 150, 2 pass, 1 trump TS"
_DRAWN = plays("1 JS JD / 1 9S 8S / 1 JH QH / 1 9H 7H / 1 AH 8D / 1 TH QC", "12")
_TWELVE = plays("1 AS 7C / 1 KS KC / 1 QS KD / 1 7S TC / 1 KH AC / 1 8H TD", "12")
_SIXTEEN = plays("1 8C JC / 2 9C 7D / 2 AD QD / 2 9D TS", "12")
_ONE_150 = "1 {}, 2 pass, 3 pass, 1 trump 9S"
_AWAY = plays(
    "1 JS QS 7S / 1 AS KS 8S / 1 JH QH 7H / 1 9H KH 8H / 1 AH TH 8C / 1 JD TD 8D /"
    "1 9C TC QC / 1 7D AD KD / 2 AC KC 7C / 2 TS QD 9S",
    "123",
)
CASES: list[Case] = [
    judges(
        "draw.after",
        "after a trick each draws, its winner first",
        TWO,
        f"{_TWO}, {plays('1 JS JD', '12')}, 1 9S",
        rules="online-2",
        to_act=["2"],
        legal=["2 8S"],
    ),
    judges(
        "draw.after",
        "who drew first has the queen of spades",
        TWO,
        f"{_TWO}, {plays('1 JS JD', '12')}, 1 QS",
        rules="online-2",
        error=None,
    ),
    forbids(
        "card.held",
        "the other has not",
        TWO,
        f"{_TWO}, {plays('1 JS JD', '12')}, 1 9S, 2 QS",
        rules="online-2",
    ),
    judges(
        "draw.after",
        "sixteen tricks: 241 against 63",
        TWO,
        f"{_TWO}, {_DRAWN}, {_TWELVE}, {_SIXTEEN}",
        rules="online-2",
        status="complete",
        points={"1": 241, "2": 63},
        result={"tokens": {"1": 5, "2": 0}, "next_dealer": "1"},
    ),
    judges(
        "exchange.two",
        "what is laid away counts for the opponents: a bid of 220 with 226",
        THREE,
        f"{_ONE_150.format(220)}, 1 exchange 9D JC, {_AWAY}",
        rules="online-3",
        status="complete",
        points={"1": 226, "2": 28, "3": 0},
        result={"tokens": {"1": 6, "2": 0, "3": 0}, "next_dealer": "1"},
    ),
    judges(
        "exchange.two",
        "230 fails: each opponent gets 5",
        THREE,
        f"{_ONE_150.format(230)}, 1 exchange 9D JC, {_AWAY}",
        rules="online-3",
        result={"tokens": {"1": 0, "2": 5, "3": 5}},
    ),
]
