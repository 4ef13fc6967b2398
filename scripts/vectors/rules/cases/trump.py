"""Cases: the indicator, what the trump maker says before the first lead."""

from __future__ import annotations

from itertools import combinations

from scripts.vectors.rules.cases.case import Case, allows, deal, forbids, judges, passes, plays
from scripts.vectors.rules.cases.deals import ALL_TRUMPS, SPADES, bid, late, to_play

OPEN_OFF = {"open_trump": "off"}
BEST = deal(
    "S",
    "TS KH QD 7C AC KC QC TC",
    "JS JH JD JC KS QS 8S 7S",
    "9S 9H 9D 9C TH QH 8H 7H",
    "AS AH AD KD TD 8D 7D 8C",
)
"""East's first four cards are the jacks, North's the nines."""
THREE = deal(
    "3",
    "JS 9S AS JH 9H AH JD 9D JC 9C",
    "TS KS QS TH KH QH AD TD AC TC",
    "8S 7S 8H 7H KD QD 8D KC QC 8C",
    pile="7D 7C",
)
STUCK = {**ALL_TRUMPS, "dealer": "S"}
"""East holds every spade and leads first."""
_STUCK = f"{bid()}, E trump JS, {passes('ENWS')}"
_THREE = "1 150, 2 pass, 3 pass, 1 trump 9C"
_HELD = ["JS", "9S", "AS", "JH", "9H", "AH", "JD", "9D", "JC"]
_COURT = "E halfcourt, E trump JS"
_JACKS = plays("E JS 9S AS TS / E JH 9H AH KH / E JD 9D AD QD / E JC 9C KD 7C")

CASES: list[Case] = [
    allows(
        "card.held",
        "one of the four cards",
        SPADES,
        f"{bid()}, E trump JS",
        contract={"trump": "S"},
    ),
    forbids("card.held", "the second batch is not out yet", SPADES, f"{bid()}, E trump AC"),
    allows(
        "card.held",
        "in the second round any of eight",
        SPADES,
        f"{bid()}, E trump JS, E 250, N pass, W pass, S pass, E trump AC",
        contract={"trump": "C"},
    ),
    forbids("card.held", "another's card", SPADES, f"{to_play('JS', 'closed')}, E JD"),
    forbids("card.held", "laid away", THREE, f"{_THREE}, 1 exchange 8S 7S", rules="online-3"),
    allows(
        "open.off",
        "open trump is chosen",
        SPADES,
        to_play("JS", "open"),
        contract={"open": True, "shown": True, "trump": "S"},
    ),
    forbids(
        "open.off", "not where it is not played", SPADES, to_play("JS", "open"), rules=OPEN_OFF
    ),
    allows("declare.stuck", "open trump", STUCK, f"{_STUCK}, E open", to_act=["E"]),
    forbids(
        "declare.stuck", "closed: there would be nothing to lead", STUCK, f"{_STUCK}, E closed"
    ),
    allows(
        "declare.stuck",
        "closed, when another leads",
        ALL_TRUMPS,
        late("JS", "closed"),
        to_act=["S"],
    ),
    allows(
        "declare.stuck",
        "closed, where open trump is not played: a trump is led",
        STUCK,
        f"{_STUCK}, E closed, E 9S",
        rules=OPEN_OFF,
    ),
    allows(
        "call.card",
        "a card of the pack",
        BEST,
        f"{_COURT}, E partner 9H",
        rules="maharashtra",
        phase="declare",
    ),
    forbids(
        "call.card", "no six in this pack", BEST, f"{_COURT}, E partner 6S", rules="maharashtra"
    ),
    judges(
        "call.alone",
        "who plays the called card is the partner and is paid with East",
        BEST,
        f"{_COURT}, E partner 9H, E open, {_JACKS}",
        rules="maharashtra",
        status="complete",
        points={"S": 0, "E": 251, "N": 0, "W": 0},
        result={"tokens": {"S": -4, "E": 4, "N": 4, "W": -4}, "next_dealer": "E"},
    ),
    judges(
        "call.alone",
        "one's own card: alone against three",
        BEST,
        f"{_COURT}, E partner JH, E open, {_JACKS}",
        rules="maharashtra",
        result={"tokens": {"S": -4, "E": 12, "N": -4, "W": -4}},
    ),
    judges(
        "call.alone",
        "a card that was not dealt: the same",
        BEST,
        f"{_COURT}, E partner QS, E open, {_JACKS}",
        rules="maharashtra",
        result={"tokens": {"S": -4, "E": 12, "N": -4, "W": -4}},
    ),
    allows(
        "exchange.two",
        "two cards for the two left over",
        THREE,
        f"{_THREE}, 1 exchange JC 9D",
        rules="online-3",
        to_act=["1"],
        phase="play",
    ),
    allows(
        "exchange.two",
        "any two of the hand, by suit and then in the order of the pack",
        THREE,
        _THREE,
        rules="online-3",
        legal=sorted(["1 keep", *[f"1 exchange {a} {b}" for a, b in combinations(_HELD, 2)]]),
    ),
    allows(
        "exchange.two",
        "while it is due, nobody has chosen open or closed yet",
        THREE,
        _THREE,
        rules="online-3",
        contract={"open": None, "trump": "C"},
    ),
    allows("exchange.two", "or none", THREE, f"{_THREE}, 1 keep", rules="online-3", phase="play"),
    forbids(
        "exchange.two",
        "not the same card twice",
        THREE,
        f"{_THREE}, 1 exchange JC JC",
        rules="online-3",
    ),
    forbids(
        "exchange.two",
        "nor one that is not in hand: before card.held",
        THREE,
        f"{_THREE}, 1 exchange 7S 7S",
        rules="online-3",
    ),
    forbids("action.form", "one card", THREE, f"{_THREE}, 1 exchange JC", rules="online-3"),
    forbids(
        "action.form", "three cards", THREE, f"{_THREE}, 1 exchange JC 9D JD", rules="online-3"
    ),
    forbids(
        "card.held",
        "not the indicator, which lies on the table",
        THREE,
        f"{_THREE}, 1 exchange 9C JC",
        rules="online-3",
    ),
]
