"""Cases: marriages, double, drawing, exchanging: what only some games have."""

from __future__ import annotations

from scripts.vectors.rules.cases.variants import called_partner, doubles, marriages, stocks

CASES = [*marriages.CASES, *called_partner.CASES, *doubles.CASES, *stocks.CASES]
