"""The teacher's findings in a transcript as texts, for a page.

Responsible for their words. The moves are judged by mistakes.py; how the page looks is
offline/verifier_page.py's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from p2p304.log.transcript import Unreadable
from p2p304.offline.teacher.mistakes import JudgedHand, judged_hands
from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.theme import Look
from p2p304.ui.common.wording import hand_name
from p2p304.ui.fullscreen.model.judgement import unjudged_moves
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated


@dataclass(frozen=True, slots=True)
class Lessons:
    """A title, a word on what follows, and for each hand its name and what is said of it, in one
    language."""

    language: str
    title: str
    about: str
    hands: tuple[tuple[str, tuple[str, ...]], ...]


def lessons_of(
    data: bytes,
    language: str = "en",
    translate: Translate = untranslated,
    on_hand: Callable[[int], None] = lambda number: None,
) -> Lessons | None:
    """Judge the moves of all players; None if the bytes are no transcript."""
    text = PhraseRenderer(Look(), translate).text
    try:
        hands = list(judged_hands(data, on_hand=on_hand))
    except Unreadable:
        return None
    about = say(
        "Each choice is judged by what its player could know at that moment, in deals drawn by "
        "chance. Only clear mistakes are listed."
    )
    title = say("What would have been better")
    void = [hand.deal for hand in hands if hand.void]
    told = [(text(hand_name(hand.deal, void)), _told(hand, translate)) for hand in hands]
    return Lessons(language, text(title), text(about), tuple(told))


def _told(hand: JudgedHand, translate: Translate) -> tuple[str, ...]:
    text = PhraseRenderer(Look(), translate, hand.nicks).text
    return tuple(map(text, sentences(hand)))


def sentences(hand: JudgedHand) -> tuple[Phrase, ...]:
    """Return what is said of a hand: on a page, and to a player who asks after it."""
    told = [one.in_its_trick for one in hand.mistakes]
    if not told and hand.judged and hand.unjudged:
        told.append(say("The teacher found no clear mistake in the moves that it could judge."))
    elif not told and hand.judged:
        told.append(say("The teacher found no clear mistake."))
    return *told, *unjudged_moves(hand.unjudged)
