"""Makes the tables of SPEC.md that protocol/ holds as JSON: labelled hashes, presets, proofs and
phases.

usage: scripts/dev tables
"""

from __future__ import annotations

import json

from scripts.usage import answer_help
from scripts.vectors.spec_tables import TABLES
from tests.support.paths import PROTOCOL


def main() -> None:
    for name, made in TABLES.items():
        text = json.dumps(made(), indent=1, ensure_ascii=False) + "\n"
        (PROTOCOL / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    answer_help(__doc__)
    main()
