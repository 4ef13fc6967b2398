"""Cases: the second round of bids."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, allows, forbids, judges, passes
from scripts.vectors.rules.cases.deals import SPADES, bid
from scripts.vectors.rules.cases.payment.many import SIX_36
from scripts.vectors.rules.cases.speaking.beginnings import CATS, COURTS, ONCE, SECOND, SIX_RULES

HIGH = f"{bid('260')}, E trump JS"
_SIX_SECOND = f"1 pass, 2 pass, 3 200, {passes('45612')}, 3 trump KS, 3 250, 4 pass"
CASES: list[Case] = [
    allows("bid8.min", "250", SPADES, f"{SECOND}, E 250"),
    forbids("bid8.min", "less than 250", SPADES, f"{SECOND}, E 240"),
    allows("bid8.min", "above an old bid over 250", SPADES, f"{HIGH}, E 270"),
    forbids("bid8.min", "not the old bid again", SPADES, f"{HIGH}, E 260"),
    forbids("bid8.min", "above a bid of this round", SPADES, f"{SECOND}, E 260, N 260"),
    allows("bid8.min", "equal_ok: the old bid again", SPADES, f"{HIGH}, E 260", rules=ONCE),
    forbids("bid8.min", "equal_ok: not less than it", SPADES, f"{HIGH}, E 250", rules=ONCE),
    allows("bid8.min", "over250: 260", SPADES, f"{SECOND}, E 260", rules=CATS),
    forbids("bid8.min", "over250: not 250", SPADES, f"{SECOND}, E 250", rules=CATS),
    allows(
        "bid8.partner",
        "passing over one's partner",
        SPADES,
        f"{SECOND}, E 250, N pass, W pass",
        to_act=["S"],
    ),
    forbids("bid8.partner", "no bid over one's partner", SPADES, f"{SECOND}, E 250, N pass, W 260"),
    forbids(
        "bid8.partner",
        "whatever the number is: this rule comes first",
        SPADES,
        f"{SECOND}, E 250, N pass, W 255",
    ),
    *(
        forbids(
            "bid8.partner",
            f"with six nor over that of another partner than the next: {word}",
            SIX_36,
            f"{_SIX_SECOND}, 5 {word}",
            rules=SIX_RULES,
        )
        for word in ("260", "pcc")
    ),
    forbids(
        "bid8.partner", "not Partner Close Caps either", SPADES, f"{SECOND}, E 250, N pass, W pcc"
    ),
    allows("bid8.partner", "an opponent has bid between", SPADES, f"{SECOND}, E 250, N 260, W 270"),
    judges(
        "bid8.min",
        "all pass: the old bid stands",
        SPADES,
        f"{SECOND}, {passes('ENWS')}",
        phase="declare",
        contract={"bid": 200, "by": "E", "trump": "S"},
    ),
    judges(
        "bid8.min",
        "with courts the round for numbers is a first one, and no second follows",
        SPADES,
        f"{passes('ENWS')}, {bid()}, E trump JS",
        {"preset": COURTS, "bid8": "on"},
        phase="partner",
        contract={"bid": 160, "by": "E", "trump": "S"},
    ),
    judges(
        "bid8.min",
        "a new bid takes the old indicator back",
        SPADES,
        f"{SECOND}, E pass, N 250, W pass, S pass",
        phase="trump8",
        to_act=["N"],
        contract={"bid": 250, "by": "N", "trump": None},
    ),
]
