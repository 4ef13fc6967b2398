"""Caps: who could have called, when and with which order (SPEC.md, ``caps.*``).

A frozen value of what one seat knows (knowledge.py, made from a hand by from_hand.py), the exact
search over it (solver.py). The judgement of a whole hand stands in play/caps_judgement.py.
"""

from p2p304.rules.caps.from_hand import knowledge
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.caps.solver import could_call, find_order

__all__ = ["CapsError", "Knowledge", "could_call", "find_order", "knowledge"]
