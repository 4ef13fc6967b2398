"""Cases: what is shown after a trick, and partners who lie idle."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, judges, passes, plays
from scripts.vectors.rules.cases.deals import EVEN, SPADES, VOID, bid, to_play
from scripts.vectors.rules.cases.play.beginnings import (
    CLOSED,
    FULL,
    HALF,
    PCC,
    SIX_SPADES,
    VOID_LED,
)

CASES: list[Case] = [
    judges(
        "announce.show",
        "a trump among the face-down cards: all are turned up, trumps are open",
        SPADES,
        f"{CLOSED}, {plays('E AC 9C ~8S JC')}",
        to_act=["W"],
        contract={"shown": True},
        points={"NS": 0, "EW": 61},
        tricks=[
            {"leader": "E", "plays": ["E AC", "N 9C", "W ~8S", "S JC"], "winner": "W", "points": 61}
        ],
    ),
    judges(
        "announce.none",
        "none: the cards stay down, trumps stay closed",
        SPADES,
        f"{CLOSED}, {plays('E AC 9C ~JH JC')}",
        to_act=["S"],
        contract={"shown": False},
        points={"NS": 91, "EW": 0},
    ),
    judges(
        "announce.show",
        "the indicator cuts",
        VOID,
        f"{VOID_LED}, E ~9S, N JC, W ~AD",
        to_act=["E"],
        contract={"shown": True},
        points={"NS": 0, "EW": 61},
    ),
    judges(
        "announce.none",
        "the trump maker's own card down is no cut",
        VOID,
        f"{VOID_LED}, E ~7H, N JC, W ~AD",
        to_act=["N"],
        contract={"shown": False},
        points={"NS": 41, "EW": 0},
    ),
    judges(
        "announce.show",
        "from 250 on the indicator is shown after trick 1",
        EVEN,
        f"{to_play('9S', 'closed', '250')}, {plays('E JH TH KH AH')}",
        contract={"shown": True, "open": False},
    ),
    judges(
        "announce.show",
        "Partner Close Caps counts as more than 250",
        SPADES,
        f"{PCC}, E AC, N 7C, S JC",
        contract={"shown": True, "open": False},
    ),
    judges(
        "announce.show",
        "and so does a court",
        SPADES,
        f"{FULL}, E QD, N 9D, W ~JH, S TD",
        rules="doso-viso",
        contract={"shown": True, "open": False},
    ),
    judges(
        "announce.show",
        "below 250 it is not",
        EVEN,
        f"{to_play('9S', 'closed', '240')}, {plays('E JH TH KH AH')}",
        contract={"shown": False},
    ),
    judges(
        "announce.show",
        "where that is switched off it is not either",
        EVEN,
        f"{to_play('9S', 'closed', '250')}, {plays('E JH TH KH AH')}",
        rules={"open_after_250": "off"},
        contract={"shown": False},
    ),
    judges(
        "announce.show",
        "nor where trumps are asked for",
        SPADES,
        f"{bid('250')}, E trump AC, {plays('E KC 8C AS JC')}",
        rules={"preset": "online-4", "open_after_250": "on"},
        to_act=["S"],
        phase="play",
        contract={"shown": False},
    ),
    *(
        judges(
            "announce.show",
            f"{court} counts as more than 250",
            EVEN,
            said,
            rules=rules,
            status="in_progress",
            contract={"open": False, "shown": True},
        )
        for court, said, rules in (
            ("half court", f"{HALF}, {plays('E JH TH AH', 'SEN')}", "half-court"),
            ("full court", f"{FULL}, {plays('E JH TH KH AH')}", "doso-viso"),
        )
    ),
    judges(
        "pcc.lead",
        "with six both partners lie idle",
        SIX_SPADES,
        f"{passes('23456')}, 1 200, {passes('23456')}, 1 trump JS, 1 pcc, 1 trump JS, 1 open, "
        "1 JS, 2 8S",
        rules="six-36",
        to_act=["4"],
    ),
    judges(
        "pcc.all",
        "the partner is out, a trick is lost, and play goes on",
        SPADES,
        f"{PCC}, E AC, N 9C, S JC",
        to_act=["S"],
        points={"NS": 61, "EW": 0},
        status="in_progress",
    ),
]
