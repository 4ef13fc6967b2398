"""Cases: double."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, allows, forbids, judges, plays
from scripts.vectors.rules.cases.deals import EVEN, NINE, bid, to_play

_D = "tamil-304"
_DOUBLE = f"{bid()}, E trump JS, E open"
_FIVE = plays("E JS TS QS 7S / E 9S 8S KS AS / E JH TH QH 7H / E 9H 8H KH AH / E JD TD QD 7D")
_THREE_MORE = plays("E 9D 8D KD AD / E JC TC QC 7C / E 9C 8C KC AC")
_FAILING = plays("E 9D 8D KD AD / E JC TC QC 7C / E AC 8C KC 9C")
_LOST_ONE = plays("E AC 8C KC 9C / S 7S JS TS QS / E 9S 8S KS AS / E JH TH QH 7H / E 9H 8H KH AH")
CASES: list[Case] = [
    allows(
        "double.when",
        "after five tricks, before the sixth",
        EVEN,
        f"{_DOUBLE}, {_FIVE}, E double",
        rules=_D,
        to_act=["E"],
    ),
    forbids(
        "double.when",
        "not after four",
        EVEN,
        f"{_DOUBLE}, {_FIVE.rsplit(', ', 4)[0]}, E double",
        rules=_D,
    ),
    forbids(
        "double.when",
        "not in the middle of a trick",
        EVEN,
        f"{_DOUBLE}, {_FIVE}, E 9D, N double",
        rules=_D,
    ),
    forbids("double.when", "once", EVEN, f"{_DOUBLE}, {_FIVE}, E double, E double", rules=_D),
    forbids(
        "double.when", "not played elsewhere", EVEN, f"{to_play('JS', 'open')}, {_FIVE}, E double"
    ),
    allows("double.won", "every trick won so far", EVEN, f"{_DOUBLE}, {_FIVE}, E double", rules=_D),
    forbids("double.won", "one was lost", NINE, f"{_DOUBLE}, {_LOST_ONE}, E double", rules=_D),
    judges(
        "double.pays",
        "all eight: one token more than the bid",
        EVEN,
        f"{_DOUBLE}, {_FIVE}, E double, {_THREE_MORE}",
        rules=_D,
        status="complete",
        result={"tokens": {"NS": -2, "EW": 2}},
    ),
    judges(
        "double.pays",
        "Caps that was missed is paid in place of the double",
        EVEN,
        f"{to_play('JS', 'open')}, {_FIVE}, E double, {_THREE_MORE}",
        rules={"double": "on"},
        status="complete",
        result={"tokens": {"NS": 2, "EW": -2}},
    ),
    judges(
        "double.pays",
        "not said: the bid alone",
        EVEN,
        f"{_DOUBLE}, {_FIVE}, {_THREE_MORE}",
        rules=_D,
        result={"tokens": {"NS": -1, "EW": 1}},
    ),
    judges(
        "double.pays",
        "a trick lost: as a failed bid, and one more",
        NINE,
        f"{_DOUBLE}, {_FIVE}, E double, {_FAILING}",
        rules=_D,
        result={"tokens": {"NS": 3, "EW": -3}},
    ),
]
