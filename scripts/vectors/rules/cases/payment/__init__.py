"""Cases: what a hand pays."""

from __future__ import annotations

from scripts.vectors.rules.cases.payment import bands, double, many

CASES = [*bands.CASES, *many.CASES, *double.CASES]
