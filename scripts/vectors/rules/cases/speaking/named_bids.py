"""Cases: the named bids."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, allows, forbids, passes
from scripts.vectors.rules.cases.deals import SPADES
from scripts.vectors.rules.cases.speaking.beginnings import COURTS, ONLINE, SECOND

CASES: list[Case] = [
    allows(
        "bid.court",
        "half court with the first cards",
        SPADES,
        "E 160, N halfcourt",
        rules="half-court",
        phase="trump4",
        to_act=["N"],
        contract={"bid": "halfcourt", "by": "N"},
    ),
    allows(
        "bid.court",
        "all tricks are played, also after a lost one",
        SPADES,
        "E halfcourt, E trump JS, E closed, E 8H, N ~9C, S AH",
        rules="half-court",
        status="in_progress",
        phase="play",
        to_act=["S"],
    ),
    forbids("bid.court", "not played in pagat", SPADES, "E halfcourt"),
    allows(
        "bid.court",
        "over the partner's bid, also where no number goes over it",
        SPADES,
        "E 160, N pass, W halfcourt",
        rules={"preset": "half-court", "over_partner": "never"},
    ),
    forbids(
        "bid.first",
        "with courts: nobody must bid half court, but somebody a number",
        SPADES,
        "E pass, N pass, W pass, S pass, E pass",
        rules={"preset": "maharashtra", "bid.first": "must"},
    ),
    forbids(
        "bid.partner",
        "Partner Close Caps over the partner's bid in the only round",
        SPADES,
        "E 160, N pass, W pcc",
        rules={"deal": "all_first", "ask_partner": "off", "bid8": "off"},
    ),
    forbids(
        "bid.court",
        "half court with all cards",
        SPADES,
        f"{SECOND}, E halfcourt",
        rules="half-court",
    ),
    forbids(
        "bid.court", "full court is not played there", SPADES, "E fullcourt", rules="half-court"
    ),
    allows(
        "bid.court",
        "Maharashtra: only half court first",
        SPADES,
        "E halfcourt",
        rules=COURTS,
        phase="trump4",
    ),
    forbids("bid.court", "Maharashtra: no number yet", SPADES, "E 160", rules=COURTS),
    forbids("bid.court", "Maharashtra: nor full court", SPADES, "E fullcourt", rules=COURTS),
    allows(
        "bid.court",
        "Maharashtra: numbers when all cards are out",
        SPADES,
        f"{passes('ENWS')}, E 160",
        rules=COURTS,
        phase="bid8",
    ),
    allows(
        "bid.court",
        "Maharashtra: full court then",
        SPADES,
        f"{passes('ENWS')}, E fullcourt",
        rules=COURTS,
        phase="trump8",
    ),
    forbids(
        "bid.court",
        "Maharashtra: half court no more",
        SPADES,
        f"{passes('ENWS')}, E halfcourt",
        rules=COURTS,
    ),
    allows(
        "pcc.bid",
        "with all cards, and it ends the bidding",
        SPADES,
        f"{SECOND}, E pcc",
        phase="trump8",
        to_act=["E"],
        contract={"bid": "pcc", "by": "E", "trump": None},
    ),
    forbids("pcc.bid", "not with the first cards", SPADES, "E pcc"),
    forbids(
        "pcc.bid", "nor over a partner's bid: before bid.partner", SPADES, "E 160, N pass, W pcc"
    ),
    forbids("pcc.bid", "not where it is not played", SPADES, "E pcc", rules=ONLINE),
    allows(
        "pcc.bid",
        "at once where all cards come first",
        SPADES,
        "E pcc",
        rules="tamil-304",
        phase="trump8",
    ),
]
