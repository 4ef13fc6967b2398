"""What the teacher says of a choice in a hand that is over, and what of those it could not judge.

Responsible for the value and for the sentences on what was not judged. The judgement is
offline/teacher/mistakes.py's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum

from p2p304.rules.core.phrases import Phrase, Who, say
from p2p304.rules.core.seats import Seat


class Unjudged(Enum):
    """Why a move could not be judged."""

    CARDS = "cards"
    FIRST = "first"
    DEALS = "deals"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the teacher says of one choice: the seat, and ``why`` it could not be judged; else what
    would have been better (``told``), if that cost enough: ``regret`` tokens on average."""

    seat: Seat
    why: Unjudged | None = None
    told: Phrase | None = None
    regret: float = 0.0
    trick: int | None = None
    """The trick of a card, from 1."""

    @property
    def in_its_trick(self) -> Phrase:
        """What would have been better, in a list of a whole hand."""
        if self.told is None:
            raise LookupError("nothing would have been better")
        if self.trick is None:
            return self.told
        return say("Trick {n}: {told}", n=self.trick, told=self.told)


def unjudged_moves(found: Counter[tuple[Seat, Unjudged]]) -> tuple[Phrase, ...]:
    """Say whose moves could not be judged, and why."""
    told = list[Phrase]()
    for (seat, why), count in sorted(found.items(), key=lambda one: (one[0][0], one[0][1].value)):
        who = Who(seat)
        moves = say("1 move of {who}", who=who)
        if count > 1:
            moves = say("{n} moves of {who}", n=count, who=who)
        if why is Unjudged.CARDS:
            told.append(
                say("{moves} could not be judged: not all cards held then are known.", moves=moves)
            )
        elif why is Unjudged.DEALS:
            told.append(
                say("{moves} could not be judged: no deal was found that fits.", moves=moves)
            )
    early = tuple(Who(seat) for seat, why in sorted(found, key=_seat) if why is Unjudged.FIRST)
    if early:
        told.append(
            say(
                "Bids of {who} with the first cards could not be judged: nobody else saw which "
                "cards came first.",
                who=early,
            )
        )
    return tuple(told)


def _seat(one: tuple[Seat, Unjudged]) -> Seat:
    return one[0]
