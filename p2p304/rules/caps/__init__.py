"""Caps: who could have called, when and with which order (DECISIONS.md ``caps.*``).

A frozen value of what one seat knows (knowledge.py, made from a hand by adapter.py), the exact
search over it (solve.py), and the judgement of a whole hand.
"""

from p2p304.rules.caps.adapter import knowledge
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.caps.solve import could_call, find_order

__all__ = ["CapsError", "Knowledge", "could_call", "find_order", "knowledge"]
