"""How well a bot plays, by name.

Responsible for the four levels and the player behind each.
"""

from __future__ import annotations

from p2p304.bots.club import ClubBot, LearnerBot
from p2p304.bots.player import Below, Bot
from p2p304.bots.search.strong import StrongBot

LEVELS = ("learner", "club", "strong", "master")
"""From the weakest to the best. No level slips by chance."""
USUAL = "club"
MASTER_WORLDS, MASTER_SECONDS = 300, 0.9


def bot_of(level: str, below: Below) -> Bot:
    """Return a player of this level; KeyError if there is no such level."""
    match level:
        case "learner":
            return LearnerBot()
        case "club":
            return ClubBot()
        case "strong":
            return StrongBot(below)
        case "master":
            return StrongBot(below, MASTER_WORLDS, MASTER_SECONDS)
    raise KeyError(level)
