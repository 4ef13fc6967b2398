"""Cases: positions of Caps that a search which passed every other case judged wrongly."""

from __future__ import annotations

from scripts.vectors.rules.cases.caps.positions import ruled
from scripts.vectors.rules.cases.case import allows, deal, forbids, judges, passes, plays

_TWO_HOLDERS = deal(
    "E",
    "JC 8C QC TC KC 7C 9C QD",
    "8D JD TD 9D KD 8H 9H 7H",
    "KH QH AH TH JH AS 7S 9S",
    "QS JS KS TS AD 8S AC 7D",
)
_TAKEN_UP = deal(
    "N",
    "9S 8S AH KH AS 9C 9H 8H",
    "7S TD TS TC 7D QS QH 7H",
    "JC 8D QC JH JD JS KC AD",
    "TH KS 9D KD QD AC 8C 7C",
)
_OWN_FACE_DOWN = deal(
    "S",
    "KD AC 9D JS JC 9C AD TD",
    "QS QH 7D KH KS QC 7S 8H",
    "AH JD 9S 9H 8C TH AS JH",
    "QD TC KC 7H TS 8D 7C 8S",
)
_SPADES_LED = deal(
    "S",
    "7S AD 9S JD AS JS 8D QS",
    "TS AC 9C TD 8H KD AH KC",
    "TH 9D 9H QH KH TC 8C 8S",
    "7H JC KS QC 7C QD 7D JH",
)
_SIX_CLUBS = deal(
    "E", "9S JD JS QD KH AD", "9H TD AH KS KD QS", "QC 9C KC AC TC JC", "TS JH QH AS 9D TH"
)
"""24 cards; North has all clubs, and where open trump is not played it leads one, closed."""
_ALONE = {"pack": 24, "deal": "4+2", "open_trump": "off"}
_CLUBS_LED = f"N 160, {passes('WSE')}, N trump QC, {passes('NWSE')}, N closed, N JC"
_CUT_CLOSED = deal(
    "N", "9H TS JD AD AS AC", "KS JH QC KH TD TH", "JC KC TC 9C QH AH", "QS 9S JS 9D QD KD"
)
FOUND = [
    judges(
        "caps.worlds",
        "a trump maker with trumps alone has led one, closed, and calls",
        _SIX_CLUBS,
        f"{_CLUBS_LED}, N caps 9C AC TC KC QC",
        _ALONE,
        status="complete",
        result={**ruled("N", "correct", "before the first lead", 2, -2), "next_dealer": "N"},
    ),
    judges(
        "caps.worlds",
        "so does its partner: in each world with clubs as trumps that hand holds nothing else",
        _SIX_CLUBS,
        f"{_CLUBS_LED}, W ~TS, S ~KH, E ~QS, S caps JS 9S JD AD QD",
        {**_ALONE, "exhausted": "off"},
        status="complete",
        result={**ruled("S", "correct", "before the first lead", 2, -2), "next_dealer": "N"},
    ),
    judges(
        "caps.worlds",
        "a trump maker who has cut with the indicator has none of the suit led",
        _CUT_CLOSED,
        f"{passes('WSE')}, N 160, {passes('WSE')}, N trump JC, {passes('NWSE')}, N closed, "
        + plays("W QS TS KS ~QH / S JD TD ~AH KD / S 9H KH ~JC ~9D / N 9C JS AC QC / N TC 9S AS")
        + ", S caps AD",
        {"pack": 24, "deal": "4+2"},
        status="complete",
        result={**ruled("S", "late", "trick 4, after N 9C", -2, 2), "next_dealer": "W"},
    ),
    judges(
        "caps.worlds",
        "a trump maker who has led a suit that nobody followed, and then another one, has no "
        "trumps of that suit in hand",
        _SPADES_LED,
        f"{passes('ENW')}, S 160, {passes('ENW')}, S trump AD, {passes('SENW')}, S closed, "
        + plays(
            "E KD 9D QD 8D / N 8S KS 9S TS / S QS ~9C ~8C ~QC / S JS ~AC ~KH ~JC / S JD TD ~TC 7D"
        )
        + ", N caps 9H TH QH",
        status="complete",
        result=ruled("N", "correct", "trick 5, after W 7D", 2, -2),
    ),
    judges(
        "caps.worlds",
        "the card below the highest may lie with another player: the call is early",
        _TWO_HOLDERS,
        "N 260, W pass, S pass, E pass, N trump KH, N pass, W pass, S pass, "
        "E pass, N closed, N 9S, W KS, S ~8C, E ~8D, N JH, W AC, S JC, E 9H, "
        "N KH, W AD, S 9C, E 8H, N AH, W TS, S 7C, E 7H, N AS, W 8S, S QC, E TD, "
        "N TH, W 7D, S TC, E 9D, S caps KC QD",
        rules={"preset": "pagat", "open_trump": "off", "exhausted": "off"},
        status="in_progress",
        to_act=["N"],
    ),
    judges(
        "caps.worlds",
        "an indicator taken up may be of a suit that its owner could not follow while it lay",
        _TAKEN_UP,
        "W 220, S pass, E pass, N pass, W trump TH, W pass, S pass, E pass, "
        "N pass, W closed, W AC, S 9C, E TC, N QC, S 8S, E QS, N JS, W KS, N JH, "
        "W ~KD, S 8H, E QH, N KC, W 8C, S ~9H, E ~TD, S AH, E 7H, N 8D, W TH, "
        "S 9S, E 7S, N JC, W QD, S KH, E 7D, N AD, W 9D, N caps JD",
        rules={"preset": "pagat", "exhausted": "off"},
        status="in_progress",
        to_act=["S"],
    ),
    judges(
        "caps.worlds",
        "a card of one's own that lay face down where no trumps were announced was no trump",
        _OWN_FACE_DOWN,
        "E ask, W 160, N pass, S ask, N 200, E pass, W ask, E pass, S pass, N trump 9H, N pass, "
        "W pass, S pass, E pass, N closed, E KH, N AH, W 7H, S ~JS, N JH, W ~8D, S ~9D, E 8H, "
        "N JD, W QD, S AD, E 7D, N AS, W 8S, S ~9C, E KS, N 9S, W TS, S ~JC, E QS, N TH, W ~7C, "
        "S ~TD, E QH, N 8C, W TC, S AC, E QC, S KD, E ~7S, N ~9H, W ~KC",
        status="complete",
        result=ruled("S", "missed", "trick 7, after N 8C", -2, 2),
    ),
]
"""Positions that a search which passed every other case judged wrongly."""
_CALLED_CLOSED = deal(
    "E",
    "7S 9H AH 8H AD 8D 9C TC",
    "JH TH 7H JD KD JC QC 8C",
    "JS TS KS QS 8S QH QD 7D",
    "KC 9S AS KH 9D TD AC 7C",
)
_THEN_WEST_LEADS = (
    "N 180, W 190, S pass, E pass, N pass, W trump KC, W pass, S pass, E pass, N pass, W closed, "
    "N 8S, W AS, S 7S, E ~KD, W caps 9S KH 9D TD AC KC 7C, W 9S, "
)
"""West calls too early, with the indicator still on the table, and leads a spade."""
STILL_CLOSED = [
    allows(
        "caps.order",
        "an early call shows the indicator, and trumps stay closed: the others discard face down",
        _CALLED_CLOSED,
        _THEN_WEST_LEADS + "S ~AH, E ~7H, N TS",
        status="in_progress",
    ),
    forbids(
        "hidden.down",
        "face up is still forbidden after an early call that has shown the indicator",
        _CALLED_CLOSED,
        _THEN_WEST_LEADS + "S AH",
    ),
]
CASES = [*FOUND, *STILL_CLOSED]
