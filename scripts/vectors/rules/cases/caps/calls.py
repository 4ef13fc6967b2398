"""Cases: who may and must call Caps, and what becomes of a call and of none."""

from __future__ import annotations

from scripts.vectors.rules.cases.caps.positions import ALL, NORTH, OPEN, REST, TWO, ruled
from scripts.vectors.rules.cases.case import Case, allows, deal, forbids, judges, passes, plays
from scripts.vectors.rules.cases.deals import EVEN, NINE, SPADES, late, north, to_play, won

CUT_IN = deal(
    "W",
    "JS 9S AS TS KS QS JH JD",
    "8S 7S 9D AD 9C AC TC KC",
    "TH QH 7H TD QD 7D JC 8C",
    "KH 8H KD 8D AH 9H QC 7C",
)
"""The same, but East has no heart: South's jack of hearts wins after the trumps, not before."""
_LOST = plays(
    "S JH 8S 7H 8H / E 7S 8C 7C QS / S JS KC 7D KH / S 9S TC QH 9H / S AS 9C TH AH /"
    "S TS AC JC QC / S KS 9D QD 8D / S JD AD TD KD"
)
_UNCALLED = plays(
    "E KC QC 7S JC / W KS KH JS TC / E 8H 9D JH TH / W 9H AH 7H 8C / W 8S QH 9S AD /"
    "E 7D JD TS KD / W QS 8D QD 9C / W AS TD AC 7C"
)
_SINCE = "trick 2, after S AS"
_SPADES = to_play("JS", "closed")
_SIXTH = won().rsplit(", ", 4)[0]
_CATS = f"E pass, N 160, W pass, S pass, E pass, N trump 8S, {passes('ENWS')}, N open"
_ACE = won("AC 8C KC")
WHO: list[Case] = [
    allows("caps.off", "where it is played", EVEN, f"{OPEN}, E caps {ALL}", status="in_progress"),
    forbids("caps.off", "where it is not", EVEN, f"{OPEN}, E caps {ALL}", rules={"caps": "off"}),
    allows("caps.order", "all cards in hand", EVEN, f"{TWO}, E caps {REST}", status="complete"),
    forbids("caps.order", "not all of them", EVEN, f"{TWO}, E caps JH 9H JD"),
    forbids("caps.order", "one of them twice", EVEN, f"{TWO}, E caps JH JH JD 9D JC 9C"),
    forbids("caps.order", "a card that was played", EVEN, f"{TWO}, E caps JS 9H JD 9D JC 9C"),
    forbids("caps.order", "another's card", EVEN, f"{TWO}, E caps AH 9H JD 9D JC 9C"),
    allows(
        "caps.order",
        "the lying indicator among them",
        EVEN,
        f"{to_play('9S', 'closed')}, E caps {ALL}",
        status="in_progress",
    ),
    forbids(
        "caps.order",
        "the lying indicator left out",
        EVEN,
        f"{to_play('9S', 'closed')}, E caps JS {REST}",
    ),
    allows(
        "caps.side",
        "one call in a hand",
        EVEN,
        f"{OPEN}, N caps {NORTH}",
        may_claim=["S", "E", "N", "W"],
    ),
    forbids("caps.side", "not a second one", EVEN, f"{OPEN}, E caps {ALL}, E caps {ALL}"),
    forbids("caps.side", "nor by the other side", EVEN, f"{OPEN}, E caps {ALL}, N caps {NORTH}"),
    allows(
        "caps.empty",
        "with one card left",
        EVEN,
        f"{OPEN}, {_SIXTH}, E caps 9C",
        status="complete",
        result=ruled("E", "late", _SINCE, 2, -2),
    ),
    forbids("caps.empty", "with none left", EVEN, f"{OPEN}, {_SIXTH}, E 9C, E caps"),
    forbids(
        "caps.side",
        "no card left, after a call: before caps.empty",
        EVEN,
        f"{OPEN}, E caps {ALL}, {_SIXTH}, E 9C, E caps",
    ),
    judges(
        "caps.empty",
        "so who has none left is not named among those who may claim",
        EVEN,
        f"{OPEN}, {_SIXTH}, E 9C",
        {"spoilt": "off"},
        may_claim=["S", "N", "W"],
    ),
    forbids("caps.order", "no card said, and some are left", EVEN, f"{OPEN}, {_SIXTH}, E caps"),
    allows(
        "caps.bound",
        "the stated order is played",
        EVEN,
        f"{OPEN}, E caps {ALL}, E JS",
        to_act=["N"],
    ),
    forbids("caps.bound", "no other card", EVEN, f"{OPEN}, E caps {ALL}, E 9S"),
    forbids(
        "caps.bound",
        "nor once a trick is lost",
        EVEN,
        f"{OPEN}, N caps {NORTH}, {plays('E JS TS QS 7S / E 9S 8S KS AS')}, E JH, N 8H",
    ),
    allows(
        "caps.bound",
        "what is illegal is passed over",
        EVEN,
        f"{OPEN}, N caps TH TS 8S 8H TD 8D TC 8C, E JS, N TS",
    ),
    forbids(
        "caps.bound",
        "for the first legal one",
        EVEN,
        f"{OPEN}, N caps TH TS 8S 8H TD 8D TC 8C, E JS, N 8S",
    ),
]
RULED: list[Case] = [
    judges(
        "caps.verdict",
        "correct: at the first moment; 1 for the bid, 1 for Caps",
        EVEN,
        f"{TWO}, E caps {REST}",
        status="complete",
        points={"NS": 0, "EW": 304},
        result=ruled("E", "correct", _SINCE, -2, 2),
    ),
    judges(
        "caps.verdict",
        "late: the next trick has begun",
        EVEN,
        f"{TWO}, E JH, E caps 9H JD 9D JC 9C",
        status="complete",
        result=ruled("E", "late", _SINCE, 2, -2),
    ),
    judges(
        "caps.late_ends",
        "a late call ends the hand, an unfinished trick stays so",
        EVEN,
        f"{TWO}, E JH, E caps 9H JD 9D JC 9C",
        phase="over",
        tricks=[
            {"leader": "E", "plays": ["E JS", "N TS", "W QS", "S 7S"], "winner": "E", "points": 42},
            {"leader": "E", "plays": ["E 9S", "N 8S", "W KS", "S AS"], "winner": "E", "points": 34},
            {"leader": "E", "plays": ["E JH"], "winner": None, "points": None},
        ],
    ),
    judges(
        "caps.verdict",
        "early: trumps are still out; no trick is lost",
        EVEN,
        f"{OPEN}, E caps {ALL}, {won()}",
        status="complete",
        points={"NS": 0, "EW": 304},
        result=ruled("E", "early", None, 2, -2),
    ),
    judges(
        "caps.verdict",
        "early by one card: South might have kept the ace",
        EVEN,
        f"{OPEN}, {plays('E JS TS QS 7S / E 9S 8S KS')}, E caps {REST}",
        status="in_progress",
        to_act=["S"],
    ),
    judges(
        "caps.verdict",
        "missed: nobody called",
        EVEN,
        f"{OPEN}, {won()}",
        status="complete",
        result=ruled("E", "missed", _SINCE, 2, -2),
    ),
    judges(
        "caps.verdict",
        "missed, also when a trick was lost afterwards",
        CUT_IN,
        f"{late('7S', 'open')}, {_LOST}",
        status="complete",
        points={"NS": 274, "EW": 30},
        result={**ruled("S", "missed", "before the first lead", -2, 2), "next_dealer": "S"},
    ),
    judges(
        "caps.failed",
        "a trick is lost after the call: 5; the other side's miss is not judged",
        EVEN,
        f"{OPEN}, N caps {NORTH}, {won()}",
        status="complete",
        result=ruled("N", "failed", None, -5, 5),
    ),
    judges(
        "caps.failed",
        "the trick of the call alone is lost",
        NINE,
        f"{OPEN}, E AC, N 8C, E caps JS 9S JH 9H JD 9D JC, W KC, S 9C, "
        + plays(
            "S 7S JS TS QS / E 9S 8S KS AS / E JH TH QH 7H / E 9H 8H KH AH / E JD TD QD 7D /"
            "E 9D 8D KD AD / E JC TC QC 7C"
        ),
        status="complete",
        result=ruled("E", "failed", None, 5, -5),
    ),
    judges(
        "caps.failed",
        "the bid has failed too, and is not paid beside it (wrong_caps=additive)",
        EVEN,
        f"{_CATS}, N caps {NORTH}, {won()}",
        rules="catsatcards",
        status="complete",
        result=ruled("N", "failed", None, -5, 5),
    ),
    judges(
        "caps.due",
        "strict: before the next card",
        EVEN,
        f"{TWO}, E caps {REST}",
        rules={"caps": "strict"},
        result=ruled("E", "correct", _SINCE, -2, 2),
    ),
    judges(
        "caps.due",
        "assist: as grace",
        EVEN,
        f"{TWO}, E caps {REST}",
        rules={"caps": "assist"},
        result=ruled("E", "correct", _SINCE, -2, 2),
    ),
    judges(
        "caps.off",
        "nobody misses what is not played",
        EVEN,
        f"{OPEN}, {won()}",
        rules={"caps": "off"},
        result={"tokens": {"NS": -1, "EW": 1}, "caps": None},
    ),
    judges(
        "caps.verdict",
        "correct after trick 7 has begun: nothing beside the bid",
        NINE,
        f"{OPEN}, {won().rsplit(', ', 5)[0]}, S 9C, E caps AC",
        status="complete",
        result=ruled("E", "correct", "trick 7, after S 9C", -1, 1),
    ),
    judges(
        "caps.spoilt",
        "trumps seen to be spoilt at the end come before Caps that was missed",
        SPADES,
        f"{OPEN}, {_UNCALLED}",
        {"spoilt": "auto"},
        status="void",
        result={"tokens": {"NS": 0, "EW": 0}, "caps": None, "next_dealer": "S"},
    ),
    judges(
        "caps.spoilt",
        "and before Caps whose call ended the hand",
        SPADES,
        f"{OPEN}, {_UNCALLED.rsplit(', ', 8)[0]}, W caps QS AS",
        {"spoilt": "auto"},
        status="void",
        result={"tokens": {"NS": 0, "EW": 0}, "caps": None, "next_dealer": "S"},
    ),
    judges(
        "caps.spoilt",
        "spoilt trumps called truly after an early Caps",
        SPADES,
        f"{_SPADES}, W caps AS TS KS QS 8S 7S JH 9H, N spoilt",
        status="void",
        result={"tokens": {"NS": 0, "EW": 0}, "caps": None, "next_dealer": "S"},
    ),
    judges(
        "caps.spoilt",
        "called falsely: only the violation counts",
        EVEN,
        f"{OPEN}, N caps {NORTH}, W spoilt",
        result={"tokens": {"NS": 4, "EW": -4}, "caps": None},
    ),
    judges(
        "caps.verdict",
        "early, instead of the failed bid",
        NINE,
        f"{north('8S', 'open')}, {_ACE}, S caps 9C, S 9C",
        status="complete",
        result=ruled("S", "early", None, -2, 2),
    ),
    judges(
        "caps.verdict",
        "early, beside the failed bid (wrong_caps=additive)",
        NINE,
        f"{_CATS}, {_ACE}, S caps 9C, S 9C",
        rules="catsatcards",
        result=ruled("S", "early", None, -4, 4),
    ),
]
CASES = [*WHO, *RULED]
