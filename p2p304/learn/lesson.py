"""A lesson as data: stacked deals, and steps that the learner does.

Responsible for these values and for reading their short words. What a lesson does is run.py's; the
list of all lessons is lessons.py's.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card, card
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.core.seats import Seat, names

LEARNER: Seat = 0
"""The learner's seat: South. The partner is North, and East is the next to act."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do. ``text`` says what is to be seen and what to do, ``wrong`` follows the
    refusal of anything else. Gaps of both that the data leave open are filled with facts.

    ``do`` is the learner's action in the words of a hand record (``160``, ``trump AH``, ``~8S``);
    or ``ask`` names the fact (facts.py) whose number is to be typed; with neither, Enter goes on.
    ``then`` is what the others do afterwards, in the same words."""

    text: Phrase
    do: str = ""
    wrong: Phrase | None = None
    ask: str = ""
    then: str = ""


@dataclass(frozen=True, slots=True)
class Deal:
    """A stacked deal. ``hands`` by seat, in the order dealt: four cards, and then four more.
    ``before`` is what all four do before the first step."""

    dealer: Seat
    hands: tuple[str, str, str, str]
    steps: tuple[Step, ...]
    before: str = ""

    @property
    def cards(self) -> tuple[tuple[Card, ...], ...]:
        return tuple(tuple(card(name) for name in hand.split()) for hand in self.hands)


@dataclass(frozen=True, slots=True)
class Lesson:
    """``name`` is how the command line and the data folder call it."""

    name: str
    title: Phrase
    about: Phrase
    deals: tuple[Deal, ...]

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """All steps, each as the number of its deal and its number there, both from 0."""
        return tuple((d, s) for d, deal in enumerate(self.deals) for s in range(len(deal.steps)))


def action_of(word: str, seat: Seat) -> Action:
    """Read the action of a seat from the words of a hand record."""
    return notation.parse(f"{names(4)[seat]} {word}")


def words_of(script: str) -> tuple[str, ...]:
    """Split what several players do, one after the other: ``pass, 160, pass``."""
    return tuple(word.strip() for word in script.split(",") if word.strip())
