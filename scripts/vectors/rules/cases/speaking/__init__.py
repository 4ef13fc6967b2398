"""Cases: who speaks when, the named bids and the second round."""

from __future__ import annotations

from scripts.vectors.rules.cases.speaking import named_bids, second_round, turns

CASES = [*turns.CASES, *named_bids.CASES, *second_round.CASES]
