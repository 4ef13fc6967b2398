"""Writes protocol/derived.json: transcripts and evidence that differ from recorded tables in their
last blocks alone, so that a row takes kilobytes and not a file."""

from __future__ import annotations

import json
from pathlib import Path

from scripts.vectors.derived.agreements import agreements
from scripts.vectors.derived.evidence import evidence
from scripts.vectors.derived.keys import keys
from scripts.vectors.derived.log import log
from scripts.vectors.derived.order_of_checks import order_of_checks
from scripts.vectors.derived.payments import payments


def derived(file: Path) -> None:
    transcripts = [*agreements(), *log(), *keys(), *payments(), *order_of_checks()]
    rows = {
        "transcripts": [row.told() for row in transcripts],
        "evidence": [row.told() for row in evidence()],
    }
    file.write_text(json.dumps(rows, indent=1) + "\n")
