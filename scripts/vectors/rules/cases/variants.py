"""Cases: marriages, double, drawing, exchanging: what only some games have."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, allows, deal, forbids, judges, passes, plays
from scripts.vectors.rules.cases.deals import EVEN, NINE, SPADES, bid, to_play

MARRIED = deal(
    "S",
    "AS 7S AH 7H 9D 7D AC 7C",
    "JS 9S KS QS JH 9H JD AD",
    "TS 8S TH 8H TD 8D TC 8C",
    "JC 9C KH QH KD QD KC QC",
)
"""East has king and queen of trumps and its partner West the jack of clubs."""
TWO = deal(
    "2",
    "JS 9S AS TS KS JH 9H AH TH KH",
    "JD 9D AD TD KD JC 9C AC TC KC",
    pile="QS 8S 7S QH 8H 7H QD 8D 7D QC 8C 7C",
)
THREE = deal(
    "3",
    "JS 9S AS JH 9H AH JD 9D JC 9C",
    "TS KS QS TH KH QH AD TD AC TC",
    "8S 7S 8H 7H KD QD 8D KC QC 8C",
    pile="7D 7C",
)
LATER = deal(
    "S",
    "AS 7S AH 9H KD 7D AC 7C",
    "JS 9S KS QS JH 7H JD AD",
    "TS 8S TH 8H TD 8D TC 8C",
    "JC 9C KH QH 9D QD KC QC",
)
"""Nobody can see that West is the partner, who lays the jack of clubs face down and wins the last
trick."""
HIDDEN_PARTNER = deal(
    "S",
    "7D 7H 7C 8D AC TS 7S QD",
    "JS 9S KS QS JD 9D AD AH",
    "TD TH 8C KD TC AS 9H 8H",
    "JC 9C KC QC KH QH JH 8S",
)
"""West lays the jack of clubs face down in the first trick, and nobody cuts that trick."""
_M = "maharashtra"


def _numbers(amount: str, choice: str = "open") -> str:
    """Nobody bids half court; East bids a number with all cards and calls the jack of clubs."""
    return f"{passes('ENWS')}, {bid(amount)}, E trump QS, E partner JC, E {choice}"


_FIRST = plays("E JS TS KC 7S")
_SHORT = plays("E 9S 8S QC AS / E KS 8C 9C 7C / E QS TC JC AC / E JH TH KH 7H / E 9H 8H QH AH")
_LOST = f"{_SHORT}, {plays('E JD 8D QD 7D / E AD TD KD 9D')}"
_WON = f"{_SHORT}, {plays('E AD TD KD 9D / S 7D JD 8D QD')}"

_BEFORE_SEEN = plays("E JS TS KC 7S / E AD TD QD 9D / S AC 9H TC 9C")
_SEEN = plays("W JC 7C JD 8C / W QC 7H 9S 8D / E JH TH QH AH / E KS 8S KH AS / S 7D QS 8H KD")
_NEVER_SEEN = plays(
    "E JH TH KH AH / E JS TS ~JC 7S / E 9S 8S ~QH AS / E KS ~8C ~KC ~7C / E 7H 8H ~QC 9H /"
    "S AC ~QS TC 9C / E JD TD QD 7D / E AD 8D 9D KD"
)

_HIDDEN = plays("E JD TD ~JC 7D / E AH TH JH 7H / W 9C 7C ~QS 8C / E 9D KD 8S 8D")
_HIDDEN_REST = plays("W QC AC AD TC / S QD KS 9H KH / E JS AS QH TS / E 9S 8H KC 7S")


def _four(amount: int) -> dict[str, object]:
    return {"tokens": {"S": -amount, "E": amount, "N": -amount, "W": amount}, "next_dealer": "E"}


MARRIAGES: list[Case] = [
    allows(
        "marriage.off",
        "where it is played",
        MARRIED,
        f"{_numbers('300')}, {_FIRST}, E marriage S",
        rules=_M,
        to_act=["E"],
    ),
    forbids(
        "marriage.off",
        "not in Doso Viso",
        MARRIED,
        f"{_numbers('300')}, {_FIRST}, E marriage S",
        rules="doso-viso",
    ),
    allows(
        "marriage.when",
        "on lead, after a trick won, trumps open",
        MARRIED,
        f"{_numbers('300')}, {_FIRST}, E marriage S",
        rules=_M,
    ),
    forbids(
        "marriage.when", "no trick won yet", MARRIED, f"{_numbers('300')}, E marriage S", rules=_M
    ),
    forbids(
        "marriage.when",
        "not on lead",
        MARRIED,
        f"{_numbers('300')}, {_FIRST}, E 9S, N 8S, W marriage H",
        rules=_M,
    ),
    forbids(
        "marriage.when",
        "trumps are closed",
        MARRIED,
        f"{_numbers('160', 'closed')}, {plays('E JH TH KH 7H')}, E marriage S",
        rules=_M,
    ),
    allows(
        "marriage.held",
        "king and queen in hand",
        MARRIED,
        f"{_numbers('300')}, {_FIRST}, E marriage S",
        rules=_M,
    ),
    forbids(
        "marriage.held",
        "neither of hearts",
        MARRIED,
        f"{_numbers('300')}, {_FIRST}, E marriage H",
        rules=_M,
    ),
    forbids(
        "marriage.held",
        "each suit once",
        MARRIED,
        f"{_numbers('300')}, {_FIRST}, E marriage S, E marriage S",
        rules=_M,
    ),
    forbids(
        "marriage.held",
        "the king has been played",
        MARRIED,
        f"{_numbers('300')}, {_FIRST}, {plays('E 9S 8S QC AS / E KS 8C 9C 7C')}, E marriage S",
        rules=_M,
    ),
    judges(
        "marriage.points",
        "260 in tricks and 40: a bid of 300 is made",
        MARRIED,
        f"{_numbers('300')}, {_FIRST}, E marriage S, {_LOST}",
        rules=_M,
        status="complete",
        result=_four(3),
    ),
    judges(
        "marriage.points",
        "without it it fails",
        MARRIED,
        f"{_numbers('300')}, {_FIRST}, {_LOST}",
        rules=_M,
        points={"S": 44, "E": 260, "N": 0, "W": 0},
        result=_four(-4),
    ),
    judges(
        "marriage.points",
        "what the called partner shows counts for the trump maker's side, also before the called "
        "card is seen: 244, 10 and 20",
        MARRIED,
        f"{_numbers('270')}, {_BEFORE_SEEN}, W marriage H, {_SEEN}",
        rules=_M,
        points={"S": 60, "E": 123, "N": 0, "W": 121},
        result=_four(3),
    ),
    judges(
        "marriage.points",
        "the same, where the called card lies face down until the count: 270, 10 and 20",
        HIDDEN_PARTNER,
        f"{_numbers('300', 'closed')}, {_HIDDEN}, W marriage H, {_HIDDEN_REST}",
        rules={"preset": _M, "open_after_250": "off"},
        points={"S": 34, "E": 196, "N": 0, "W": 74},
        result=_four(3),
    ),
    judges(
        "last.trick",
        "the called partner wins it, whose card lies face down until the count: 282 and 10",
        LATER,
        f"{_numbers('290', 'closed')}, {_NEVER_SEEN}",
        rules={"preset": _M, "open_after_250": "off"},
        points={"S": 22, "E": 248, "N": 0, "W": 34},
        result=_four(3),
    ),
    judges(
        "last.trick",
        "260 in tricks and 10 for the last: a bid of 270 is made",
        MARRIED,
        f"{_numbers('270')}, {_FIRST}, {_WON}",
        rules=_M,
        points={"S": 44, "E": 260, "N": 0, "W": 0},
        result=_four(3),
    ),
    judges(
        "last.trick",
        "the last trick lost: it fails",
        MARRIED,
        f"{_numbers('270')}, {_FIRST}, {_LOST}",
        rules=_M,
        result=_four(-4),
    ),
    judges(
        "last.trick",
        "it counts nothing in Doso Viso",
        MARRIED,
        f"{_numbers('270')}, {_FIRST}, {_WON}",
        rules="doso-viso",
        result=_four(-4),
    ),
]
CALLED = {"partner": "called", "ask_partner": "off", "pcc": "off", "caps": "off"}
_SPADES_OUT = plays(
    "E KC QC 7S JC / W KS KH JS TC / E 8H 9D JH TH / W 9H AH 7H 8C / W 8S QH 9S AD /"
    "E 7D JD TS KD / W QS 8D QD 9C / W AS TD AC 7C"
)
SPOILT: list[Case] = [
    judges(
        "spoilt.what",
        "a called partner is no opponent",
        SPADES,
        f"{bid()}, E trump JS, {passes('ENWS')}, E partner AS, E open, {_SPADES_OUT}",
        rules={**CALLED, "spoilt": "auto"},
        status="void",
        result={"tokens": {"S": 0, "E": 0, "N": 0, "W": 0}, "next_dealer": "S"},
    ),
    judges(
        "spoilt.what",
        "without that partner all others are",
        SPADES,
        f"{bid()}, E trump JS, {passes('ENWS')}, E partner 7D, E open, {_SPADES_OUT}",
        rules={**CALLED, "spoilt": "auto"},
        status="complete",
        result={"tokens": {"S": 2, "E": -6, "N": 2, "W": 2}, "next_dealer": "E"},
    ),
    judges(
        "payment",
        "a bank: a lone loser pays once for each of the others",
        SPADES,
        f"{bid()}, E trump JS, {passes('ENWS')}, E partner 7D, E open, {_SPADES_OUT}",
        rules={**CALLED, "spoilt": "off", "match": "bank"},
        status="complete",
        result={"tokens": {"S": 0, "E": -6, "N": 0, "W": 0}, "next_dealer": "E"},
    ),
]
_D = "tamil-304"
_DOUBLE = f"{bid()}, E trump JS, E open"
_FIVE = plays("E JS TS QS 7S / E 9S 8S KS AS / E JH TH QH 7H / E 9H 8H KH AH / E JD TD QD 7D")
_THREE_MORE = plays("E 9D 8D KD AD / E JC TC QC 7C / E 9C 8C KC AC")
_FAILING = plays("E 9D 8D KD AD / E JC TC QC 7C / E AC 8C KC 9C")
_LOST_ONE = plays("E AC 8C KC 9C / S 7S JS TS QS / E 9S 8S KS AS / E JH TH QH 7H / E 9H 8H KH AH")
DOUBLES: list[Case] = [
    allows(
        "double.when",
        "after five tricks, before the sixth",
        EVEN,
        f"{_DOUBLE}, {_FIVE}, E double",
        rules=_D,
        to_act=["E"],
    ),
    forbids(
        "double.when",
        "not after four",
        EVEN,
        f"{_DOUBLE}, {_FIVE.rsplit(', ', 4)[0]}, E double",
        rules=_D,
    ),
    forbids(
        "double.when",
        "not in the middle of a trick",
        EVEN,
        f"{_DOUBLE}, {_FIVE}, E 9D, N double",
        rules=_D,
    ),
    forbids("double.when", "once", EVEN, f"{_DOUBLE}, {_FIVE}, E double, E double", rules=_D),
    forbids(
        "double.when", "not played elsewhere", EVEN, f"{to_play('JS', 'open')}, {_FIVE}, E double"
    ),
    allows("double.won", "every trick won so far", EVEN, f"{_DOUBLE}, {_FIVE}, E double", rules=_D),
    forbids("double.won", "one was lost", NINE, f"{_DOUBLE}, {_LOST_ONE}, E double", rules=_D),
    judges(
        "double.pays",
        "all eight: one token more than the bid",
        EVEN,
        f"{_DOUBLE}, {_FIVE}, E double, {_THREE_MORE}",
        rules=_D,
        status="complete",
        result={"tokens": {"NS": -2, "EW": 2}},
    ),
    judges(
        "double.pays",
        "Caps that was missed is paid in place of the double",
        EVEN,
        f"{to_play('JS', 'open')}, {_FIVE}, E double, {_THREE_MORE}",
        rules={"double": "on"},
        status="complete",
        result={"tokens": {"NS": 2, "EW": -2}},
    ),
    judges(
        "double.pays",
        "not said: the bid alone",
        EVEN,
        f"{_DOUBLE}, {_FIVE}, {_THREE_MORE}",
        rules=_D,
        result={"tokens": {"NS": -1, "EW": 1}},
    ),
    judges(
        "double.pays",
        "a trick lost: as a failed bid, and one more",
        NINE,
        f"{_DOUBLE}, {_FIVE}, E double, {_FAILING}",
        rules=_D,
        result={"tokens": {"NS": 3, "EW": -3}},
    ),
]
_TWO = "1 150, 2 pass, 1 trump TS"
_DRAWN = plays("1 JS JD / 1 9S 8S / 1 JH QH / 1 9H 7H / 1 AH 8D / 1 TH QC", "12")
_TWELVE = plays("1 AS 7C / 1 KS KC / 1 QS KD / 1 7S TC / 1 KH AC / 1 8H TD", "12")
_SIXTEEN = plays("1 8C JC / 2 9C 7D / 2 AD QD / 2 9D TS", "12")
_ONE_150 = "1 {}, 2 pass, 3 pass, 1 trump 9S"
_AWAY = plays(
    "1 JS QS 7S / 1 AS KS 8S / 1 JH QH 7H / 1 9H KH 8H / 1 AH TH 8C / 1 JD TD 8D /"
    "1 9C TC QC / 1 7D AD KD / 2 AC KC 7C / 2 TS QD 9S",
    "123",
)
STOCKS: list[Case] = [
    judges(
        "draw.after",
        "after a trick each draws, its winner first",
        TWO,
        f"{_TWO}, {plays('1 JS JD', '12')}, 1 9S",
        rules="online-2",
        to_act=["2"],
        legal=["2 8S"],
    ),
    judges(
        "draw.after",
        "who drew first has the queen of spades",
        TWO,
        f"{_TWO}, {plays('1 JS JD', '12')}, 1 QS",
        rules="online-2",
        error=None,
    ),
    forbids(
        "card.held",
        "the other has not",
        TWO,
        f"{_TWO}, {plays('1 JS JD', '12')}, 1 9S, 2 QS",
        rules="online-2",
    ),
    judges(
        "draw.after",
        "sixteen tricks: 241 against 63",
        TWO,
        f"{_TWO}, {_DRAWN}, {_TWELVE}, {_SIXTEEN}",
        rules="online-2",
        status="complete",
        points={"1": 241, "2": 63},
        result={"tokens": {"1": 5, "2": 0}, "next_dealer": "1"},
    ),
    judges(
        "exchange.two",
        "what is laid away counts for the opponents: a bid of 220 with 226",
        THREE,
        f"{_ONE_150.format(220)}, 1 exchange 9D JC, {_AWAY}",
        rules="online-3",
        status="complete",
        points={"1": 226, "2": 28, "3": 0},
        result={"tokens": {"1": 6, "2": 0, "3": 0}, "next_dealer": "1"},
    ),
    judges(
        "exchange.two",
        "230 fails: each opponent gets 5",
        THREE,
        f"{_ONE_150.format(230)}, 1 exchange 9D JC, {_AWAY}",
        rules="online-3",
        result={"tokens": {"1": 0, "2": 5, "3": 5}},
    ),
]
CASES = [*MARRIAGES, *SPOILT, *DOUBLES, *STOCKS]
