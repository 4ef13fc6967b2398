"""Cases: the redeal, and which amounts are bids."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, Deal, allows, deal, forbids
from scripts.vectors.rules.cases.deals import SIX, SPADES, bid

_OTHERS = SPADES["hands"]
FOURTEEN: Deal = {
    **SPADES,
    "hands": {**_OTHERS, "E": ["AC", "KC", "8H", "7D", "JS", "9S", "QD", "7H"]},
}
"""East's first batch is worth 11 + 3 = 14."""
FIFTEEN: Deal = {
    **SPADES,
    "hands": {
        **_OTHERS,
        "E": ["AC", "QD", "QH", "7D", "JS", "9S", "KC", "7H"],
        "S": ["AH", "TH", "KH", "8H", "TD", "KD", "8D", "JC"],
    },
}
"""East's first batch is worth 11 + 2 + 2 = 15."""
TAMIL_6 = deal(
    "6",
    *(
        " ".join(r + s for s in "SHDC") + f" {a} {b}"
        for r, a, b in (
            ("3", "8S", "7S"),
            ("J", "8H", "7H"),
            ("9", "8D", "7D"),
            ("A", "8C", "7C"),
            ("T", "QS", "QH"),
            ("K", "QD", "QC"),
        )
    ),
)
TAMIL_8 = deal(
    "8",
    *(
        " ".join(r + s for s in "SHDC") + f" {a}"
        for r, a in zip("23J9ATKQ", ("8S", "8H", "8D", "8C", "7S", "7H", "7D", "7C"), strict=True)
    ),
)
ONLINE = "online-4"

REDEAL: list[Case] = [
    allows(
        "redeal.once",
        "the first to speak, at once",
        FOURTEEN,
        "E redeal",
        status="void",
        phase="over",
        result={"tokens": {"NS": 0, "EW": 0}, "next_dealer": "S"},
    ),
    forbids("redeal.once", "not the second player", FOURTEEN, "E pass, N redeal"),
    forbids(
        "redeal.once", "not after having bid", FOURTEEN, "E 160, N 170, W pass, S pass, E redeal"
    ),
    forbids("redeal.once", "not by the partner who was asked", FOURTEEN, "E ask, W redeal"),
    forbids(
        "redeal.once",
        "not after having asked",
        FOURTEEN,
        "E ask, W pass, N pass, W pass, S 160, E redeal",
    ),
    allows("redeal.fifteen", "14 points are less than 15", FOURTEEN, "E redeal", status="void"),
    forbids("redeal.fifteen", "15 points are not", FIFTEEN, "E redeal", to_act=["E"]),
    allows("redeal.off", "played in the usual game", FOURTEEN, "E redeal", status="void"),
    forbids("redeal.off", "not played in Maharashtra", FOURTEEN, "E redeal", rules="maharashtra"),
    forbids("redeal.off", "switched off", FOURTEEN, "E redeal", rules={"redeal15": "off"}),
]
AMOUNTS: list[Case] = [
    allows("bid.min", "half the points, rounded up", SPADES, "E 160"),
    forbids("bid.min", "less than 160", SPADES, "E 150"),
    allows("bid.min", "150 online", SPADES, "E 150", rules=ONLINE),
    forbids("bid.min", "200 for six", SIX, "1 190", rules="six-24"),
    allows(
        "bid.min",
        "tenths: 1.6 is 160",
        SPADES,
        bid("1.6"),
        rules="tenths",
        contract={"bid": "1.6", "by": "E"},
    ),
    forbids("bid.min", "tenths: 1.5 is 150", SPADES, "E 1.5", rules="tenths"),
    allows("bid.step", "a multiple of ten", SPADES, "E 190"),
    forbids("bid.step", "165 is none", SPADES, "E 165"),
    forbids("bid.step", "nor is 205", SPADES, "E 205"),
    allows("bid.step", "fives from 200 on", SPADES, "E 200, N 205", rules="fives"),
    forbids("bid.step", "no fives below 200", SPADES, "E 195", rules="fives"),
    forbids("bid.step", "304 is bid online only", SPADES, "E 304"),
    allows("bid.higher", "above the bid before", SPADES, "E 160, N 170", to_act=["W"]),
    forbids("bid.higher", "the same once more", SPADES, "E 160, N 160", to_act=["N"]),
    forbids("bid.min", "less than the least bid: before bid.higher", SPADES, "E 160, N 150"),
    forbids("bid.higher", "less than the bid before", SPADES, "E 180, N 170"),
    allows("bid.max", "300 is the highest number", SPADES, "E 300"),
    forbids("bid.max", "310 is above all points", SPADES, "E 310"),
    allows("bid.max", "500 of 504 points", TAMIL_6, "1 500", rules="tamil-504"),
    forbids("bid.max", "510 of 504 points", TAMIL_6, "1 510", rules="tamil-504"),
    allows("bid.max", "900 of 904 points", TAMIL_8, "1 900", rules="tamil-904"),
    forbids("bid.max", "910 of 904 points", TAMIL_8, "1 910", rules="tamil-904"),
    allows("bid.max", "304 where it is bid", SPADES, "E 304", rules=ONLINE),
    forbids("bid.max", "310 even there", SPADES, "E 310", rules=ONLINE),
]
CASES = [*REDEAL, *AMOUNTS]
