"""Mutants that no test can find, because they do the same, and why.

scripts/stress/mutants.py leaves them out. An entry names the file and the changed line as they
stand before and after; when the line changes, the entry must be looked at again.
"""

from __future__ import annotations

EXPLAINED: dict[tuple[str, str, str], str] = {}
"""File below p2p304/, line before, line after; why nothing can tell them apart."""
