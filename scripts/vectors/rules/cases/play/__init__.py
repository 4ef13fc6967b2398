"""Cases: the play of the cards, face up and face down."""

from __future__ import annotations

from scripts.vectors.rules.cases.play import consequences, following, indicator, reveal

CASES = [*following.CASES, *indicator.CASES, *consequences.CASES, *reveal.CASES]
