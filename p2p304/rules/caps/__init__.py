"""Caps: who could have called, when and with which order (SPEC.md, ``caps.*``).

A frozen value of what one seat knows (knowledge.py, made from a hand by adapter.py), the exact
search over it (solve.py), and the judgement of a whole hand.
"""

from p2p304.rules.caps.adapter import knowledge
from p2p304.rules.caps.judgement import Claim, Due, Judgement, Ruled, Verdict, judge, rulings
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.caps.solve import could_call, find_order

__all__ = [
    "CapsError",
    "Claim",
    "Due",
    "Judgement",
    "Knowledge",
    "Ruled",
    "Verdict",
    "could_call",
    "find_order",
    "judge",
    "knowledge",
    "rulings",
]
