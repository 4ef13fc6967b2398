"""Hands for protocol/review.json with a breach of the rules that only the own cards of its player
tell, and what the review at the count (check C01) makes of them.

No transcript can show such a breach, because no proof of it exists. What a row expects was thought
out from SPEC.md; the rest of a hand after the breach is played with the first legal action.
"""

from __future__ import annotations

import json
from typing import Any

from p2p304.rules.core.notation import text as action_text
from scripts.vectors.rules.cases.case import Deal, deal, passes, plays, record
from scripts.vectors.rules.cases.deals import (
    ALL_TRUMPS,
    EVEN,
    NINE,
    SPADES,
    VOID,
    bid,
    late,
    to_play,
)
from scripts.vectors.rules.cases.play.following import EXHAUST
from scripts.vectors.rules.cases.trump import STUCK, THREE
from scripts.vectors.rules.cases.variants.called_partner import CALLED
from scripts.vectors.rules.cases.variants.stocks import TWO
from tests.support.reference.lawless import begun

Row = dict[str, Any]

CLOSED, OPEN = to_play("JS", "closed"), to_play("JS", "open")
PCC = f"{bid()}, E trump JS, E pcc, E trump JS, E closed"
STUCK_CLOSED = f"{bid()}, E trump JS, {passes('ENWS')}, E closed"
ONE_TRICK = plays("E JD KD 8D 7D / E JS QS ~TH ~8C / E 9S 7S ~AH ~7C / E AS ~TC ~QD ~QC")
EXHAUSTED = f"{to_play('8S', 'closed')}, {ONE_TRICK}"
_SEVEN_WEST = deal(
    "S",
    "7D KH QH 7H 8H 7C 8C QC",
    "JS 9S AS 8S TS KS JD 9D",
    "QS QD AD TD KD AC KC TC",
    "JC 9C JH 9H 7S 8D AH TH",
)
"""As EXHAUST, but West has the seven of spades, and North the queen of diamonds."""
_HELD_BACK = plays("E JD KD 8D 7D / E JS QS ~TH ~8C / E 9S ~AC ~7S ~7C / E 9D QD ~AH ~QC")
SEVEN = plays(
    "E JH TH KH AH / E 9H 8H QH 7H / E JD TD KD AD / E 9D 8D QD 7D / E JC 8C QC 7C"
    " / E JS TS QS 7S / E AC TC KC 9C"
)
LAST = f"{to_play('9S', 'closed')}, {SEVEN}, S AS"
CLUBS = f"{bid('150')}, E trump AC"
SIX_BID = f"1 160, {passes('23456')}, 1 trump JS, {passes('123456')}, 1 closed"
SIX_TRUMPS = deal(
    "6",
    "JS 9S AS TS KS QS",
    "8S JH 9H AH TH KH",
    "7S JD 9D AD TD KD",
    "6S JC 9C AC TC KC",
    "QH 8H 7H 6H QD 8D",
    "7D 6D QC 8C 7C 6C",
)
"""Seat 1 holds nothing but trumps, and each of the next three seats one."""
FIVE_TRUMPS = deal(
    "6",
    "JS 9S AS TS KS 6C",
    "8S JH 9H AH TH KH",
    "7S JD 9D AD TD KD",
    "6S JC 9C AC TC KC",
    "QH 8H 7H 6H QD 8D",
    "7D 6D QC 8C 7C QS",
)
SPOILT, SPOILT_OPEN = to_play("8S", "closed"), to_play("8S", "open")


