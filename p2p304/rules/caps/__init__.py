"""Caps: what a seat knows, and whether some order of its cards must win (SPEC.md, ``caps.*``).

knowledge.py is the frozen value of what one seat knows, from_hand.py makes it from a hand, and
solver.py searches it exactly. The judgement of a whole hand stands in play/caps_judgement.py.
"""

from p2p304.rules.caps.from_hand import knowledge
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.caps.solver import could_call, find_order

__all__ = ["CapsError", "Knowledge", "could_call", "find_order", "knowledge"]
