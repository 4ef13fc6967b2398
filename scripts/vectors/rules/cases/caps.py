"""Cases: Caps, called and not called, and what becomes of it."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, allows, deal, forbids, judges, passes, plays
from scripts.vectors.rules.cases.deals import (
    EVEN,
    LONG,
    NINE,
    SPADES,
    WHOLE_SUITS,
    late,
    north,
    to_play,
    won,
)

EXTERNAL = deal(
    "W",
    "JS 9S AS TS KS QS JH JD",
    "8S 7S 9H AH 9D AD 9C AC",
    "TH QH 7H TD QD 7D JC 8C",
    "KH 8H KD 8D TC KC QC 7C",
)
"""East makes spades trumps, of which South has the best six; South leads first."""
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
_OPEN = to_play("JS", "open")
_TWO = f"{_OPEN}, {plays('E JS TS QS 7S / E 9S 8S KS AS')}"
"""All trumps are out: from South's ace on East can call Caps."""
_REST, _ALL = "JH 9H JD 9D JC 9C", "JS 9S JH 9H JD 9D JC 9C"
_NORTH = "TS 8S TH 8H TD 8D TC 8C"
_SINCE = "trick 2, after S AS"
_SPADES = to_play("JS", "closed")
_EXT, _SIX = late("7S", "open"), "JS 9S AS TS KS QS JH JD"
_EXT_WON = f"{_EXT}, " + plays(
    "S JS 7S 7H 8H / S 9S 8S QH KH / S AS 9C TH 7C / S TS AC QD QC / S KS 9D TD KC /"
    "S QS 9H JC TC / S JH AH 8C KD / S JD AD 7D 8D"
)
_SIXTH = won().rsplit(", ", 4)[0]
_CATS = f"E pass, N 160, W pass, S pass, E pass, N trump 8S, {passes('ENWS')}, N open"
_ACE = won("AC 8C KC")


def _ruled(by: str, verdict: str, since: str | None, ns: int, ew: int) -> dict[str, object]:
    caps = {"by": by, "verdict": verdict, "since": since}
    return {"tokens": {"NS": ns, "EW": ew}, "caps": caps, "next_dealer": "E"}


