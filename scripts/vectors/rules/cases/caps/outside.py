"""Cases: Caps that a partner, or opponents, can call, and what a lying indicator tells."""

from __future__ import annotations

from scripts.vectors.rules.cases.caps.positions import ALL, NORTH, OPEN, REST, TWO, ruled
from scripts.vectors.rules.cases.case import Case, allows, deal, forbids, judges, passes, plays
from scripts.vectors.rules.cases.deals import (
    EVEN,
    LONG,
    NINE,
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
_EXT, _SIX = late("7S", "open"), "JS 9S AS TS KS QS JH JD"
_EXT_WON = f"{_EXT}, " + plays(
    "S JS 7S 7H 8H / S 9S 8S QH KH / S AS 9C TH 7C / S TS AC QD QC / S KS 9D TD KC /"
    "S QS 9H JC TC / S JH AH 8C KD / S JD AD 7D 8D"
)
_SEVEN_SPADES = plays(
    "E JS JD JC JH / E 9S 9D 9C 9H / E AS AD AC AH / E TS TD TC TH /"
    "E KS KD KC KH / E QS QD QC QH / E 8S 8D 8C 8H"
)
_HEARTS = f"{to_play('7S', 'closed')}, {plays('E JH KH 9H AH')}"
_BOTH = deal(
    "S",
    "AH 7H AD 7D QD 9C 7C QC",
    "JS 9S TS JH 9H JD 9D AC",
    "7S TH 8H TD 8D JC 8C TC",
    "AS KS QS 8S KH QH KD KC",
)
"""East's ace of clubs may lose to South's nine; after it East's jack and West's trump must win."""
SHARED: list[Case] = [
    judges(
        "caps.verdict",
        "West can call now, but its partner had been due: late",
        WHOLE_SUITS,
        f"{to_play('7S', 'open')}, {_SEVEN_SPADES}, W caps 7C",
        status="complete",
        result=ruled("W", "late", "before the first lead", 2, -2),
    ),
    judges(
        "caps.worlds",
        "the indicator comes last in the order, as it must be led: correct",
        LONG,
        f"{_HEARTS}, E caps JS 9S AS TS KS QS 7S",
        status="complete",
        result=ruled("E", "correct", "trick 1, after S AH", -2, 2),
    ),
    judges(
        "caps.worlds",
        "the same cards, but the second of the order may not be led then: not correct",
        LONG,
        f"{_HEARTS}, E caps JS 7S 9S AS TS KS QS",
        status="in_progress",
        to_act=["E"],
    ),
    judges(
        "caps.due",
        "for two partners at one moment: the lowest seat is named",
        _BOTH,
        f"{OPEN}, "
        + plays(
            "E JS 7S 8S QC / E 9S JC KS QD / E TS TC QS 7D / E JH TH KH AH / E 9H 8H QH 7H /"
            "E 9D TD KD AD / E AC 8C KC 7C / E JD 8D AS 9C"
        ),
        status="complete",
        result=ruled("E", "missed", "trick 7, after S 7C", 2, -2),
    ),
]
OUTSIDE: list[Case] = [
    judges(
        "external",
        "the opponents call before the first lead: a failed bid and 1",
        EXTERNAL,
        f"{_EXT}, S caps {_SIX}",
        status="complete",
        result={**ruled("S", "correct", "before the first lead", 3, -3), "next_dealer": "S"},
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
        f"{OPEN}, E caps {ALL}, N caps {NORTH}",
        rules={"external_caps": "none"},
    ),
    judges(
        "external",
        "correct after trick 7 has begun: nothing beside the failed bid",
        NINE,
        f"{north('8S', 'open')}, {won().rsplit(', ', 5)[0]}, S 9C, E caps AC",
        status="complete",
        result=ruled("E", "correct", "trick 7, after S 9C", -2, 2),
    ),
    allows(
        "external",
        "none: the trump maker's side can",
        EVEN,
        f"{TWO}, E caps {REST}",
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
        result=ruled("N", "missed", "trick 6, after its announcement", -2, 2)
        | {"next_dealer": "N"},
    ),
]
CASES = [*SHARED, *OUTSIDE, *LYING]
