"""Cases: what a hand pays, band by band."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, judges, plays
from scripts.vectors.rules.cases.deals import (
    CLOSED_TRICKS,
    EVEN,
    NINE,
    SIX,
    bid,
    north,
    to_play,
    won,
)

OFF = {"caps": "off"}
BANK = {"preset": "bank", "caps": "off"}
_RULE = "payment"
_PCC = "E 160, N pass, W pass, S pass, E trump JS, E pcc, E trump JS, E open"
_THREE = "E JS TS 7S / E 9S 8S AS / E JH TH 7H / E 9H 8H AH / E JD TD 7D / E 9D 8D AD / E JC TC 7C"
_ONLINE = f"{plays(CLOSED_TRICKS)}, {plays('E 9S 8S KS AS')}"
_304 = (
    "N TC QC 7C JC / E 9C 8C KC AC / E JH TH QH 7H / E 9H 8H KH AH / E JD TD QD 7D /"
    "E 9D 8D KD AD / E JS TS QS 7S / E 9S 8S KS AS"
)
_SIX = "1 200, 2 pass, 3 pass, 4 pass, 5 pass, 6 pass, 1 trump JS"
_SIX += ", 1 pass, 2 pass, 3 pass, 4 pass, 5 pass, 6 pass, 1 open"
_SIX_1 = plays("1 JS 9S AS TS KS QS", "123456")
_SIX_2 = plays("1 JC 9C AC TC KC QC", "123456")
_SIX_ALL = plays("1 JH 9H AH TH KH QH / 1 JD 9D AD TD KD QD", "123456")


def _pays(ns: float, ew: float) -> dict[str, object]:
    return {"tokens": {"NS": ns, "EW": ew}, "caps": None}


def _made(amount: str, tokens: int) -> Case:
    said = f"{to_play('JS', 'open', amount)}, {won()}"
    return judges(
        "payment",
        f"{amount} made",
        EVEN,
        said,
        OFF,
        status="complete",
        points={"NS": 0, "EW": 304},
        result=_pays(-tokens, tokens),
    )


def _failed(amount: str, tokens: int) -> Case:
    said = f"{north('8S', 'open', amount)}, {won()}"
    return judges(
        "payment",
        f"{amount} failed",
        EVEN,
        said,
        OFF,
        status="complete",
        result=_pays(-tokens, tokens),
    )


def _online(amount: str, tokens: int) -> Case:
    said = f"{bid(amount)}, E trump 9S, {_ONLINE}"
    return judges(
        "payment",
        f"online: {amount} made is won and paid by nobody",
        EVEN,
        said,
        "online-4",
        status="complete",
        result=_pays(0, tokens),
    )


def _online_failed(amount: str, tricks: str, tokens: int) -> Case:
    said = f"E pass, N {amount}, W pass, S pass{', E pass' if amount == '150' else ''}"
    return judges(
        "payment",
        f"online: {amount} failed",
        EVEN,
        f"{said}, N trump 8S, {tricks}",
        "online-4",
        status="complete",
        result=_pays(0, tokens),
    )


CASES: list[Case] = [
    *(
        _made(amount, tokens)
        for amount, tokens in (
            ("160", 1),
            ("190", 1),
            ("200", 2),
            ("240", 2),
            ("250", 3),
            ("300", 3),
        )
    ),
    *(
        _failed(amount, tokens)
        for amount, tokens in (
            ("160", 2),
            ("190", 2),
            ("200", 3),
            ("240", 3),
            ("250", 4),
            ("300", 4),
        )
    ),
    judges(
        _RULE,
        "the bid reached to the point: 270 of 270",
        NINE,
        f"{to_play('JS', 'open', '270')}, {won('AC 8C KC 9C')}",
        OFF,
        points={"NS": 34, "EW": 270},
        result=_pays(-3, 3),
    ),
    judges(
        _RULE,
        "and not reached: 270 of 280",
        NINE,
        f"{to_play('JS', 'open', '280')}, {won('AC 8C KC 9C')}",
        OFF,
        result=_pays(4, -4),
    ),
    judges(
        _RULE,
        "Partner Close Caps made",
        EVEN,
        f"{_PCC}, {plays(_THREE + '/ E 9C 8C AC', 'SEN')}",
        status="complete",
        result=_pays(-4, 4),
    ),
    judges(
        _RULE,
        "Partner Close Caps failed by its last trick",
        NINE,
        f"{_PCC}, {plays(_THREE + '/ E AC 8C 9C', 'SEN')}",
        status="complete",
        result=_pays(5, -5),
    ),
    judges(
        _RULE,
        "a bank: the loser pays, nobody gets it",
        EVEN,
        f"{to_play('JS', 'open')}, {won()}",
        BANK,
        result=_pays(-1, 0),
    ),
    judges(
        _RULE,
        "a bank: a failed bid",
        EVEN,
        f"{north('8S', 'open')}, {won()}",
        BANK,
        result=_pays(-2, 0),
    ),
    judges(
        _RULE,
        "a session counts the same",
        EVEN,
        f"{to_play('JS', 'open')}, {won()}",
        {"match": "session", "caps": "off"},
        result=_pays(-1, 1),
    ),
    judges(
        _RULE,
        "tenths: 1.6 made with 30.4",
        EVEN,
        f"{to_play('JS', 'open', '1.6')}, {won()}",
        {"preset": "tenths", "caps": "off"},
        points={"NS": 0.0, "EW": 30.4},
        result=_pays(-1, 1),
    ),
    judges(
        _RULE,
        "tenths: a call of Caps that ends the hand takes every card point",
        EVEN,
        f"{to_play('JS', 'open', '1.6')}, {plays('E JS TS QS 7S / E 9S 8S KS AS')}, "
        "E caps JH 9H JD 9D JC 9C",
        "tenths",
        points={"NS": 0.0, "EW": 30.4},
    ),
    judges(
        _RULE,
        "tenths: a trick is told in tenths, too",
        EVEN,
        f"{to_play('JS', 'open', '1.6')}, {plays('E JS TS QS 7S')}",
        {"preset": "tenths", "caps": "off"},
        tricks=[
            {"leader": "E", "plays": ["E JS", "N TS", "W QS", "S 7S"], "winner": "E", "points": 4.2}
        ],
        points={"NS": 0.0, "EW": 4.2},
    ),
    _online("150", 5),
    _online("190", 5),
    _online("200", 6),
    _online("300", 6),
    _online("304", 10),
    _online_failed("150", _ONLINE, 3),
    _online_failed("200", _ONLINE, 5),
    _online_failed("304", plays(_304), 7),
    judges(
        _RULE,
        "six players: 200 made",
        SIX,
        f"{_SIX}, {_SIX_1}, {_SIX_2}, {_SIX_ALL}",
        {"preset": "six-24", "caps": "off"},
        points={"135": 304, "246": 0},
        result={"tokens": {"135": 2, "246": -2}, "next_dealer": "1"},
    ),
    judges(
        _RULE,
        "six players: one trick too late",
        SIX,
        f"{_SIX}, {_SIX_1}, {_SIX_2}, 1 caps JH JD",
        "six-24",
        result={
            "tokens": {"135": -2, "246": 2},
            "caps": {"by": "1", "verdict": "late", "since": "trick 1, after 6 QS"},
        },
    ),
    judges(
        _RULE,
        "six players: Caps when due, before trick 3, counts 1 more",
        SIX,
        f"{_SIX}, {_SIX_1}, 1 caps JC JH JD",
        "six-24",
        result={
            "tokens": {"135": 3, "246": -3},
            "caps": {"by": "1", "verdict": "correct", "since": "trick 1, after 6 QS"},
        },
    ),
]