WHO: list[Case] = [
    allows("caps.off", "where it is played", EVEN, f"{_OPEN}, E caps {_ALL}", status="in_progress"),
    forbids("caps.off", "where it is not", EVEN, f"{_OPEN}, E caps {_ALL}", rules={"caps": "off"}),
    allows("caps.order", "all cards in hand", EVEN, f"{_TWO}, E caps {_REST}", status="complete"),
    forbids("caps.order", "not all of them", EVEN, f"{_TWO}, E caps JH 9H JD"),
    forbids("caps.order", "one of them twice", EVEN, f"{_TWO}, E caps JH JH JD 9D JC 9C"),
    forbids("caps.order", "a card that was played", EVEN, f"{_TWO}, E caps JS 9H JD 9D JC 9C"),
    forbids("caps.order", "another's card", EVEN, f"{_TWO}, E caps AH 9H JD 9D JC 9C"),
    allows(
        "caps.order",
        "the lying indicator among them",
        EVEN,
        f"{to_play('9S', 'closed')}, E caps {_ALL}",
        status="in_progress",
    ),
    forbids(
        "caps.order",
        "the lying indicator left out",
        EVEN,
        f"{to_play('9S', 'closed')}, E caps JS {_REST}",
    ),
    allows(
        "caps.side",
        "one call in a hand",
        EVEN,
        f"{_OPEN}, N caps {_NORTH}",
        may_claim=["S", "E", "N", "W"],
    ),
    forbids("caps.side", "not a second one", EVEN, f"{_OPEN}, E caps {_ALL}, E caps {_ALL}"),
    forbids("caps.side", "nor by the other side", EVEN, f"{_OPEN}, E caps {_ALL}, N caps {_NORTH}"),
    allows(
        "caps.empty",
        "with one card left",
        EVEN,
        f"{_OPEN}, {_SIXTH}, E caps 9C",
        status="complete",
        result=_ruled("E", "late", _SINCE, 2, -2),
    ),
    forbids("caps.empty", "with none left", EVEN, f"{_OPEN}, {_SIXTH}, E 9C, E caps"),
    forbids(
        "caps.side",
        "no card left, after a call: before caps.empty",
        EVEN,
        f"{_OPEN}, E caps {_ALL}, {_SIXTH}, E 9C, E caps",
    ),
    judges(
        "caps.empty",
        "so who has none left is not named among those who may claim",
        EVEN,
        f"{_OPEN}, {_SIXTH}, E 9C",
        {"spoilt": "off"},
        may_claim=["S", "N", "W"],
    ),
    forbids("caps.order", "no card said, and some are left", EVEN, f"{_OPEN}, {_SIXTH}, E caps"),
    allows(
        "caps.bound",
        "the stated order is played",
        EVEN,
        f"{_OPEN}, E caps {_ALL}, E JS",
        to_act=["N"],
    ),
    forbids("caps.bound", "no other card", EVEN, f"{_OPEN}, E caps {_ALL}, E 9S"),
    forbids(
        "caps.bound",
        "nor once a trick is lost",
        EVEN,
        f"{_OPEN}, N caps {_NORTH}, {plays('E JS TS QS 7S / E 9S 8S KS AS')}, E JH, N 8H",
    ),
    allows(
        "caps.bound",
        "what is illegal is passed over",
        EVEN,
        f"{_OPEN}, N caps TH TS 8S 8H TD 8D TC 8C, E JS, N TS",
    ),
    forbids(
        "caps.bound",
        "for the first legal one",
        EVEN,
        f"{_OPEN}, N caps TH TS 8S 8H TD 8D TC 8C, E JS, N 8S",
    ),
]
RULED: list[Case] = [
    judges(
        "caps.verdict",
        "correct: at the first moment; 1 for the bid, 1 for Caps",
        EVEN,
        f"{_TWO}, E caps {_REST}",
        status="complete",
        points={"NS": 0, "EW": 304},
        result=_ruled("E", "correct", _SINCE, -2, 2),
    ),
    judges(
        "caps.verdict",
        "late: the next trick has begun",
        EVEN,
        f"{_TWO}, E JH, E caps 9H JD 9D JC 9C",
        status="complete",
        result=_ruled("E", "late", _SINCE, 2, -2),
    ),
    judges(
        "caps.late_ends",
        "a late call ends the hand, an unfinished trick stays so",
        EVEN,
        f"{_TWO}, E JH, E caps 9H JD 9D JC 9C",
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
        f"{_OPEN}, E caps {_ALL}, {won()}",
        status="complete",
        points={"NS": 0, "EW": 304},
        result=_ruled("E", "early", None, 2, -2),
    ),
    judges(
        "caps.verdict",
        "early by one card: South might have kept the ace",
        EVEN,
        f"{_OPEN}, {plays('E JS TS QS 7S / E 9S 8S KS')}, E caps {_REST}",
        status="in_progress",
        to_act=["S"],
    ),
    judges(
        "caps.verdict",
        "missed: nobody called",
        EVEN,
        f"{_OPEN}, {won()}",
        status="complete",
        result=_ruled("E", "missed", _SINCE, 2, -2),
    ),
    judges(
        "caps.verdict",
        "missed, also when a trick was lost afterwards",
        CUT_IN,
        f"{late('7S', 'open')}, {_LOST}",
        status="complete",
        points={"NS": 274, "EW": 30},
        result={**_ruled("S", "missed", "before the first lead", -2, 2), "next_dealer": "S"},
    ),
    judges(
        "caps.failed",
        "a trick is lost after the call: 5; the other side's miss is not judged",
        EVEN,
        f"{_OPEN}, N caps {_NORTH}, {won()}",
        status="complete",
        result=_ruled("N", "failed", None, -5, 5),
    ),
    judges(
        "caps.failed",
        "the trick of the call alone is lost",
        NINE,
        f"{_OPEN}, E AC, N 8C, E caps JS 9S JH 9H JD 9D JC, W KC, S 9C, "
        + plays(
            "S 7S JS TS QS / E 9S 8S KS AS / E JH TH QH 7H / E 9H 8H KH AH / E JD TD QD 7D /"
            "E 9D 8D KD AD / E JC TC QC 7C"
        ),
        status="complete",
        result=_ruled("E", "failed", None, 5, -5),
    ),
    judges(
        "caps.failed",
        "the bid has failed too, and is not paid beside it (wrong_caps=additive)",
        EVEN,
        f"{_CATS}, N caps {_NORTH}, {won()}",
        rules="catsatcards",
        status="complete",
        result=_ruled("N", "failed", None, -5, 5),
    ),
    judges(
        "caps.due",
        "strict: before the next card",
        EVEN,
        f"{_TWO}, E caps {_REST}",
        rules={"caps": "strict"},
        result=_ruled("E", "correct", _SINCE, -2, 2),
    ),
    judges(
        "caps.due",
        "assist: as grace",
        EVEN,
        f"{_TWO}, E caps {_REST}",
        rules={"caps": "assist"},
        result=_ruled("E", "correct", _SINCE, -2, 2),
    ),
    judges(
        "caps.off",
        "nobody misses what is not played",
        EVEN,
        f"{_OPEN}, {won()}",
        rules={"caps": "off"},
        result={"tokens": {"NS": -1, "EW": 1}, "caps": None},
    ),
    judges(
        "caps.verdict",
        "correct after trick 7 has begun: nothing beside the bid",
        NINE,
        f"{_OPEN}, {won().rsplit(', ', 5)[0]}, S 9C, E caps AC",
        status="complete",
        result=_ruled("E", "correct", "trick 7, after S 9C", -1, 1),
    ),
    judges(
        "caps.spoilt",
        "trumps seen to be spoilt at the end come before Caps that was missed",
        SPADES,
        f"{_OPEN}, {_UNCALLED}",
        {"spoilt": "auto"},
        status="void",
        result={"tokens": {"NS": 0, "EW": 0}, "caps": None, "next_dealer": "S"},
    ),
    judges(
        "caps.spoilt",
        "and before Caps whose call ended the hand",
        SPADES,
        f"{_OPEN}, {_UNCALLED.rsplit(', ', 8)[0]}, W caps QS AS",
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
        f"{_OPEN}, N caps {_NORTH}, W spoilt",
        result={"tokens": {"NS": 4, "EW": -4}, "caps": None},
    ),
    judges(
        "caps.verdict",
        "early, instead of the failed bid",
        NINE,
        f"{north('8S', 'open')}, {_ACE}, S caps 9C, S 9C",
        status="complete",
        result=_ruled("S", "early", None, -2, 2),
    ),
    judges(
        "caps.verdict",
        "early, beside the failed bid (wrong_caps=additive)",
        NINE,
        f"{_CATS}, {_ACE}, S caps 9C, S 9C",
        rules="catsatcards",
        result=_ruled("S", "early", None, -4, 4),
    ),
]
_SEVEN_SPADES = plays(
    "E JS JD JC JH / E 9S 9D 9C 9H / E AS AD AC AH / E TS TD TC TH /"
    "E KS KD KC KH / E QS QD QC QH / E 8S 8D 8C 8H"
)
_HEARTS = f"{to_play('7S', 'closed')}, {plays('E JH KH 9H AH')}"
SHARED: list[Case] = [
    judges(
        "caps.verdict",
        "West can call now, but its partner had been due: late",
        WHOLE_SUITS,
        f"{to_play('7S', 'open')}, {_SEVEN_SPADES}, W caps 7C",
        status="complete",
        result=_ruled("W", "late", "before the first lead", 2, -2),
    ),
    judges(
        "caps.worlds",
        "the indicator comes last in the order, as it must be led: correct",
        LONG,
        f"{_HEARTS}, E caps JS 9S AS TS KS QS 7S",
        status="complete",
        result=_ruled("E", "correct", "trick 1, after S AH", -2, 2),
    ),
    judges(
        "caps.worlds",
        "the same cards, but the second of the order may not be led then: not correct",
        LONG,
        f"{_HEARTS}, E caps JS 7S 9S AS TS KS QS",
        status="in_progress",
        to_act=["E"],
    ),
]
_BOTH = deal(
    "S",
    "AH 7H AD 7D QD 9C 7C QC",
    "JS 9S TS JH 9H JD 9D AC",
    "7S TH 8H TD 8D JC 8C TC",
    "AS KS QS 8S KH QH KD KC",
)
"""East's ace of clubs may lose to South's nine; after it East's jack and West's trump must win."""
SHARED.append(
    judges(
        "caps.due",
        "for two partners at one moment: the lowest seat is named",
        _BOTH,
        f"{_OPEN}, "
        + plays(
            "E JS 7S 8S QC / E 9S JC KS QD / E TS TC QS 7D / E JH TH KH AH / E 9H 8H QH 7H /"
            "E 9D TD KD AD / E AC 8C KC 7C / E JD 8D AS 9C"
        ),
        status="complete",
        result=_ruled("E", "missed", "trick 7, after S 7C", 2, -2),
    )
)
OUTSIDE: list[Case] = [
    judges(
        "external",
        "the opponents call before the first lead: a failed bid and 1",
        EXTERNAL,
        f"{_EXT}, S caps {_SIX}",
        status="complete",
        result={**_ruled("S", "correct", "before the first lead", 3, -3), "next_dealer": "S"},
    ),
    judges(
        "external",
        "formerly 8",
        EXTERNAL,
        f"{_EXT}, S caps {_SIX}",
        rules={"external_caps": 8},
        result={"tokens": {"NS": 8, "EW": -8}},
    ),
    judges(
        "external",
        "off: as a failed bid",
        EXTERNAL,
        f"{_EXT}, S caps {_SIX}",
        rules={"external_caps": "off"},
        result={"tokens": {"NS": 2, "EW": -2}},
    ),
    forbids(
        "external",
        "none: the opponents cannot call",
        EXTERNAL,
        f"{_EXT}, S caps {_SIX}",
        rules={"external_caps": "none"},
    ),
    forbids(
        "external",
        "none: nor after a call of the trump maker's side: before caps.side",
        EVEN,
        f"{_OPEN}, E caps {_ALL}, N caps {_NORTH}",
        rules={"external_caps": "none"},
    ),
    judges(
        "external",
        "correct after trick 7 has begun: nothing beside the failed bid",
        NINE,
        f"{north('8S', 'open')}, {won().rsplit(', ', 5)[0]}, S 9C, E caps AC",
        status="complete",
        result=_ruled("E", "correct", "trick 7, after S 9C", -2, 2),
    ),
    allows(
        "external",
        "none: the trump maker's side can",
        EVEN,
        f"{_TWO}, E caps {_REST}",
        rules={"external_caps": "none"},
        status="complete",
    ),
    judges(
        "external",
        "none: opponents who win every trick without a call owe nothing",
        EXTERNAL,
        _EXT_WON,
        rules={"external_caps": "none"},
        result={"tokens": {"NS": 2, "EW": -2}, "caps": None},
    ),
    judges(
        "external",
        "and where a call is owed they have missed it",
        EXTERNAL,
        _EXT_WON,
        result={"tokens": {"NS": -2, "EW": 2}},
    ),
    judges(
        "caps.due",
        "due before the first lead: on time until the second trick begins",
        EXTERNAL,
        f"{_EXT}, {plays('S JS 7S 7H 8H')}, S caps 9S AS TS KS QS JH JD",
        result={"caps": {"by": "S", "verdict": "correct", "since": "before the first lead"}},
    ),
    judges(
        "caps.due",
        "and late from then on",
        EXTERNAL,
        f"{_EXT}, {plays('S JS 7S 7H 8H')}, S 9S, S caps AS TS KS QS JH JD",
        result={
            "tokens": {"NS": -2, "EW": 2},
            "caps": {"by": "S", "verdict": "late", "since": "before the first lead"},
        },
    ),
    judges(
        "caps.due",
        "strict: late once a card is played",
        EXTERNAL,
        f"{_EXT}, S JS, S caps 9S AS TS KS QS JH JD",
        rules={"caps": "strict"},
        result={"caps": {"by": "S", "verdict": "late", "since": "before the first lead"}},
    ),
    judges(
        "caps.worlds",
        "closed: South does not know the trump suit",
        EXTERNAL,
        f"{late('7S', 'closed')}, S caps {_SIX}",
        status="in_progress",
        to_act=["S"],
    ),
]
_TENTH = deal(
    "E",
    "QS 7S QC 8D 7D 8H KS QH",
    "TH JH 9S AS AH JS 9H TS",
    "KH 7H 8S QD KD 7C AD 8C",
    "TD TC AC JD 9D JC 9C KC",
)
"""West's indicator, the ten of diamonds, is West's last card. North's ace of diamonds beats it."""
_ANNOUNCED = deal(
    "E",
    "TD AS TS 9H AH 9S TH JS",
    "QS KH 8H KS KD 7S 8S 7H",
    "AD JD 9C JC TC JH 9D AC",
    "KC 8D QD QC 7C QH 7D 8C",
)
"""After the announcement of the sixth trick North knows that no diamond beats the ace and jack."""
LYING: list[Case] = [
    judges(
        "caps.worlds",
        "a partner's lying indicator may be the weakest of its kind",
        _TENTH,
        f"N pass, W 160, S pass, E pass, N pass, W trump TD, {passes('WSEN')}, W closed, "
        + plays(
            "N KD JD 8D ~JS / W JC QC ~JH 7C / W KC ~8H ~9H 8C / W 9D 7D ~9S QD / W 9C ~7S ~AS ~7H"
            "/ W AC ~QH ~AH ~KH / W TC ~QS ~TS ~8S / W TD KS TH AD"
        ),
        result={"tokens": {"NS": -1, "EW": 1}, "caps": None},
    ),
    judges(
        "caps.due",
        "at an announcement",
        _ANNOUNCED,
        f"N 160, W pass, S pass, E pass, N trump JD, {passes('NWSE')}, N closed, "
        + plays(
            "N JH QH TH KH / N JC 7C ~JS ~KS / N 9D 7D TD KD / N TC 8C ~AS ~7H / N AC QC ~9S ~7S /"
            "N 9C KC ~9H ~8H / N AD 8D ~AH ~8S / N JD QD TS QS"
        ),
        result=_ruled("N", "missed", "trick 6, after its announcement", -2, 2)
        | {"next_dealer": "N"},
    ),
]
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
        result={**_ruled("N", "correct", "before the first lead", 2, -2), "next_dealer": "N"},
    ),
    judges(
        "caps.worlds",
        "so does its partner: in each world with clubs as trumps that hand holds nothing else",
        _SIX_CLUBS,
        f"{_CLUBS_LED}, W ~TS, S ~KH, E ~QS, S caps JS 9S JD AD QD",
        {**_ALONE, "exhausted": "off"},
        status="complete",
        result={**_ruled("S", "correct", "before the first lead", 2, -2), "next_dealer": "N"},
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
        result={**_ruled("S", "late", "trick 4, after N 9C", -2, 2), "next_dealer": "W"},
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
        result=_ruled("N", "correct", "trick 5, after W 7D", 2, -2),
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
        result=_ruled("S", "missed", "trick 7, after N 8C", -2, 2),
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
CASES = [*WHO, *RULED, *SHARED, *OUTSIDE, *LYING, *FOUND, *STILL_CLOSED]
