"""Cases of the rules for protocol/vectors/rules/, lines of 304N, and hands for the review at the
count.

Responsible for which cases make which file: one for each family of rules. What a case expects was
thought out from the rule texts; nothing here asks an engine, tests/rules/play/test_vectors_rules.py
compares.
"""

from __future__ import annotations

import json

from scripts.vectors.rules.cases import (
    bidding,
    caps,
    claims,
    examples,
    payment,
    play,
    records,
    speaking,
    trump,
    variants,
)
from scripts.vectors.rules.cases.case import Case

FAMILIES: dict[str, list[Case]] = {
    "records": records.CASES,
    "bidding": bidding.CASES,
    "speaking": speaking.CASES,
    "trump": trump.CASES,
    "play": play.CASES,
    "variants": variants.CASES,
    "claims": claims.CASES,
    "caps": caps.CASES,
    "payment": payment.CASES,
    "examples": examples.CASES,
}


def text(cases: list[Case]) -> str:
    """One case a line, so that a change shows as one line."""
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    return f"[\n{lines}\n]\n"
