"""Cases: leads, and cards that follow."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, allows, deal, forbids, passes, plays
from scripts.vectors.rules.cases.deals import EVEN, SPADES, VOID, bid, late, to_play
from scripts.vectors.rules.cases.play.beginnings import (
    CLOSED,
    FULL,
    HALF,
    ONLINE,
    OPEN,
    PCC,
    SIX_SPADES,
    VOID_LED,
)

EXHAUST = deal(
    "S",
    "7D KH QH 7H 8H 7C 8C QC",
    "JS 9S AS 8S TS KS JD 9D",
    "QS 7S AD TD KD AC KC TC",
    "JC 9C JH 9H QD 8D AH TH",
)
"""North has the only two spades that East does not have."""
_EX = f"{to_play('8S', 'closed')}, {plays('E JD KD 8D 7D / E JS QS ~TH ~8C / E 9S 7S ~AH ~7C')}"
_OUT = f"{_EX}, {plays('E AS ~TC ~QD ~QC')}"
LEADS: list[Case] = [
    allows("lead.up", "a lead face up", SPADES, f"{CLOSED}, E AC", to_act=["N"]),
    forbids("lead.up", "a lead face down", SPADES, f"{CLOSED}, E ~AC"),
    allows("lead.trump", "open: a trump first", SPADES, f"{OPEN}, E 9S"),
    forbids(
        "lead.trump",
        "closed: no trump first",
        SPADES,
        f"{CLOSED}, E 9S",
        legal=["E 7D", "E 7H", "E 8H", "E AC", "E KC", "E QD"],
    ),
    allows(
        "lead.trump",
        "where trumps are asked for: a trump first",
        SPADES,
        f"{bid('150')}, E trump JS, E 9S",
        rules=ONLINE,
    ),
    allows(
        "lead.trump",
        "closed: a trump from hand in a later trick",
        EVEN,
        f"{to_play('9S', 'closed')}, {plays('E JH TH KH AH')}, E JS",
    ),
    allows("pcc.lead", "a plain suit first", SPADES, f"{PCC}, E AC", to_act=["N"]),
    forbids("pcc.lead", "no trump first", SPADES, f"{PCC}, E 9S"),
    forbids("pcc.lead", "nor in half court", SPADES, f"{HALF}, E 9S", rules="half-court"),
    forbids("pcc.lead", "nor in full court", SPADES, f"{FULL}, E 9S", rules="doso-viso"),
    allows("pcc.lead", "open: a trump first", SPADES, f"{PCC.replace('closed', 'open')}, E JS"),
    allows("exhausted.when", "somebody followed: lead what you like", EXHAUST, f"{_EX}, E 9D"),
    forbids(
        "exhausted.when",
        "nobody followed: the trumps in hand come first",
        EXHAUST,
        f"{_OUT}, E 9D",
        legal=["E KS", "E TS"],
    ),
    allows("exhausted.when", "a trump from hand", EXHAUST, f"{_OUT}, E TS"),
    allows(
        "exhausted.when",
        "none left in hand: the indicator is not in the hand",
        EXHAUST,
        f"{_OUT}, {plays('E TS ~KC ~JC ~7H / E KS ~AC ~9C ~8H')}, E 9D",
    ),
    allows(
        "exhausted.when",
        "the partner followed: that is somebody, too",
        SPADES,
        f"{OPEN}, {plays('E JS 7C 7S 8D')}, E AC",
    ),
    allows("exhausted.when", "switched off", EXHAUST, f"{_OUT}, E 9D", rules={"exhausted": "off"}),
]
FOLLOWING: list[Case] = [
    allows("follow.suit", "the suit led", SPADES, f"{CLOSED}, E AC, N 9C", to_act=["W"]),
    forbids("follow.suit", "open: another suit while holding it", SPADES, f"{OPEN}, E AC, N 9D"),
    forbids("follow.suit", "closed: another suit face down", SPADES, f"{CLOSED}, E AC, N ~9D"),
    forbids(
        "follow.suit",
        "closed: no cut with the indicator while holding the suit",
        {**EVEN, "dealer": "W"},
        f"{late('9S', 'closed')}, S AH, E ~9S",
    ),
    allows("follow.up", "face up", SPADES, f"{CLOSED}, E AC, N 9C"),
    forbids("follow.up", "face down, though it follows", SPADES, f"{CLOSED}, E AC, N ~9C"),
    forbids(
        "follow.up",
        "a trump that follows, by the trump maker: before down.trump",
        {**EVEN, "dealer": "W"},
        f"{late('9S', 'closed')}, S AS, E ~JS",
    ),
    forbids(
        "follow.up",
        "the same of a hand of trumps alone: before cut.must",
        SIX_SPADES,
        f"{passes('23456')}, 1 160, {passes('23456')}, 1 trump JS, {passes('123456')}, 1 closed, "
        + plays("2 8S 7S 6S ~6H ~7D", "123456")
        + ", 1 ~9S",
        rules="six-36",
    ),
    allows(
        "hidden.down",
        "another suit face down",
        SPADES,
        f"{CLOSED}, E AC, N 9C, W ~8S",
        to_act=["S"],
    ),
    forbids(
        "hidden.down", "another suit face up, trumps closed", SPADES, f"{CLOSED}, E AC, N 9C, W 8S"
    ),
    allows("open.up", "another suit face up, trumps open", SPADES, f"{OPEN}, E AC, N 9C, W 8S"),
    forbids("open.up", "face down, trumps open", SPADES, f"{OPEN}, E AC, N 9C, W ~8S"),
    forbids(
        "open.up",
        "a card that follows, face down: this rule comes first",
        SPADES,
        f"{OPEN}, E AC, N ~9C",
    ),
    allows("play.again", "a card once", EVEN, f"{to_play('9S', 'closed')}, E JH"),
    forbids(
        "play.again",
        "not once more",
        EVEN,
        f"{to_play('9S', 'closed')}, {plays('E JH TH KH AH')}, E JH",
    ),
    forbids("play.again", "nor by another player", EVEN, f"{to_play('9S', 'closed')}, E JH, N JH"),
    forbids(
        "play.again",
        "before hidden.down",
        EVEN,
        f"{to_play('9S', 'closed')}, {plays('E JH TH KH AH')}, E JD, N TH",
    ),
    forbids(
        "card.held",
        "an own card again that still lies face down",
        VOID,
        f"{VOID_LED}, E ~7H, N 9C, W ~AD, N JH, W TH, S ~7D, E 7H",
    ),
    forbids("hidden.down", "before whether the card is held", VOID, f"{VOID_LED}, E AD"),
    forbids(
        "hidden.down",
        "before whether the suit can be followed",
        EVEN,
        f"{to_play('9S', 'closed')}, E JH, N TC",
    ),
]
CASES = [*LEADS, *FOLLOWING]
