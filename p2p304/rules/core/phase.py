"""The phases of a hand.

Responsible for their names. What happens in a phase is left to play/transitions.py.
"""

from __future__ import annotations

from enum import Enum


class Phase(Enum):
    """A phase of a hand. SHOW, ANNOUNCE and COUNT are consequences, not choices."""

    BID4 = "bid4"
    TRUMP4 = "trump4"
    BID8 = "bid8"
    TRUMP8 = "trump8"
    PARTNER = "partner"
    EXCHANGE = "exchange"
    DECLARE = "declare"
    PLAY = "play"
    SHOW = "show"
    ANNOUNCE = "announce"
    COUNT = "count"
    OVER = "over"

    # Phases are keys of the engine's tables; Enum's own hash is several times slower.
    __hash__ = object.__hash__
