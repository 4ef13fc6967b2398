"""Cases: the worked examples of the rule texts (B: bidding twice, Caps)."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import Case, deal, example, plays
from scripts.vectors.rules.cases.deals import SPADES

CAPS = deal(
    "N",
    "8C JC 9C KC JH 9H 8H 7H",
    "7C AC TH 9S AS 9D AD TD",
    "TC KH JD KD TS KS QS 7D",
    "QC QH AH JS 8S 7S QD 8D",
)
"""The text's own hand is South's; ours are the other three, and the cards fall as told."""
_FIRST = "E 160, N 170, W pass"
_SECOND = "N pass, W ask, E 160, S 170"
_EAST = {**SPADES, "dealer": "E"}
_BID = "W pass, S 160, E pass, N pass, W pass, S trump 8C, S pass, E pass, N pass, W pass, S closed"
_TRUMPS = plays("W JS ~8C 9S TS / S JC 7C TC QC / S 9C AC 7D QH")
_AT = f"{_BID}, {_TRUMPS}, S JH, E TH"
_DUE = f"{_AT}, N KH"
_SINCE = "trick 4, after N KH"
_ORDER = "KC 9H 8H 7H"
STRICT = {"caps": "strict"}


def _ruled(verdict: str, since: str | None, south: int) -> dict[str, object]:
    caps = {"by": "S", "verdict": verdict, "since": since}
    return {"tokens": {"NS": south, "EW": -south}, "caps": caps}


BIDDING: list[Case] = [
    example(
        "bid.partner",
        "first example: South may not bid less than 200 over North",
        SPADES,
        f"{_FIRST}, S 190",
        status="illegal",
        error={"index": 3, "rule": "bid.partner"},
    ),
    example("bid.partner", "and passes", SPADES, f"{_FIRST}, S pass", error=None, to_act=["E"]),
    example(
        "bid.rebid",
        "East's second turn: not less than 200",
        SPADES,
        f"{_FIRST}, S pass, E 190",
        status="illegal",
        error={"index": 4, "rule": "bid.rebid"},
    ),
    example(
        "bid.skip",
        "East bids 200, North, West and South pass: East is the highest bidder",
        SPADES,
        f"{_FIRST}, S pass, E 200, N pass, W pass, S pass",
        error=None,
        phase="trump4",
        to_act=["E"],
        contract={"bid": 200, "by": "E", "trump": None, "open": None, "shown": False},
    ),
    example(
        "ask.turn",
        "second example: West asks, East bids 160",
        _EAST,
        "N pass, W ask, E 160",
        error=None,
        to_act=["S"],
    ),
    example(
        "bid.rebid",
        "East, having bid, may not bid less than 200",
        _EAST,
        f"{_SECOND}, E 180",
        status="illegal",
        error={"index": 4, "rule": "bid.rebid"},
    ),
    example(
        "ask.turn",
        "West asks again: not less than 200",
        _EAST,
        f"{_SECOND}, E pass, N pass, W ask, E 190",
        status="illegal",
        error={"index": 7, "rule": "bid.rebid"},
    ),
    example(
        "bid.skip",
        "East bids 200, South, North and West pass: again East is the highest bidder",
        _EAST,
        f"{_SECOND}, E pass, N pass, W ask, E 200, S pass, N pass, W pass",
        error=None,
        phase="trump4",
        to_act=["E"],
        contract={"bid": 200, "by": "E"},
    ),
]
JACK: list[Case] = [
    example(
        "caps.verdict",
        "a heart by one player is not enough: too early",
        CAPS,
        f"{_AT}, S caps {_ORDER}",
        status="in_progress",
        to_act=["N"],
    ),
    example(
        "caps.verdict",
        "a second heart: at this point you must call",
        CAPS,
        f"{_DUE}, S caps {_ORDER}",
        status="complete",
        points={"NS": 304, "EW": 0},
        result=_ruled("correct", _SINCE, 2),
    ),
    example(
        "caps.due",
        "strictly, before the fourth player",
        CAPS,
        f"{_DUE}, S caps {_ORDER}",
        STRICT,
        result=_ruled("correct", _SINCE, 2),
    ),
    example(
        "caps.due",
        "after the trick is still allowed in practice",
        CAPS,
        f"{_DUE}, W AH, S caps {_ORDER}",
        result=_ruled("correct", _SINCE, 2),
    ),
    example(
        "caps.due",
        "but strictly too late",
        CAPS,
        f"{_DUE}, W AH, S caps {_ORDER}",
        STRICT,
        result=_ruled("late", _SINCE, -2),
    ),
    example(
        "caps.due",
        "after the next lead it is too late in any case",
        CAPS,
        f"{_DUE}, W AH, S KC, S caps 9H 8H 7H",
        result=_ruled("late", _SINCE, -2),
    ),
    example(
        "caps.worlds",
        "the one heart left falls under the nine: the nine may come first",
        CAPS,
        f"{_DUE}, S caps 9H 8H 7H KC",
        result=_ruled("correct", _SINCE, 2),
    ),
    example(
        "caps.worlds",
        "but not the eight: it may lose to that heart",
        CAPS,
        f"{_DUE}, S caps KC 8H 9H 7H",
        status="in_progress",
        to_act=["W"],
    ),
]
CASES = [*BIDDING, *JACK]
