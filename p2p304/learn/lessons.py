"""All lessons, in the order in which they are best taken.

Responsible for the list, and for what is said of it on both screens. Each lesson is in a file of
its own.
"""

from __future__ import annotations

from p2p304.learn import bidding, caps, first_hand, open_trumps
from p2p304.learn.lesson import Lesson
from p2p304.rules.core.phrases import say

TITLE = say("Learn 304")
ABOUT = say(
    "Two partners play against two others for card points. Here you play with stacked cards, and "
    "each step says what to do: begin with your first hand."
)
DONE = say("done")
LESSONS: tuple[Lesson, ...] = (first_hand.LESSON, bidding.LESSON, open_trumps.LESSON, caps.LESSON)


def find_lesson(word: str) -> Lesson | None:
    """Return the lesson with this name or number (from 1)."""
    if word.isascii() and word.isdigit() and 1 <= int(word[:3]) <= len(LESSONS):
        return LESSONS[int(word[:3]) - 1]
    return next((lesson for lesson in LESSONS if lesson.name == word.lower()), None)
