"""Cases: trumps face down, and the indicator in play."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, allows, deal, forbids, judges, plays
from scripts.vectors.rules.cases.deals import (
    ALL_TRUMPS,
    CLOSED_TRICKS,
    EVEN,
    NINE,
    VOID,
    late,
    to_play,
)
from scripts.vectors.rules.cases.play.beginnings import ONLINE, VOID_LED

LAST = deal(
    "S",
    "AS 7S AH 7H AD 7D AC 7C",
    "JS 8S JH 9H JD 9D JC 9S",
    "TS 9C TH 8H TD 8D TC 8C",
    "KS QS KH QH KD QD KC QC",
)
"""East has three spades and one club, North one spade and three clubs."""
_HEARTS = "E JH TH KH AH / E 9H 8H QH 7H / E JD TD KD AD / E 9D 8D QD 7D / E JC 8C QC 7C"
_SEVEN = f"{to_play('8S', 'closed')}, {plays(_HEARTS + '/ E JS TS QS 7S / E 9S ~TC KS AS')}"
_CUT = f"{to_play('9S', 'closed')}, {plays(_HEARTS + '/ E JS TS QS 7S / E 8S ~TC KS AS')}"
_NINE = {**LAST, "hands": {**LAST["hands"], "E": ["JS", "9S", "JH", "9H", "JD", "9D", "JC", "8S"]}}
_ONE_TRUMP = {
    **EVEN,
    "dealer": "W",
    "hands": {
        **EVEN["hands"],
        "E": ["QD", "9S", *EVEN["hands"]["E"][2:]],
        "W": [c.replace("QD", "JS") for c in EVEN["hands"]["W"]],
    },
}
_EVEN = f"{to_play('9S', 'closed')}, {plays(CLOSED_TRICKS)}"
_OWN = f"{to_play('9S', 'closed')}, {plays(_HEARTS + '/ E JS TS QS 7S / E AC TC KC 9C')}, S AS"
CASES: list[Case] = [
    allows("down.trump", "face down from hand: no trump", VOID, f"{VOID_LED}, E ~7H", to_act=["N"]),
    forbids("down.trump", "no trump from hand face down", VOID, f"{VOID_LED}, E ~AS"),
    allows("down.trump", "the indicator face down: a cut", VOID, f"{VOID_LED}, E ~9S"),
    allows(
        "cut.must",
        "only trumps: the indicator cuts",
        ALL_TRUMPS,
        f"{late('JS', 'closed')}, S 7C, E ~JS",
        legal=["N 9C", "N JC"],
    ),
    forbids(
        "cut.must",
        "not a trump from hand",
        ALL_TRUMPS,
        f"{late('JS', 'closed')}, S 7C, E ~AS",
        legal=["E ~JS"],
    ),
    forbids("indicator.last", "no cut face up", VOID, f"{VOID_LED}, E 9S"),
    forbids(
        "indicator.last",
        "not led while there are cards in hand",
        EVEN,
        f"{to_play('9S', 'closed')}, {plays('E JH TH KH AH')}, E 9S",
    ),
    allows(
        "indicator.last",
        "led as the last card",
        EVEN,
        f"{_EVEN}, E 9S",
        contract={"shown": True},
        to_act=["N"],
    ),
    forbids(
        "reveal.up",
        "the indicator face down, where trumps are asked for",
        VOID,
        "S pass, E 150, N pass, W pass, S pass, E trump 9S, S 7C, E ~9S",
        rules=ONLINE,
    ),
    forbids(
        "indicator.last", "there is nothing else to play", EVEN, f"{_EVEN}, E 9C", legal=["E 9S"]
    ),
    forbids(
        "indicator.last", "nor to lead face down: this rule comes first", EVEN, f"{_EVEN}, E ~9C"
    ),
    forbids("lead.up", "the indicator is led face up, too", EVEN, f"{_EVEN}, E ~9S"),
    allows(
        "indicator.last",
        "on another suit the last card cuts, face down",
        _NINE,
        f"{_CUT}, S AC, E ~9S",
        to_act=["N"],
    ),
    forbids(
        "indicator.last",
        "no other card face down in its place",
        _NINE,
        f"{_CUT}, S AC, E ~9C",
        legal=["E ~9S"],
    ),
    forbids("hidden.down", "not face up", _NINE, f"{_CUT}, S AC, E 9S", legal=["E ~9S"]),
    allows(
        "indicator.last",
        "on its own suit the last card follows, face up",
        NINE,
        f"{_OWN}, E 9S",
        contract={"shown": True},
        to_act=["N"],
    ),
    forbids(
        "indicator.last", "not face down on its own suit", NINE, f"{_OWN}, E ~9S", legal=["E 9S"]
    ),
    forbids(
        "indicator.last",
        "nor with other cards in hand, none of them of that suit",
        _ONE_TRUMP,
        f"{late('9S', 'closed')}, S AS, E ~9S",
    ),
    forbids(
        "follow.suit",
        "with a card of that suit in hand, that one follows",
        {**EVEN, "dealer": "W"},
        f"{late('9S', 'closed')}, S AS, E ~9S",
        legal=["E JS"],
    ),
    judges(
        "indicator.opens",
        "once it lies face up all play face up",
        LAST,
        f"{_SEVEN}, E 8S",
        contract={"shown": True},
        legal=["N 9C"],
    ),
    forbids("open.up", "so a card face down is refused", LAST, f"{_SEVEN}, E 8S, N ~9C"),
]
