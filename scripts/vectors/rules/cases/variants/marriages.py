"""Cases: marriages."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, allows, deal, forbids, judges, passes, plays
from scripts.vectors.rules.cases.deals import bid

MARRIED = deal(
    "S",
    "AS 7S AH 7H 9D 7D AC 7C",
    "JS 9S KS QS JH 9H JD AD",
    "TS 8S TH 8H TD 8D TC 8C",
    "JC 9C KH QH KD QD KC QC",
)
"""East has king and queen of trumps and its partner West the jack of clubs."""
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


CASES: list[Case] = [
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
