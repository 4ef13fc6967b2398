"""Cases: who may claim when; spoilt trumps and what a false call costs."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, allows, deal, forbids, judges, passes, plays
from scripts.vectors.rules.cases.deals import EVEN, SIX, SPADES, bid, to_play, won

CATS = "catsatcards"
_SPOILT = to_play("JS", "closed")
_PCC = f"{bid()}, E trump JS, E pcc, E trump JS, E closed"
_ORDER = "JS JH JD JC 9S 9H 9D 9C"
_LAST = won().rsplit(", ", 3)[0]
"""EVEN, played up to the lead to the last trick."""
_EVEN = to_play("JS", "open")
_NINE_EACH = deal("S", *(" ".join(f"{rank}{suit}" for rank in "J9ATKQ876") for suit in "HSDC"))
"""36 cards, a suit in every hand; East has the spades."""
_SEVEN_SPADES = plays("/".join(f"E {r}S {r}D {r}C {r}H" for r in "J9ATKQ8"))
_SEVEN = _LAST.rsplit(", ", 1)[0]
_ONLINE = plays(
    "E AC TC AS JC / S AH 8H 7C JH / W 9H TH 7H 8C / W TS 8D 9S QC / E KC 9C KS TD /"
    "N JD QS KD 7D / N 9D 8S QH QD / N AD 7S KH JS"
)
_NORTH = "TS 8S TH 8H TD 8D TC 8C"
_CATS = "E pass, N 160, W pass, S pass, E pass, N trump 8S, E pass, N pass, W pass, S pass, N open"


def _paid(ns: int, ew: int, dealer: str = "E") -> dict[str, object]:
    return {"tokens": {"NS": ns, "EW": ew}, "next_dealer": dealer}


CASES: list[Case] = [
    allows(
        "claims.from",
        "once open or closed is chosen",
        SPADES,
        _SPOILT,
        may_claim=["S", "E", "N", "W"],
    ),
    forbids("claims.from", "not before", SPADES, f"{bid()}, E trump JS, E spoilt", may_claim=[]),
    forbids(
        "claims.from",
        "no Caps in Partner Close Caps",
        SPADES,
        f"{_PCC}, E caps {_ORDER}",
        may_claim=["S", "E", "N"],
    ),
    forbids(
        "caps.off",
        "nor where there is no Caps: this rule comes first",
        SPADES,
        f"{_PCC}, E caps {_ORDER}",
        rules={"caps": "off"},
    ),
    forbids("claims.from", "nothing by who lies idle", SPADES, f"{_PCC}, W spoilt"),
    forbids(
        "claims.from",
        "not before, also where there is no Caps: this rule comes first",
        SPADES,
        f"{bid()}, E trump JS, E caps JS",
        rules={"caps": "off"},
    ),
    allows(
        "spoilt.who",
        "only those who may call are named",
        SPADES,
        _SPOILT,
        rules={"caps": "off", "spoilt": "opponents"},
        may_claim=["S", "N"],
    ),
    allows(
        "claims.from",
        "whoever's turn it is",
        SPADES,
        f"{_SPOILT}, E AC, N 9C, S spoilt",
        status="void",
    ),
    allows("spoilt.off", "where it is called", SPADES, f"{_SPOILT}, W spoilt", status="void"),
    forbids(
        "spoilt.off", "not where it is not", SPADES, f"{_SPOILT}, W spoilt", rules={"spoilt": "off"}
    ),
    forbids(
        "spoilt.off",
        "nor where it is seen at the end",
        SPADES,
        f"{bid('150')}, E trump JS, W spoilt",
        rules="online-4",
    ),
    allows(
        "spoilt.who",
        "anyone; the count opens the indicator, and trumps lay closed in play",
        SPADES,
        f"{_SPOILT}, E spoilt",
        status="void",
        contract={"trump": "S", "open": False, "shown": False},
    ),
    allows(
        "spoilt.who",
        "an opponent of the trump maker",
        EVEN,
        f"{_CATS}, W spoilt",
        rules=CATS,
        status="complete",
    ),
    forbids(
        "spoilt.who",
        "not the trump maker's partner, where only opponents call",
        EVEN,
        f"{_CATS}, S spoilt",
        rules=CATS,
        may_claim=["S", "E", "N", "W"],
    ),
    allows(
        "spoilt.until",
        "before the last card of the last trick",
        EVEN,
        f"{_EVEN}, {_LAST}, N 8C, W KC, N spoilt",
        status="complete",
        result=_paid(-3, 3),
    ),
    forbids("hand.over", "not after it", EVEN, f"{_EVEN}, {won()}, N spoilt", may_claim=[]),
    allows(
        "spoilt.until",
        "trick8: before the last trick begins",
        EVEN,
        f"{_CATS}, {_SEVEN}, E spoilt",
        rules=CATS,
        status="complete",
    ),
    forbids(
        "spoilt.until",
        "trick8: not after its first card",
        EVEN,
        f"{_CATS}, {_LAST}, E spoilt",
        rules=CATS,
    ),
    forbids(
        "spoilt.until",
        "trick8 is the last trick, also with four tricks",
        SIX,
        f"1 200, {passes('23456')}, 1 trump JS, {passes('123456')}, 1 open, "
        + plays("1 JS 9S AS TS KS QS / 1 JC 9C AC TC KC QC / 1 JH 9H AH TH KH QH", "123456")
        + ", 1 JD, 2 spoilt",
        rules={"preset": "six-24", "spoilt.until": "trick8"},
    ),
    allows(
        "spoilt.until",
        "and with nine, where it may be called in the eighth",
        _NINE_EACH,
        f"{bid()}, E trump 6S, E open, {_SEVEN_SPADES}, E 7S, N spoilt",
        rules={"pack": 36, "deal": "all_first", "spoilt.until": "trick8"},
        status="void",
    ),
    judges(
        "spoilt.what",
        "true: void, and the same dealer",
        SPADES,
        f"{_SPOILT}, N spoilt",
        status="void",
        phase="over",
        result={**_paid(0, 0, "S"), "caps": None},
    ),
    judges(
        "spoilt.what",
        "true in the middle of a trick",
        SPADES,
        f"{_SPOILT}, E AC, N 9C, W spoilt",
        status="void",
        result=_paid(0, 0, "S"),
    ),
    judges(
        "spoilt.what",
        "false, by an opponent: what a bid of 160 wins, and 2",
        EVEN,
        f"{_EVEN}, N spoilt",
        status="complete",
        result=_paid(-3, 3),
    ),
    judges(
        "violation.pay",
        "false, by the trump maker's side: what a failed bid pays, and 2",
        EVEN,
        f"{_EVEN}, W spoilt",
        result=_paid(4, -4),
    ),
    judges(
        "violation.pay",
        "at 200",
        EVEN,
        f"{to_play('JS', 'open', '200')}, N spoilt",
        result=_paid(-4, 4),
    ),
    judges(
        "violation.pay", "to a bank", EVEN, f"{_EVEN}, N spoilt", rules="bank", result=_paid(-3, 0)
    ),
    judges(
        "violation.pay",
        "a void hand is paid for all the same, and the same dealer deals",
        EVEN,
        f"{_EVEN}, N spoilt",
        rules={"violation": "void"},
        status="complete",
        result=_paid(-3, 3, "S"),
    ),
    judges(
        "violation.pay",
        "points stay those of the tricks: in a void hand",
        EVEN,
        f"{_EVEN}, {plays('E JS TS QS 7S')}, N spoilt",
        rules={"violation": "void"},
        points={"NS": 0, "EW": 42},
        result=_paid(-3, 3, "S"),
    ),
    judges(
        "violation.pay",
        "and with tenths, where the other side counts the whole pack",
        EVEN,
        f"{to_play('JS', 'open', '1.6')}, {plays('E JS TS QS 7S')}, N spoilt",
        rules="tenths",
        points={"NS": 0.0, "EW": 4.2},
    ),
    judges(
        "violation.pay",
        "never less than a failed Caps that the own side may owe: 5, and 2",
        EVEN,
        f"{to_play('JS', 'open')}, N caps {_NORTH}, S spoilt",
        result=_paid(-7, 7),
    ),
    judges(
        "violation.pay",
        "never less than an External Caps of 8 that the others may call: 8, and 2",
        EVEN,
        f"{_EVEN}, W spoilt",
        rules={"external_caps": 8},
        result=_paid(10, -10),
    ),
    judges(
        "violation.pay",
        "no External Caps is left after the own side's early call: 5, and 2",
        EVEN,
        f"{_EVEN}, E caps JH 9S JS 9H JD 9D JC 9C, W spoilt",
        rules={"external_caps": 8},
        result=_paid(7, -7),
    ),
    judges(
        "violation.pay",
        "a false call is all that is paid, also where the others have missed Caps",
        EVEN,
        f"{to_play('JS', 'open')}, {_LAST}, N spoilt",
        result={**_paid(-3, 3), "caps": None},
    ),
    judges(
        "violation.pay",
        "nor after an early call of the others: what the bid loses, and 2",
        EVEN,
        f"{_EVEN}, N caps {_NORTH}, W spoilt",
        rules={"external_caps": 8},
        result=_paid(4, -4),
    ),
    judges(
        "spoilt.what",
        "online it is seen at the hand's end",
        SPADES,
        f"{bid('150')}, E trump JS, {_ONLINE}",
        rules="online-4",
        status="void",
        result=_paid(0, 0, "S"),
    ),
]
