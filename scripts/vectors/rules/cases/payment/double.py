"""Cases: what a double, a missed call of Caps and a violation come to together, and games of fewer
than eight tricks.
"""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, deal, judges, plays
from scripts.vectors.rules.cases.deals import EVEN, NINE, north, to_play, won
from scripts.vectors.rules.cases.variants.marriages import MARRIED

SHORT = deal(
    "S", "9C QC AD TD KD QD", "JS 9S AS TS JC AC", "QS TC JH 9H AH TH", "KS KC KH QH JD 9D"
)
"""24 cards; East has the best spades, and jack and ace of clubs; South has the nine between."""
LATER = deal(
    "S",
    "AH 7H AD 7D AS 7S AC 7C",
    "JS 9S JH 9H JD 9D JC 9C",
    "TH 8H TD 8D TS 8S TC 8C",
    "KS QS KH QH KD QD KC QC",
)
"""North and South have no spade among their first four cards, and two among the others."""
_PACK = {"pack": 24, "deal": "4+2"}
_DOUBLE = {"double": "on"}
_FIVE = "E JS TS QS 7S / E 9S 8S KS AS / E JH TH QH 7H / E 9H 8H KH AH / E JD TD QD 7D"
_OTHERS = f"E pass, N 160, W pass, S pass, N trump 8S, N open, {plays(_FIVE)}, E double"
_THREE_TRICKS = plays("E JS QS KS QC / E 9S TC KC QD / E AS JH JD KD")
_LOST = plays("E TS 9H 9D TD / E AC AH KH 9C / S AD JC TH QH")
_BEFORE_LAST = plays(
    "E 9S 8S QC AS / E KS 8C 9C 7C / E QS TC JC AC / E JH TH KH 7H / E 9H 8H QH AH / E AD TD KD 9D"
)
_SINCE = "trick 2, after W KC"
_CLUBS = plays("E JS QS KS QD / E 9S JH JD KD / E AS 9H 9D TD / E TS AH KH AD / E JC TC KC 9C")
_COURT = "E halfcourt, E trump JS, E open"


def _paid(ns: int, **more: object) -> dict[str, object]:
    return {"tokens": {"NS": ns, "EW": -ns}, **more}


_MISSED = {"by": "E", "verdict": "missed", "since": _SINCE}

CASES: list[Case] = [
    judges(
        "double.pays",
        "by the opponents, and all eight: one more than the failed bid",
        EVEN,
        f"{_OTHERS}, {plays('E 9D 8D KD AD / E JC TC QC 7C / E 9C 8C KC AC')}",
        "tamil-304",
        result=_paid(-3),
    ),
    judges(
        "double.pays",
        "by the opponents, and a trick lost: they pay a failed bid and one more",
        NINE,
        f"{_OTHERS}, {plays('E 9D 8D KD AD / E JC TC QC 7C / E AC 8C KC 9C')}",
        "tamil-304",
        result=_paid(3),
    ),
    judges(
        "payment",
        "wrong_caps=additive: the trump maker's side missed, and its bid failed with 206 points",
        SHORT,
        f"{to_play('9S', 'open', '210')}, {_THREE_TRICKS}, {_LOST}",
        {**_PACK, "wrong_caps": "additive"},
        points={"NS": 98, "EW": 206},
        result=_paid(5, caps=_MISSED),
    ),
    judges(
        "payment",
        "and its bid was reached, though a double failed",
        SHORT,
        f"{to_play('9S', 'open', '200')}, {_THREE_TRICKS}, E double, {_LOST}",
        {**_PACK, **_DOUBLE, "wrong_caps": "additive"},
        result=_paid(2, caps=_MISSED),
    ),
    judges(
        "payment",
        "and its bid of 300 was reached, with 260 points and a marriage",
        MARRIED,
        f"{to_play('QS', 'open', '300')}, {plays('E JS TS KC 7S')}, E marriage S, {_BEFORE_LAST}, "
        "S 7D, E caps JD, E JD, N 8D, W QD",
        {"wrong_caps": "additive", "marriages": "on"},
        points={"NS": 44, "EW": 260},
        result=_paid(2, caps={"by": "E", "verdict": "early", "since": None}),
    ),
    judges(
        "payment",
        "and the opponents alone missed: the failed bid is not paid",
        EVEN,
        f"{north('8S', 'open')}, {won()}",
        {"wrong_caps": "additive"},
        result=_paid(2),
    ),
    judges(
        "caps.verdict",
        "of six tricks the fifth has begun: no bonus",
        SHORT,
        f"{to_play('9S', 'open')}, {_CLUBS}, E caps AC",
        _PACK,
        result=_paid(-1, caps={"by": "E", "verdict": "correct", "since": "trick 5, after S 9C"}),
    ),
    judges(
        "violation.worst",
        "after a double by the trump maker the opponents offend: one more",
        EVEN,
        f"{to_play('JS', 'open')}, {plays(_FIVE)}, E double, N spoilt",
        _DOUBLE,
        result=_paid(-4),
    ),
    judges(
        "violation.worst",
        "the trump maker's side, which said it, offends: what the bid loses, and one more",
        EVEN,
        f"{to_play('JS', 'open')}, {plays(_FIVE)}, E double, E spoilt",
        _DOUBLE,
        result=_paid(5),
    ),
    judges(
        "violation.worst",
        "the opponents said it, and offend: what the bid loses for them too, and one more",
        EVEN,
        f"{north('8S', 'open')}, {plays(_FIVE)}, E double, E spoilt",
        _DOUBLE,
        result=_paid(5),
    ),
    judges(
        "violation.worst",
        "the eight of External Caps is no longer at stake once the opponents have lost a trick",
        EVEN,
        f"{to_play('JS', 'open')}, {plays('E JS TS QS 7S')}, E spoilt",
        {"external_caps": 8},
        result=_paid(4),
    ),
    judges(
        "spoilt.what",
        "half court: cards that were never dealt do not count",
        LATER,
        f"{_COURT}, E spoilt",
        "half-court",
        status="void",
    ),
    judges(
        "spoilt.what",
        "the same, where spoilt trumps are seen at the end",
        LATER,
        f"{_COURT}, {plays('E JS 8D 7D / E 9S TD AD / E JH TH 7H / E 9H 8H AH', 'ENS')}",
        {"preset": "half-court", "spoilt": "auto"},
        status="void",
    ),
]
