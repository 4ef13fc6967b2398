"""The tables of SPEC.md that protocol/ holds as JSON, each made from the code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scripts.vectors.spec_tables.canonical import canonical
from scripts.vectors.spec_tables.labelled_hashes import labelled_hashes
from scripts.vectors.spec_tables.names import names
from scripts.vectors.spec_tables.phases import phases
from scripts.vectors.spec_tables.presets import presets
from scripts.vectors.spec_tables.proofs import proofs
from scripts.vectors.spec_tables.records import records

TABLES: dict[str, Callable[[], Any]] = {
    "canonical.json": canonical,
    "labelled_hashes.json": labelled_hashes,
    "names.json": names,
    "phases.json": phases,
    "presets.json": presets,
    "proofs.json": proofs,
    "records.json": records,
}
