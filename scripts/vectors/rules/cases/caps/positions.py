"""The plays that cases of Caps share, and the result that they expect."""

from __future__ import annotations

from scripts.vectors.rules.cases.case import plays
from scripts.vectors.rules.cases.deals import to_play

OPEN = to_play("JS", "open")
TWO = f"{OPEN}, {plays('E JS TS QS 7S / E 9S 8S KS AS')}"
"""All trumps are out: from South's ace on East can call Caps."""
REST, ALL = "JH 9H JD 9D JC 9C", "JS 9S JH 9H JD 9D JC 9C"
NORTH = "TS 8S TH 8H TD 8D TC 8C"


def ruled(by: str, verdict: str, since: str | None, ns: int, ew: int) -> dict[str, object]:
    caps = {"by": by, "verdict": verdict, "since": since}
    return {"tokens": {"NS": ns, "EW": ew}, "caps": caps, "next_dealer": "E"}
