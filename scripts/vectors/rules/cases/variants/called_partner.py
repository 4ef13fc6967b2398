"""Cases: who is an opponent, and who pays, where a partner is called."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, deal, judges, passes, plays
from scripts.vectors.rules.cases.deals import SPADES, bid

CALLED = {"partner": "called", "ask_partner": "off", "pcc": "off", "caps": "off"}
_SPADES_OUT = plays(
    "E KC QC 7S JC / W KS KH JS TC / E 8H 9D JH TH / W 9H AH 7H 8C / W 8S QH 9S AD /"
    "E 7D JD TS KD / W QS 8D QD 9C / W AS TD AC 7C"
)
_HALF = deal(
    "S",
    "KC QC TD AH JH QD 9S QH",
    "7S JD JC JS 8S 8C KS 7D",
    "7C KH AD KD 9D AC TC TS",
    "AS 8D QS 9C 9H 7H 8H TH",
)
"""East has the two jacks of the batch that are not trumps, and of spades the jack; West, whom it
calls, the nine of clubs and the ace of spades."""
_HALF_PLAYED = plays("E 7S KD QS AH / W 8D TD JD AD / E JC 7C 9C QC / E JS KH AS KC")
CASES: list[Case] = [
    judges(
        "bid.court",
        "half court: a trick that the called partner wins is the bidder's side's",
        _HALF,
        f"E halfcourt, E trump 7S, E partner 9C, E open, {_HALF_PLAYED}",
        rules="maharashtra",
        status="complete",
        result={"tokens": {"S": -4, "E": 4, "N": -4, "W": 4}},
    ),
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