def row(
    comment: str,
    dealt: Deal,
    said: str,
    breach: tuple[str, str] | None,
    pays: dict[str, int] | None,
    rules: Any = None,
    denied: tuple[int, ...] = (),
) -> Row:
    """``breach``: seat and rule; ``pays``: what the hand then pays, None where that is not told.
    ``denied``: the tricks after which "no trumps" is said falsely."""
    found = record(dealt, said, rules)
    referee = begun(json.dumps(found), denied)
    options = referee.hand.options
    while legal := referee.legal():
        found["actions"].append(action_text(legal[0], options.seats, options.tenths))
        referee.act(legal[0])
    seat, rule = breach or (None, None)
    told = None if breach is None else {"seat": seat, "rule": rule}
    return {
        "comment": comment,
        "record": found,
        "denied": list(denied),
        "breach": told,
        "tokens": pays,
    }


def rows() -> list[Row]:
    maker, other = {"NS": 4, "EW": -4}, {"NS": -3, "EW": 3}
    return [
        row(
            "a trump maker with trumps alone plays closed; its lead of a trump comes after that",
            STUCK,
            f"{STUCK_CLOSED}, E 9S",
            ("E", "declare.stuck"),
            maker,
        ),
        row("a trump led first, closed", SPADES, f"{CLOSED}, E 9S", ("E", "lead.trump"), maker),
        row(
            "the same in Partner Close Caps, which costs more",
            SPADES,
            f"{PCC}, E 9S",
            ("E", "pcc.lead"),
            {"NS": 7, "EW": -7},
        ),
        row(
            "exhausted trumps, and one kept back",
            EXHAUST,
            f"{EXHAUSTED}, E 9D",
            ("E", "exhausted.when"),
            maker,
        ),
        row(
            "the same where a partner of the trump maker's laid its trump face down on that lead: "
            "everybody saw that nobody followed",
            _SEVEN_WEST,
            f"{to_play('8S', 'closed')}, {_HELD_BACK}, E AS, N spoilt",
            ("E", "exhausted.when"),
            maker,
            denied=(3,),
        ),
        row("another suit face up", SPADES, f"{OPEN}, E AC, N 9D", ("N", "follow.suit"), other),
        row(
            "another suit face down", SPADES, f"{CLOSED}, E AC, N ~9D", ("N", "follow.suit"), other
        ),
        row("the suit led face down", SPADES, f"{CLOSED}, E AC, N ~9C", ("N", "follow.up"), other),
        row(
            "a cut with the indicator by a trump maker who could follow",
            {**EVEN, "dealer": "W"},
            f"{late('9S', 'closed')}, S AH, E ~9S",
            ("E", "follow.suit"),
            maker,
        ),
        row(
            "a trump from the trump maker's hand face down",
            VOID,
            f"{late('9S', 'closed')}, S 7C, E ~AS",
            ("E", "down.trump"),
            maker,
        ),
        row(
            "the same of a hand of trumps alone",
            ALL_TRUMPS,
            f"{late('JS', 'closed')}, S 7C, E ~AS",
            ("E", "cut.must"),
            maker,
        ),
        row(
            "the last indicator face down on its own suit",
            NINE,
            f"{LAST}, E ~9S",
            ("E", "indicator.last"),
            maker,
        ),
        row(
            "trumps asked for by a player who could follow",
            SPADES,
            f"{CLUBS}, E KC, N reveal",
            ("N", "reveal.ask"),
            {"NS": 0, "EW": 7},
            "online-4",
        ),
        row(
            "the player who asked holds a trump and plays none",
            SPADES,
            f"{CLUBS}, E 9S, N reveal, N 9D",
            ("N", "reveal.cut"),
            {"NS": 0, "EW": 7},
            "online-4",
        ),
        row(
            '"no trumps", and a trump lay face down',
            SPADES,
            f"{CLOSED}, {plays('E AC 9C ~8S JC')}",
            ("E", "announce.false"),
            maker,
            denied=(1,),
        ),
        row(
            "two breaches: the first in order of play counts",
            SPADES,
            f"{OPEN}, E AC, N 9D, W TS, S TH",
            ("N", "follow.suit"),
            other,
        ),
        row(
            "trumps called spoilt falsely: a hand that was proved clean stays closed, and its card "
            "face down breaks no rule",
            EXHAUST,
            f"{SPOILT}, E JD, N KD, W 8D, S ~8C, N spoilt",
            None,
            other,
        ),
        row(
            "the same, and the hand with a trump is opened: its card face down is judged",
            EXHAUST,
            f"{SPOILT}, E JD, N ~AC, W 8D, S 7D, S spoilt",
            ("N", "follow.suit"),
            other,
        ),
        row(
            "the same where a violation makes the hand void: it is reviewed like any other",
            EXHAUST,
            f"{SPOILT}, E JD, N ~AC, W 8D, S 7D, S spoilt",
            ("N", "follow.suit"),
            other,
            {"violation": "void"},
        ),
        row(
            "the same, open: a card face up of a hand of which no other card is known",
            EXHAUST,
            f"{SPOILT_OPEN}, E JD, N KD, W 8D, S 8C, N spoilt",
            None,
            other,
        ),
        row(
            "the same, and a later play shows that its player could have followed",
            EXHAUST,
            f"{SPOILT_OPEN}, E JD, N KD, W 8D, S 8C, {plays('E 9D TD QD 7D')}, N spoilt",
            ("S", "follow.suit"),
            other,
        ),
        row(
            "the same, before the trump maker's first lead: nobody knows whether it held trumps "
            "alone",
            EXHAUST,
            f"{SPOILT}, N spoilt",
            None,
            other,
        ),
        row(
            "the same, where open trump is not played: a trump was led first, perhaps from trumps "
            "alone",
            SIX_TRUMPS,
            f"{SIX_BID}, 1 9S, 2 spoilt",
            None,
            {"135": 3, "246": -3},
            {"preset": "six-36", "open_trump": "off"},
        ),
        row(
            "the same, and a later play shows a card of another suit",
            FIVE_TRUMPS,
            f"{SIX_BID}, {plays('1 9S 8S 7S 6S ~6H QS', '123456')}, 1 6C, 2 spoilt",
            ("1", "lead.trump"),
            {"135": -4, "246": 4},
            {"preset": "six-36", "open_trump": "off"},
        ),
        row(
            "a trump from the trump maker's hand face down is turned up: that all the others were "
            "trumps too, nobody knows",
            {**SIX_TRUMPS, "dealer": "5"},
            f"6 pass, {SIX_BID}, {plays('6 QC ~9S ~8S ~JD JC ~QH', '123456')}, 3 spoilt",
            ("1", "down.trump"),
            {"135": -4, "246": 4},
            {"preset": "six-36", "reveal": "all"},
        ),
        row(
            "trumps spoilt by themselves: a void hand is not reviewed",
            SPADES,
            f"{bid('150')}, E trump JS, E KC, N reveal",
            None,
            {"NS": 0, "EW": 0},
            "online-4",
        ),
        row(
            "a stock to draw from: nothing is judged",
            TWO,
            "1 pass, 2 150, 1 pass, 2 trump JD, 1 JS, 2 reveal, 2 JC",
            None,
            None,
            "online-2",
        ),
        row(
            "cards were exchanged: everything else is judged",
            THREE,
            "1 150, 2 pass, 3 pass, 1 trump 9C, 1 exchange JD 9D, 1 JS, 2 TH",
            ("2", "follow.suit"),
            {"1": 7, "2": 0, "3": 7},
            "online-3",
        ),
        row(
            "by a called partner, before its card is seen: it pays as the trump maker's side",
            SPADES,
            f"{bid()}, E trump JS, {passes('ENWS')}, E partner AS, E open, E 9S, N 9D, W JH",
            ("W", "follow.suit"),
            {"S": 4, "E": 4, "N": 4, "W": -12},
            {**CALLED, "spoilt": "off"},
        ),
    ]


def text() -> str:
    """One row a line, so that a change shows as one line."""
    return "[\n" + ",\n".join(json.dumps(row) for row in rows()) + "\n]\n"
