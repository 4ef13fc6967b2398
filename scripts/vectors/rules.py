"""Writes protocol/vectors/rules/: hand records and what the rules make of them.

usage: scripts/dev vectors-rules [FOLDER]

One file for each family of rules (scripts/vectors/cases/). What a case expects was thought out from
the rule texts; this script asks no engine, tests/rules/play/test_vectors_rules.py compares.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scripts.usage import answer_help
from scripts.vectors.cases import (
    bidding,
    caps,
    claims,
    examples,
    many,
    payment,
    play,
    records,
    speaking,
    trump,
    variants,
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
    "caps": caps.CASES,
    "payment": [*payment.CASES, *many.CASES],
    "examples": examples.CASES,
}


def text(cases: list[Case]) -> str:
    """One case a line, so that a change shows as one line."""
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    return f"[\n{lines}\n]\n"


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, cases in FAMILIES.items():
        (folder / f"{name}.json").write_text(text(cases))


if __name__ == "__main__":
    answer_help(__doc__)
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PROTOCOL / "vectors" / "rules")
