"""Writes protocol/vectors/rules/, hand records and what the rules make of them,
protocol/notation.json, lines of 304N, and protocol/review.json, hands for the review at the count.

usage: scripts/dev vectors-rules

The folder cases/ holds the cases by family of rules.
"""

from __future__ import annotations

from scripts.usage import answer_help
from scripts.vectors.rules import FAMILIES, notation, review, text
from tests.support.paths import PROTOCOL


def main() -> None:
    folder = PROTOCOL / "vectors" / "rules"
    for name, cases in FAMILIES.items():
        (folder / f"{name}.json").write_text(text(cases))
    (PROTOCOL / "notation.json").write_text(notation.text(), encoding="utf-8")
    (PROTOCOL / "review.json").write_text(review.text(), encoding="utf-8")


if __name__ == "__main__":
    answer_help(__doc__)
    main()
