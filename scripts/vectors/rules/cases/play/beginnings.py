"""Deals and beginnings of hands that the cases of play share."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import deal, passes
from scripts.vectors.rules.cases.deals import bid, late, to_play

SIX_SPADES = deal(
    "1",
    "JS 9S AS TS KS QS",
    "8S JH 9H AH TH KH",
    "7S JD 9D AD TD KD",
    "6S JC 9C AC TC KC",
    "QH 8H 7H 6H QD 8D",
    "7D 6D QC 8C 7C 6C",
)
"""Seat 1 holds nothing but trumps, and speaks and plays last."""
CLOSED, OPEN = to_play("JS", "closed"), to_play("JS", "open")
PCC = f"{bid()}, E trump JS, E pcc, E trump JS, E closed"
HALF = "E halfcourt, E trump JS, E closed"
FULL = f"{passes('ENWS')}, E fullcourt, E trump JS, E partner AC, E closed"
VOID_LED = f"{late('9S', 'closed')}, S 7C"
ONLINE = "online-4"
