"""A search in a replay: the hint of a moment, or the teacher's way through the moves.

Responsible for these values, and for how a search is run. What is asked, and what is shown of the
answer, is replay_page.py's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result
from p2p304.ui.fullscreen.model.cards_then import Views
from p2p304.ui.fullscreen.model.judgement import Judgement, Unjudged, unjudged_moves
from p2p304.ui.narration.model import Model

BREATH = 0.01
"""Seconds between two steps of a search: keys are read in between."""
FEW_ENTRIES = 4
"""Entries that are verified in one step."""
Advise = Callable[[View, Model], Phrase]
Teach = Callable[[Hand, Hand, Views, Result], Judgement | None]
"""What the teacher says of the choice at a moment of a hand that ended so, if there was one."""
Found = TypeVar("Found")


class Run(Protocol):
    """Do ``work``, here or in another thread, and then give what it returns to ``done``."""

    def __call__(self, work: Callable[[], Found], done: Callable[[Found], None]) -> None: ...


def at_once(work: Callable[[], Found], done: Callable[[Found], None]) -> None:
    done(work())


class HintSearch:
    """The search for the hint of one moment; no two are equal."""


@dataclass(slots=True, eq=False)
class Lesson:
    """The teacher's way through the moves: where it ``began``, the hand and the actions done at the
    move that it looked at ``last``, and whose moves it could not judge, and why."""

    began: int
    last: tuple[int, int]
    unjudged: Counter[tuple[Seat, Unjudged]] = field(default_factory=Counter)

    @property
    def found_none(self) -> Phrase:
        """What is said when it has come to the end."""
        told = say("From here on the teacher finds no better move.")
        for more in unjudged_moves(self.unjudged):
            told = say("{first} {second}", first=told, second=more)
        return told
