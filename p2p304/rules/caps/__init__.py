"""Caps: who could have called, when and with which order (SPEC.md, ``caps.*``).

A frozen value of what one seat knows (knowledge.py, made from a hand by from_hand.py), the exact
search over it (solver.py), and the judgement of a whole hand.
"""

from p2p304.rules.caps.from_hand import knowledge
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.caps.solver import could_call, find_order
from p2p304.rules.play.caps_judgement import Claim, Due, Judgement, Ruled, Verdict, judge, rulings

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
