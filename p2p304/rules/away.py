"""Who is gone: what the option ``away`` calls the ways of a table, and how long is long.

Owns these names and the waiting time, which rules, table and screens say alike. Who agrees to what
is the table's business (SPEC.md, "Leaving for good").
"""

from __future__ import annotations

from typing import Final

WAIT: Final = "wait"
VOID: Final = "void"
PAY: Final = "pay"
REPLACE: Final = "replace"
PLAY_OUT: Final = "playout"
WAYS: Final = (WAIT, VOID, PAY, REPLACE, PLAY_OUT)
"""All values of the option."""
LONG: Final = 60.0
"""Seconds for which a player must have been gone before the others may part from them."""
