"""Cases: what hands of six and eight pay, in each of their packs.

In every deal seat 1 can win every trick, whoever makes trumps: so its side makes what it bids,
and the other side's bid fails. Owns those deals and their plays.
"""

from __future__ import annotations

from scripts.vectors.rules.cases.case import SEATS, Case, Deal, deal, judges, passes, plays

EIGHT = deal(
    "8",
    "JS JH JD JC",
    "9S 9H 9D 9C",
    "AS AH AD AC",
    "TS TH TD TC",
    "KS KH KD KC",
    "QS QH QD QC",
    "8S 8H 8D 8C",
    "7S 7H 7D 7C",
)
_EIGHT = "/".join(f"1 J{s} 9{s} A{s} T{s} K{s} Q{s} 8{s} 7{s}" for s in "SHDC")
SIX_36 = deal(
    "6",
    "JS 9S JH 9H JD JC",
    "AS TS AH 9D AD 9C",
    "KS QS TH TD KD AC",
    "8S KH QH QD 8D TC",
    "7S 8H 7H 7D 6D KC",
    "6S 6H QC 8C 7C 6C",
)
_SIX_36 = (
    "1 JS AS KS 8S 7S 6S / 1 9S TS QS 8D 6D 6C / 1 JH AH TH KH 8H 6H / 1 9H 9C AC QH 7H 7C /"
    "1 JD 9D TD QD 7D 8C / 1 JC AD KD TC KC QC"
)
TAMIL_504 = deal(
    "6",
    "3S JS 3H JH 3D 3C",
    "9S AS 9H JD 9D JC",
    "TS KS AH AD TD 9C",
    "QS TH KH KD QD AC",
    "8S QH 8H 8D 7D TC",
    "7S 7H KC QC 8C 7C",
)
_TAMIL_504 = (
    "1 3S 9S TS QS 8S 7S / 1 JS AS KS QD 7D 7C / 1 3H 9H AH TH QH 7H / 1 JH JC 9C KH 8H 8C /"
    "1 3D JD AD KD 8D QC / 1 3C 9D TD AC TC KC"
)
TAMIL_904 = deal(
    "8",
    "2S 3S 2H 2D 2C",
    "JS 9S 3H 3D 3C",
    "AS JH JD JC 8H",
    "TS 9H 9D 9C 8D",
    "KS AH AD AC 8C",
    "QS TH TD TC 7H",
    "8S KH KD KC 7D",
    "7S QH QD QC 7C",
)
_TAMIL_904 = (
    "1 2S JS AS TS KS QS 8S 7S / 1 3S 9S 8H 8D 8C 7H 7D 7C / 1 2H 3H JH 9H AH TH KH QH /"
    "1 2D 3D JD 9D AD TD KD QD / 1 2C 3C JC 9C AC TC KC QC"
)


def _sides(count: int, odd: int) -> dict[str, int]:
    seats = SEATS[count]
    return {seats[::2]: odd, seats[1::2]: -odd}


def _all(first: int, count: int) -> str:
    """Everybody passes, from seat ``first`` on."""
    seats = SEATS[count]
    return passes(seats[first - 1 :] + seats[: first - 1])


def _made(rules: str, dealt: Deal, tricks: str, bid: int, tokens: int, twice: bool) -> Case:
    """Seat 1 bids and makes it; ``twice`` where there is a second round of bidding."""
    count, total = len(dealt["hands"]), {"tamil-504": 504, "tamil-904": 904}.get(rules, 304)
    top = dealt["hands"]["1"][0]
    again = f"{_all(1, count)}, " if twice else ""
    said = f"1 {bid}, {passes(SEATS[count][1:])}, 1 trump {top}, {again}1 open"
    seats = SEATS[count]
    return judges(
        "payment",
        f"{rules}: {bid} made",
        dealt,
        f"{said}, {plays(tricks, seats)}",
        {"preset": rules, "caps": "off"},
        status="complete",
        points={seats[::2]: total, seats[1::2]: 0},
        result={"tokens": _sides(count, tokens), "next_dealer": "1"},
    )


def _failed(rules: str, dealt: Deal, tricks: str, bid: int, tokens: int, twice: bool) -> Case:
    """Seat 2 bids, after a bid of seat 1's where that one must, and takes no trick."""
    count = len(dealt["hands"])
    first = "1 200" if rules == "eight-32" else "1 pass"
    again = f"{_all(2, count)}, " if twice else ""
    once = rules.startswith("tamil")
    after = SEATS[count][2:] if once else SEATS[count][2:] + "1"
    lay = dealt["hands"]["2"][0]
    said = f"{first}, 2 {bid}, {passes(after)}, 2 trump {lay}, {again}2 open"
    return judges(
        "payment",
        f"{rules}: {bid} failed",
        dealt,
        f"{said}, {plays(tricks, SEATS[count])}",
        {"preset": rules, "caps": "off"},
        status="complete",
        result={"tokens": _sides(count, tokens), "next_dealer": "1"},
    )


GAMES = (
    ("eight-32", EIGHT, _EIGHT, True, ((200, 2), (250, 3)), ((210, 3), (250, 4))),
    ("six-36", SIX_36, _SIX_36, True, ((160, 1), (200, 2), (250, 3)), ((160, 2), (200, 3))),
    (
        "tamil-504",
        TAMIL_504,
        _TAMIL_504,
        False,
        ((260, 1), (320, 1), (330, 2), (400, 2), (410, 3), (500, 3)),
        ((260, 2), (330, 3), (410, 4)),
    ),
    (
        "tamil-904",
        TAMIL_904,
        _TAMIL_904,
        False,
        ((460, 1), (580, 1), (590, 2), (730, 2), (740, 3), (900, 3)),
        ((460, 2), (590, 3), (740, 4)),
    ),
)
"""Preset, deal, tricks, whether there is a second round, and bids with their tokens: those that
seat 1 makes, then those with which seat 2 fails."""
CASES: list[Case] = [
    case
    for rules, dealt, tricks, twice, made, failed in GAMES
    for case in (
        *(_made(rules, dealt, tricks, bid, tokens, twice) for bid, tokens in made),
        *(_failed(rules, dealt, tricks, bid, tokens, twice) for bid, tokens in failed),
    )
]
