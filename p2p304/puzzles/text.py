"""Puzzles in text mode: lines in, lines out.

Responsible for the list, for a puzzle as lines, and for what a typed line answers. What is right is
puzzle.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from p2p304.puzzles.position import model_of, solution
from p2p304.puzzles.puzzle import NO, QUESTIONS, Kind, collection, is_defence, judge
from p2p304.rules.core.actions import Action
from p2p304.rules.core.phrases import Phrase, Who, say
from p2p304.ui.common import input_parser
from p2p304.ui.common.theme import LETTERS
from p2p304.ui.guidance.card_values import rank_values, value_phrases
from p2p304.ui.guidance.choice_phrases import describe
from p2p304.ui.guidance.status import contract, due, points
from p2p304.ui.narration.model import Model, Tone
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate

WORDS = say("Type a card (or its number), 'answer', or 'quit'.")
CAPS_WORDS = say("Type 'no', 'caps' with the order of your cards, 'answer', or 'quit'.")


def list_lines(translate: Translate) -> list[str]:
    """Return a line for every puzzle."""
    renderer = PhraseRenderer(LETTERS, translate)
    told = []
    for number, puzzle in enumerate(collection(), 1):
        referee = puzzle.position()
        is_caps = puzzle.kind is Kind.CAPS
        goal = say("defeat the bid") if is_defence(referee) else say("make the bid")
        phrase = say("{n}  {question}", n=f"{number:2}", question=QUESTIONS[puzzle.kind])
        if not is_caps:
            phrase = say("{puzzle}  ({goal})", puzzle=phrase, goal=goal)
        told.append(renderer.text(phrase))
    return [*told, "", renderer.text(say("p2p304 puzzle NUMBER shows one of them."))]


def position_data(number: int | None = None) -> Any:
    """Return this position for a program, or a list of all: what it asks, and the hand (304N) up to
    there."""
    if number is None:
        return [position_data(each) for each in range(1, len(collection()) + 1)]
    puzzle = collection()[number - 1]
    return {
        "number": number,
        "kind": puzzle.kind.value,
        "question": str(QUESTIONS[puzzle.kind]),
        "hand": puzzle.hand,
    }


def play(
    number: int, typed: Iterable[str], out: Callable[[str], None], translate: Translate
) -> int:
    """Show a puzzle (from 1) and read answers until one is right; returns 0."""
    puzzles = collection()
    puzzle = puzzles[number - 1]
    referee = puzzle.position()
    model = model_of(puzzle, referee, number, len(puzzles))
    renderer = PhraseRenderer(LETTERS, translate, model.nicks, seat=model.seat)
    for line in _shown(model, renderer):
        out(line)
    out(renderer.text(CAPS_WORDS if puzzle.kind is Kind.CAPS else WORDS))
    for line in typed:
        word = line.strip().lower()
        if word in ("q", "quit", "exit"):
            return 0
        if word in ("answer", "a", "i"):
            out(renderer.text(solution(puzzle)))
            return 0
        if not word:
            continue
        answer = _meant(word, model)
        if answer is None and not (word in (NO, NO[0]) and puzzle.kind is Kind.CAPS):
            out(renderer.text(CAPS_WORDS if puzzle.kind is Kind.CAPS else WORDS))
            continue
        judged = judge(puzzle, referee, answer)
        out(renderer.text(judged.sentence))
        if judged.is_right:
            return 0
    return 0


def _meant(word: str, model: Model) -> Action | None:
    """Return the action that a line names."""
    if model.view is None or model.seat is None:
        return None
    claim = input_parser.claim(word, model.seat) if model.claims else None
    return claim or input_parser.choice(word, model.options, model.view.hand.options)


def _shown(model: Model, renderer: PhraseRenderer) -> list[str]:
    """Return the question, the hands, the last trick and the present one."""
    hand, view = model.hand, model.view
    if hand is None or view is None or model.seat is None:
        raise LookupError("a puzzle has a hand and a player who is asked")
    heads = [line.phrase for line in model.log if line.tone is not Tone.MINOR]
    told: list[Phrase] = [*heads, contract(model)]
    told += [line.phrase for line in model.log if line.tone is Tone.MINOR]
    if model.open_hands:
        told += [
            say("{who}: {cards}", who=Who(seat), cards=cards)
            for seat, cards in enumerate(model.open_hands)
        ]
    last = model.last_trick
    if last is not None and last.winner is not None:
        plays = tuple(
            say("{who} {card}", who=Who(play.seat), card=play.card or "##") for play in last.plays
        )
        told.append(
            say(
                "The last trick, in order (## is face down): {plays}; {who} won it.",
                plays=plays,
                who=Who(last.winner),
            )
        )
    if hand.trick is not None:
        plays = tuple(
            say("{who} {card}", who=Who(play.seat), card=play.card)
            for play in hand.trick.plays
            if play.card is not None
        )
        told.append(say("In the trick: {plays}", plays=plays))
    told.append(due(model))
    choices = tuple(
        say("{n}) {what}", n=number, what=describe(action, model))
        for number, action in enumerate(model.options, 1)
    )
    told.append(say("You may play: {choices}", choices=choices))
    values = " ".join(renderer.text(phrase) for phrase in value_phrases(model))
    counted = "".join(text for _, text in points(model, renderer))
    return [*map(renderer.text, told), rank_values(hand), *filter(None, [counted]), values]
