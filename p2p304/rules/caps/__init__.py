"""Caps: what a seat knows, and whether some order of its cards must win (SPEC.md, ``caps.*``)."""

from p2p304.rules.caps.from_hand import knowledge
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.caps.solver import could_call, find_order

__all__ = ["CapsError", "Knowledge", "could_call", "find_order", "knowledge"]
