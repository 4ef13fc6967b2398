"""Writes protocol/vectors/rules/, hand records and what the rules make of them,
protocol/notation.json, lines of 304N, and protocol/review.json, hands for the review at the count.

usage: scripts/dev vectors-rules

One file for each family of rules (scripts/vectors/cases/). What a case expects was thought out from
the rule texts; this script asks no engine, tests/rules/play/test_vectors_rules.py compares.
"""

from __future__ import annotations

import json

from scripts.usage import answer_help
from scripts.vectors import notation, review
from scripts.vectors.cases import (
    bidding,
    caps,
    claims,
    double,
    examples,
    many,
    payment,
    play,
    records,
    speaking,
    trump,
    variants,
    worlds,
)
from scripts.vectors.cases.case import Case
from tests.support.paths import PROTOCOL

FAMILIES: dict[str, list[Case]] = {
    "records": records.CASES,
    "bidding": bidding.CASES,
    "speaking": speaking.CASES,
    "trump": trump.CASES,
    "play": play.CASES,
    "variants": variants.CASES,
    "claims": claims.CASES,
    "caps": [*caps.CASES, *worlds.CASES],
    "payment": [*payment.CASES, *many.CASES, *double.CASES],
    "examples": examples.CASES,
}


def text(cases: list[Case]) -> str:
    """One case a line, so that a change shows as one line."""
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    return f"[\n{lines}\n]\n"


def main() -> None:
    folder = PROTOCOL / "vectors" / "rules"
    for name, cases in FAMILIES.items():
        (folder / f"{name}.json").write_text(text(cases))
    (PROTOCOL / "notation.json").write_text(notation.text(), encoding="utf-8")
    (PROTOCOL / "review.json").write_text(review.text(), encoding="utf-8")


if __name__ == "__main__":
    answer_help(__doc__)
    main()
