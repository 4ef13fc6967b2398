"""A puzzle: a position from a hand record, its question, its answer, and what another answer does.

Responsible for reading the collection (collection.json, which scripts/assets/puzzles.py writes) and
for judging an answer. How a puzzle looks is position.py's.

In a puzzle about a card all four hands are open, and from there everybody plays as well as
possible: one card alone makes the bid, or defeats it. In a puzzle about Caps only the own cards are
open, and the answer holds wherever the unseen cards lie.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path

from p2p304.rules.caps import could_call
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action, Caps
from p2p304.rules.core.cards import CARDS
from p2p304.rules.core.notation import points_text
from p2p304.rules.core.phrases import Arg, Phrase, Who, say
from p2p304.rules.core.seats import names, side
from p2p304.rules.play.view import known_to
from p2p304.rules.records.record import read_record
from p2p304.rules.records.referee import Referee

COLLECTION = Path(__file__).with_name("collection.json")
NO = "no"
"""The answer that Caps cannot be called; ``n`` says the same."""


class Kind(Enum):
    """What a puzzle asks; the value is its name in the collection."""

    CAPS = "caps"
    CUT = "cut"
    CARD = "card"


QUESTIONS = {
    Kind.CAPS: say("Caps or not?"),
    Kind.CUT: say("Cut or throw?"),
    Kind.CARD: say("Which card?"),
}

ASK_CAPS = say(
    "Your side has won every trick. Can you call Caps? Type no, or caps and all your cards in the "
    "order in which you will play them."
)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """``hand`` is a hand record (304N) up to the moment of the question, ``answer`` the words of
    the right action, or `NO`; ``reaches`` the card points that the trump maker's side comes to with
    each card that may be played; ``why`` a sentence whose gaps are cards and seats (``{JS}``,
    ``{W}``)."""

    kind: Kind
    hand: str
    answer: str
    reaches: Mapping[str, int]
    why: str

    def position(self) -> Referee:
        """Return the hand at the moment of the question."""
        record = read_record(self.hand)
        referee = Referee(record.options, record.dealer, record.hands, record.pile)
        for said in record.actions:
            referee.act(notation.parse(said, record.options.seats, record.options.tenths))
        return referee

    def reason(self) -> Phrase:
        """Return why the answer is right."""
        gaps: dict[str, Arg] = {}
        for gap in re.findall(r"{(\w+)}", self.why):
            gaps[gap] = CARDS[gap] if gap in CARDS else Who(names(4).index(gap))
        return Phrase(self.why, tuple(gaps.items()))


@lru_cache(maxsize=1)
def collection() -> tuple[Puzzle, ...]:
    """Return all puzzles, in the order of their numbers."""
    return tuple(
        Puzzle(Kind(one["kind"]), one["hand"], one["answer"], one["reaches"], one["why"])
        for one in json.loads(COLLECTION.read_text(encoding="utf-8"))
    )


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether an answer is right, and a sentence about it."""

    is_right: bool
    sentence: Phrase


def judge(puzzle: Puzzle, referee: Referee, answer: Action | None) -> Judgement:
    """Judge an answer; None is "no" to Caps."""
    if puzzle.kind is Kind.CAPS:
        return _judge_caps(puzzle, referee, answer)
    hand = referee.hand
    word = "" if answer is None else notation.word(answer)
    if word == puzzle.answer:
        return Judgement(True, say("Right. {why}", why=puzzle.reason()))
    if word not in puzzle.reaches:
        return Judgement(False, say("Play a card, or show the answer."))
    reached = puzzle.reaches[word]
    told = say(
        "With {card} the bid is made: {n} points."
        if reached >= hand.bid
        else "With {card} the bid fails: {n} points."
    )
    points = points_text(reached, hand.options.tenths)
    return Judgement(False, told.filled(card=CARDS[word.removeprefix("~")], n=points))


def _judge_caps(puzzle: Puzzle, referee: Referee, answer: Action | None) -> Judgement:
    if answer is not None and not isinstance(answer, Caps):
        return Judgement(False, ASK_CAPS)
    held = len(referee.held[referee.hand.turn or 0])
    if answer is not None and len(set(answer.order)) != held:
        told = say("Caps names all your {n} cards, in the order in which you will play them.")
        return Judgement(False, told.filled(n=held))
    if puzzle.answer == NO:
        if isinstance(answer, Caps):
            return Judgement(False, say("This is Wrong Caps. {why}", why=puzzle.reason()))
        return Judgement(True, say("Right: it is not Caps. {why}", why=puzzle.reason()))
    if answer is None:
        return Judgement(False, say("Some order of these cards wins every trick."))
    if could_call(known_to(referee.view(answer.seat)), answer.order):
        return Judgement(True, say("Right. {why}", why=puzzle.reason()))
    return Judgement(False, say("In this order a trick can be lost."))


def is_defence(referee: Referee) -> bool:
    """Whether the player who is asked plays against the bid."""
    hand = referee.hand
    if hand.turn is None or hand.maker is None:
        raise LookupError("a puzzle has a player on turn and a trump maker")
    return side(hand.turn) != side(hand.maker)
