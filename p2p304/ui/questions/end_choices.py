"""The end of a table: what can be done next, and the hand that decided most.

Responsible for these. How they are drawn is ui/fullscreen/view/panes.py's.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.narration.intents import Again, Quit, Rematch, ToLobby
from p2p304.ui.narration.model import Ended, Model


@dataclass(frozen=True, slots=True)
class Next:
    """Something to do after the end."""

    name: Phrase
    does: Again | ToLobby | Quit


def choices(model: Model) -> tuple[Next, ...]:
    """List what can be done next. The player who opened the table chooses how it is played again;
    the others join again."""
    opened = model.room is not None and model.room.founder
    again: tuple[Next, ...] = ()
    if model.me is not None and opened:
        again = (
            Next(say("Again, with the same seats"), Again(Rematch.SAME_SEATS)),
            Next(say("Again, with a new draw of seats"), Again(Rematch.NEW_DRAW)),
            Next(say("Again, with other rules"), Again(Rematch.OTHER_RULES)),
        )
    elif model.me is not None:
        again = (Next(say("Again, with the same players"), Again(Rematch.SAME_SEATS)),)
    lobby = (Next(say("Lobby"), ToLobby()),) if model.has_lobby else ()
    return (*again, *lobby, Next(say("Quit"), Quit()))


def telling_hand(model: Model) -> Ended | None:
    """Return the hand in which most was won and lost, the last of several."""
    hands = [ended for ended in model.ended if any(ended.result.tokens)]
    return max(hands, key=lambda e: (sum(map(abs, e.result.tokens)), e.number), default=None)
