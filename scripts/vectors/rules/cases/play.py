"""Cases: the play of the cards, face up and face down."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, allows, deal, forbids, judges, passes, plays
from scripts.vectors.rules.cases.deals import (
    ALL_TRUMPS,
    CLOSED_TRICKS,
    EVEN,
    NINE,
    SPADES,
    VOID,
    bid,
    late,
    to_play,
)

LAST = deal(
    "S",
    "AS 7S AH 7H AD 7D AC 7C",
    "JS 8S JH 9H JD 9D JC 9S",
    "TS 9C TH 8H TD 8D TC 8C",
    "KS QS KH QH KD QD KC QC",
)
"""East has three spades and one club, North one spade and three clubs."""
EXHAUST = deal(
    "S",
    "7D KH QH 7H 8H 7C 8C QC",
    "JS 9S AS 8S TS KS JD 9D",
    "QS 7S AD TD KD AC KC TC",
    "JC 9C JH 9H QD 8D AH TH",
)
"""North has the only two spades that East does not have."""
_SIX_SPADES = deal(
    "1",
    "JS 9S AS TS KS QS",
    "8S JH 9H AH TH KH",
    "7S JD 9D AD TD KD",
    "6S JC 9C AC TC KC",
    "QH 8H 7H 6H QD 8D",
    "7D 6D QC 8C 7C 6C",
)
"""Seat 1 holds nothing but trumps, and speaks and plays last."""
_CLOSED, _OPEN = to_play("JS", "closed"), to_play("JS", "open")
_PCC = f"{bid()}, E trump JS, E pcc, E trump JS, E closed"
_HALF = "E halfcourt, E trump JS, E closed"
_FULL = f"{passes('ENWS')}, E fullcourt, E trump JS, E partner AC, E closed"
_VOID = f"{late('9S', 'closed')}, S 7C"
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
_EX = f"{to_play('8S', 'closed')}, {plays('E JD KD 8D 7D / E JS QS ~TH ~8C / E 9S 7S ~AH ~7C')}"
_OUT = f"{_EX}, {plays('E AS ~TC ~QD ~QC')}"
_ASK = f"{bid('150')}, E trump JS, E AC, N 9C"
_TRUMPS_LED = deal(
    "S",
    "8S 7S AH AD TH TD KH KD",
    "AS 9H 9D 9C 8H 8D 8C 7C",
    "AC TC KC QC QH QD 7H 7D",
    "TS QS KS 9S JS JH JD JC",
)
_ONLINE = "online-4"
_NOBODY_ASKS = deal(
    "S",
    "7S JC QH TC JD 8C 8D TD",
    "9H KC TH AD AC AH 7D KD",
    "QC KH KS TS 8H 9C 8S QD",
    "7H 9D QS JH JS 9S 7C AS",
)
_TO_THE_LAST_CARD = plays(
    "E TH 8H JH QH / W 9D JD AD QD / S 8C KC QC 7C / E 7D 9C 7H 8D / S TC AC KH JS"
    " / E 9H 8S AS TD / E KD TS QS JC / E AH KS 9S 7S"
)

LEADS: list[Case] = [
    allows("lead.up", "a lead face up", SPADES, f"{_CLOSED}, E AC", to_act=["N"]),
    forbids("lead.up", "a lead face down", SPADES, f"{_CLOSED}, E ~AC"),
    allows("lead.trump", "open: a trump first", SPADES, f"{_OPEN}, E 9S"),
    forbids(
        "lead.trump",
        "closed: no trump first",
        SPADES,
        f"{_CLOSED}, E 9S",
        legal=["E 7D", "E 7H", "E 8H", "E AC", "E KC", "E QD"],
    ),
    allows(
        "lead.trump",
        "where trumps are asked for: a trump first",
        SPADES,
        f"{bid('150')}, E trump JS, E 9S",
        rules=_ONLINE,
    ),
    allows(
        "lead.trump",
        "closed: a trump from hand in a later trick",
        EVEN,
        f"{to_play('9S', 'closed')}, {plays('E JH TH KH AH')}, E JS",
    ),
    allows("pcc.lead", "a plain suit first", SPADES, f"{_PCC}, E AC", to_act=["N"]),
    forbids("pcc.lead", "no trump first", SPADES, f"{_PCC}, E 9S"),
    forbids("pcc.lead", "nor in half court", SPADES, f"{_HALF}, E 9S", rules="half-court"),
    forbids("pcc.lead", "nor in full court", SPADES, f"{_FULL}, E 9S", rules="doso-viso"),
    allows("pcc.lead", "open: a trump first", SPADES, f"{_PCC.replace('closed', 'open')}, E JS"),
    allows("exhausted.when", "somebody followed: lead what you like", EXHAUST, f"{_EX}, E 9D"),
    forbids(
        "exhausted.when",
        "nobody followed: the trumps in hand come first",
        EXHAUST,
        f"{_OUT}, E 9D",
        legal=["E KS", "E TS"],
    ),
    allows("exhausted.when", "a trump from hand", EXHAUST, f"{_OUT}, E TS"),
    allows(
        "exhausted.when",
        "none left in hand: the indicator is not in the hand",
        EXHAUST,
        f"{_OUT}, {plays('E TS ~KC ~JC ~7H / E KS ~AC ~9C ~8H')}, E 9D",
    ),
    allows(
        "exhausted.when",
        "the partner followed: that is somebody, too",
        SPADES,
        f"{_OPEN}, {plays('E JS 7C 7S 8D')}, E AC",
    ),
    allows("exhausted.when", "switched off", EXHAUST, f"{_OUT}, E 9D", rules={"exhausted": "off"}),
]
FOLLOWING: list[Case] = [
    allows("follow.suit", "the suit led", SPADES, f"{_CLOSED}, E AC, N 9C", to_act=["W"]),
    forbids("follow.suit", "open: another suit while holding it", SPADES, f"{_OPEN}, E AC, N 9D"),
    forbids("follow.suit", "closed: another suit face down", SPADES, f"{_CLOSED}, E AC, N ~9D"),
    forbids(
        "follow.suit",
        "closed: no cut with the indicator while holding the suit",
        {**EVEN, "dealer": "W"},
        f"{late('9S', 'closed')}, S AH, E ~9S",
    ),
    allows("follow.up", "face up", SPADES, f"{_CLOSED}, E AC, N 9C"),
    forbids("follow.up", "face down, though it follows", SPADES, f"{_CLOSED}, E AC, N ~9C"),
    forbids(
        "follow.up",
        "a trump that follows, by the trump maker: before down.trump",
        {**EVEN, "dealer": "W"},
        f"{late('9S', 'closed')}, S AS, E ~JS",
    ),
    forbids(
        "follow.up",
        "the same of a hand of trumps alone: before cut.must",
        _SIX_SPADES,
        f"{passes('23456')}, 1 160, {passes('23456')}, 1 trump JS, {passes('123456')}, 1 closed, "
        + plays("2 8S 7S 6S ~6H ~7D", "123456")
        + ", 1 ~9S",
        rules="six-36",
    ),
    allows(
        "hidden.down",
        "another suit face down",
        SPADES,
        f"{_CLOSED}, E AC, N 9C, W ~8S",
        to_act=["S"],
    ),
    forbids(
        "hidden.down", "another suit face up, trumps closed", SPADES, f"{_CLOSED}, E AC, N 9C, W 8S"
    ),
    allows("open.up", "another suit face up, trumps open", SPADES, f"{_OPEN}, E AC, N 9C, W 8S"),
    forbids("open.up", "face down, trumps open", SPADES, f"{_OPEN}, E AC, N 9C, W ~8S"),
    forbids(
        "open.up",
        "a card that follows, face down: this rule comes first",
        SPADES,
        f"{_OPEN}, E AC, N ~9C",
    ),
    allows("play.again", "a card once", EVEN, f"{to_play('9S', 'closed')}, E JH"),
    forbids(
        "play.again",
        "not once more",
        EVEN,
        f"{to_play('9S', 'closed')}, {plays('E JH TH KH AH')}, E JH",
    ),
    forbids("play.again", "nor by another player", EVEN, f"{to_play('9S', 'closed')}, E JH, N JH"),
    forbids(
        "play.again",
        "before hidden.down",
        EVEN,
        f"{to_play('9S', 'closed')}, {plays('E JH TH KH AH')}, E JD, N TH",
    ),
    forbids(
        "card.held",
        "an own card again that still lies face down",
        VOID,
        f"{_VOID}, E ~7H, N 9C, W ~AD, N JH, W TH, S ~7D, E 7H",
    ),
    forbids("hidden.down", "before whether the card is held", VOID, f"{_VOID}, E AD"),
    forbids(
        "hidden.down",
        "before whether the suit can be followed",
        EVEN,
        f"{to_play('9S', 'closed')}, E JH, N TC",
    ),
]
INDICATOR: list[Case] = [
    allows("down.trump", "face down from hand: no trump", VOID, f"{_VOID}, E ~7H", to_act=["N"]),
    forbids("down.trump", "no trump from hand face down", VOID, f"{_VOID}, E ~AS"),
    allows("down.trump", "the indicator face down: a cut", VOID, f"{_VOID}, E ~9S"),
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
    forbids("indicator.last", "no cut face up", VOID, f"{_VOID}, E 9S"),
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
        rules=_ONLINE,
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
CONSEQUENCES: list[Case] = [
    judges(
        "announce.show",
        "a trump among the face-down cards: all are turned up, trumps are open",
        SPADES,
        f"{_CLOSED}, {plays('E AC 9C ~8S JC')}",
        to_act=["W"],
        contract={"shown": True},
        points={"NS": 0, "EW": 61},
        tricks=[
            {"leader": "E", "plays": ["E AC", "N 9C", "W ~8S", "S JC"], "winner": "W", "points": 61}
        ],
    ),
    judges(
        "announce.none",
        "none: the cards stay down, trumps stay closed",
        SPADES,
        f"{_CLOSED}, {plays('E AC 9C ~JH JC')}",
        to_act=["S"],
        contract={"shown": False},
        points={"NS": 91, "EW": 0},
    ),
    judges(
        "announce.show",
        "the indicator cuts",
        VOID,
        f"{_VOID}, E ~9S, N JC, W ~AD",
        to_act=["E"],
        contract={"shown": True},
        points={"NS": 0, "EW": 61},
    ),
    judges(
        "announce.none",
        "the trump maker's own card down is no cut",
        VOID,
        f"{_VOID}, E ~7H, N JC, W ~AD",
        to_act=["N"],
        contract={"shown": False},
        points={"NS": 41, "EW": 0},
    ),
    judges(
        "announce.show",
        "from 250 on the indicator is shown after trick 1",
        EVEN,
        f"{to_play('9S', 'closed', '250')}, {plays('E JH TH KH AH')}",
        contract={"shown": True, "open": False},
    ),
    judges(
        "announce.show",
        "Partner Close Caps counts as more than 250",
        SPADES,
        f"{_PCC}, E AC, N 7C, S JC",
        contract={"shown": True, "open": False},
    ),
    judges(
        "announce.show",
        "and so does a court",
        SPADES,
        f"{_FULL}, E QD, N 9D, W ~JH, S TD",
        rules="doso-viso",
        contract={"shown": True, "open": False},
    ),
    judges(
        "announce.show",
        "below 250 it is not",
        EVEN,
        f"{to_play('9S', 'closed', '240')}, {plays('E JH TH KH AH')}",
        contract={"shown": False},
    ),
    judges(
        "announce.show",
        "where that is switched off it is not either",
        EVEN,
        f"{to_play('9S', 'closed', '250')}, {plays('E JH TH KH AH')}",
        rules={"open_after_250": "off"},
        contract={"shown": False},
    ),
    judges(
        "announce.show",
        "nor where trumps are asked for",
        SPADES,
        f"{bid('250')}, E trump AC, {plays('E KC 8C AS JC')}",
        rules={"preset": "online-4", "open_after_250": "on"},
        to_act=["S"],
        phase="play",
        contract={"shown": False},
    ),
    *(
        judges(
            "announce.show",
            f"{court} counts as more than 250",
            EVEN,
            said,
            rules=rules,
            status="in_progress",
            contract={"open": False, "shown": True},
        )
        for court, said, rules in (
            ("half court", f"{_HALF}, {plays('E JH TH AH', 'SEN')}", "half-court"),
            ("full court", f"{_FULL}, {plays('E JH TH KH AH')}", "doso-viso"),
        )
    ),
    judges(
        "pcc.lead",
        "with six both partners lie idle",
        _SIX_SPADES,
        f"{passes('23456')}, 1 200, {passes('23456')}, 1 trump JS, 1 pcc, 1 trump JS, 1 open, "
        "1 JS, 2 8S",
        rules="six-36",
        to_act=["4"],
    ),
    judges(
        "pcc.all",
        "the partner is out, a trick is lost, and play goes on",
        SPADES,
        f"{_PCC}, E AC, N 9C, S JC",
        to_act=["S"],
        points={"NS": 61, "EW": 0},
        status="in_progress",
    ),
]
REVEAL: list[Case] = [
    allows(
        "reveal.ask",
        "unable to follow",
        SPADES,
        f"{_ASK}, W reveal",
        rules=_ONLINE,
        to_act=["W"],
        contract={"shown": True},
    ),
    forbids(
        "reveal.ask",
        "able to follow",
        SPADES,
        f"{bid('150')}, E trump JS, E AC, N reveal",
        rules=_ONLINE,
    ),
    forbids("reveal.ask", "on lead", SPADES, f"{bid('150')}, E trump JS, E reveal", rules=_ONLINE),
    forbids("reveal.ask", "shown already", SPADES, f"{_ASK}, W reveal, W reveal", rules=_ONLINE),
    forbids(
        "reveal.ask", "not where cards lie face down", SPADES, f"{_CLOSED}, E AC, N 9C, W reveal"
    ),
    allows(
        "reveal.ask",
        "the trump maker asks in the same word",
        VOID,
        "S pass, E 150, N pass, W pass, S pass, E trump 9S, S 7C, E reveal",
        rules=_ONLINE,
        to_act=["E"],
        legal=["E 9S", "E AS", "E JS", "E TS"],
    ),
    forbids(
        "reveal.ask",
        "not the trump maker whose only card is the indicator",
        _NOBODY_ASKS,
        f"{passes('ENW')}, S 150, {passes('ENW')}, S trump 7S, {_TO_THE_LAST_CARD[: -len('S 7S')]}"
        "S reveal",
        rules=_ONLINE,
        legal=["S 7S"],
    ),
    allows(
        "reveal.cut",
        "who asked cuts",
        SPADES,
        f"{_ASK}, W reveal, W 8S, S JC",
        rules=_ONLINE,
        to_act=["W"],
        points={"NS": 0, "EW": 61},
    ),
    forbids(
        "reveal.cut", "and may not throw away", SPADES, f"{_ASK}, W reveal, W JH", rules=_ONLINE
    ),
    allows(
        "reveal.up",
        "any card face up; a trump unasked cuts nothing",
        SPADES,
        f"{_ASK}, W 8S, S JC",
        rules=_ONLINE,
        to_act=["S"],
        points={"NS": 61, "EW": 0},
        contract={"shown": False},
    ),
    judges(
        "reveal.up",
        "trumps led before they are shown win as any suit led",
        _TRUMPS_LED,
        f"{passes('ENW')}, S 150, {passes('ENW')}, S trump 7S, E AS, N reveal, N 7H, W TS, S 8S",
        rules=_ONLINE,
        to_act=["E"],
        points={"NS": 0, "EW": 21},
    ),
    judges(
        "reveal.up",
        "the indicator, played last, cuts; an opponent's higher trump before it is dead",
        _NOBODY_ASKS,
        f"{passes('ENW')}, S 150, {passes('ENW')}, S trump 7S, {_TO_THE_LAST_CARD}",
        rules=_ONLINE,
        points={"NS": 117, "EW": 187},
    ),
    forbids("reveal.up", "nothing lies face down", SPADES, f"{_ASK}, W ~8S", rules=_ONLINE),
    forbids(
        "lead.up",
        "a lead face down where nothing lies face down",
        SPADES,
        f"{bid('150')}, E trump JS, E ~AC",
        rules=_ONLINE,
        contract={"bid": 150, "by": "E", "trump": "S", "open": False, "shown": False},
    ),
]
CASES = [*LEADS, *FOLLOWING, *INDICATOR, *CONSEQUENCES, *REVEAL]
