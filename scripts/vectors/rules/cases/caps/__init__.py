"""Cases: Caps, called and not called, and what becomes of it."""

from __future__ import annotations

from scripts.vectors.rules.cases.caps import calls, found, outside, worlds

CASES = [*calls.CASES, *outside.CASES, *found.CASES, *worlds.CASES]
