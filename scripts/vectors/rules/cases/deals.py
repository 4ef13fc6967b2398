"""The deals that the cases share, and the ways into play with them.

Owns cards and actions only; what they come to stands with the cases.
"""

from __future__ import annotations

from scripts.vectors.rules.cases.case import deal, passes, plays

SPADES = deal(
    "S",
    "AH TH KH QH TD KD 8D JC",
    "JS 9S 8H 7D AC KC QD 7H",
    "9C TC 8C QC 9D 7C JD AD",
    "AS TS KS QS 8S 7S JH 9H",
)
"""East and West hold all spades; East speaks and leads first."""
EVEN = deal(
    "S",
    "AS 7S AH 7H AD 7D AC 7C",
    "JS 9S JH 9H JD 9D JC 9C",
    "TS 8S TH 8H TD 8D TC 8C",
    "KS QS KH QH KD QD KC QC",
)
"""Two of every suit in every hand; East has all jacks and nines and can win every trick."""
WHOLE_SUITS = deal(
    "S",
    "JH 9H AH TH KH QH 8H 7H",
    "7S JS 9S AS TS KS QS 8S",
    "JD 9D AD TD KD QD 8D 7D",
    "JC 9C AC TC KC QC 8C 7C",
)
"""A suit in every hand; East has all spades."""
LONG = deal(
    "S",
    "TH AH QH 8H 7H 8C 7C 7D",
    "7S JS 9S AS TS KS QS JH",
    "KH JD 9D AD TD KD QD 8D",
    "9H 8S JC 9C AC TC KC QC",
)
"""East has all spades but the eight, and the jack of hearts."""
NINE = deal(
    "S",
    "AS 7S AH 7H AD 7D 9C 7C",
    "JS 9S JH 9H JD 9D JC AC",
    "TS 8S TH 8H TD 8D TC 8C",
    "KS QS KH QH KD QD KC QC",
)
"""As EVEN, but South has the nine of clubs, which beats East's ace."""
VOID = deal(
    "W",
    "7C 8C KC QC AC TC 7D 8D",
    "JS 9S AS 7H TS 8H KH QH",
    "9C JC KD QD 7S 8S JH 9H",
    "AD TD 9D JD KS QS AH TH",
)
"""South leads first; East has only spades and hearts."""
ALL_TRUMPS = deal(
    "W",
    "7C 8C KC QC AC TC 7D 8D",
    "JS 9S AS TS KS QS 8S 7S",
    "9C JC KD QD 7H 8H JH 9H",
    "AD TD 9D JD KH QH AH TH",
)
"""South leads first; East has every spade and nothing else."""
SIX = deal(
    "6", "JS JH JD JC", "9S 9H 9D 9C", "AS AH AD AC", "TS TH TD TC", "KS KH KD KC", "QS QH QD QC"
)
"""24 cards for six: everyone has one rank, seat 1 the jacks."""


def bid(amount: str = "160") -> str:
    """East bids at the first turn, all others pass."""
    return f"E {amount}, N pass, W pass, S pass"


def to_play(card: str, choice: str, amount: str = "160") -> str:
    """East's bid, indicator and choice, with no second bid, in a deal by South."""
    return f"{bid(amount)}, E trump {card}, {passes('ENWS')}, E {choice}"


def north(card: str, choice: str, amount: str = "160") -> str:
    """The same for North; East still leads."""
    first = f"E pass, N {amount}, W pass, S pass, E pass"
    return f"{first}, N trump {card}, {passes('NWSE')}, N {choice}"


def late(card: str, choice: str, amount: str = "160") -> str:
    """The same for East in a deal by West: South speaks and leads first."""
    first = f"S pass, E {amount}, N pass, W pass, S pass"
    return f"{first}, E trump {card}, {passes('ENWS')}, E {choice}"


def won(clubs: str = "9C 8C KC AC") -> str:
    """Eight tricks of EVEN (or NINE), led and won by East, spades first."""
    return plays(
        "E JS TS QS 7S / E 9S 8S KS AS / E JH TH QH 7H / E 9H 8H KH AH /"
        f"E JD TD QD 7D / E 9D 8D KD AD / E JC TC QC 7C / E {clubs}"
    )


CLOSED_TRICKS = (
    "E JH TH QH 7H / E 9H 8H KH AH / E JD TD QD 7D / E 9D 8D KD AD /"
    "E JC TC QC 7C / E 9C 8C KC AC / E JS TS QS 7S"
)
"""Seven tricks of EVEN in which nobody plays face down; the nine of spades is the indicator."""
