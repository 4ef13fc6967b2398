"""Lessons in text mode, from the command line and from the lobby.

Responsible for passing lines. What is printed, and what a line means, is learn/text.py's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack

from p2p304.app.joining import print_line
from p2p304.app.process.exit_status import FAILED
from p2p304.frontends.appearance import read_appearance
from p2p304.frontends.text.typed_lines import (
    TypedLines,
    say_above_prompt,
    typed_into_pipe,
    typed_on_terminal,
)
from p2p304.learn.lesson import Lesson
from p2p304.storage.data_folder import DataFolder, name_from_login
from p2p304.storage.lessons_done import lessons_done, note_lesson
from p2p304.ui.common.wording import QUIT_AGAIN


async def learn(store: DataFolder, first: Lesson | None) -> int:
    """Take lessons until the learner leaves or the input ends."""
    terminal = sys.stdin.isatty()
    if terminal and not sys.stdout.isatty():
        sys.stderr.write("A lesson needs a terminal, or a pipe at both ends.\n")
        return FAILED
    with ExitStack() as stack:
        lines = typed_on_terminal(stack) if terminal else typed_into_pipe()
        again = read_appearance(store.home).translate(QUIT_AGAIN.text)
        lines.on_interrupt = lambda: say_above_prompt(again)
        await take_lessons(store, lines, say_above_prompt if terminal else print_line, first)
    return 0


async def take_lessons(
    store: DataFolder, lines: TypedLines, out: Callable[[str], None], first: Lesson | None = None
) -> None:
    """Take lessons with lines that somebody else reads and prints."""
    from p2p304.learn.text import TextLessons

    lessons = TextLessons(
        store.last_nick or name_from_login() or "Player",
        read_appearance(store.home).translate,
        lessons_done(store.home),
        lambda name: note_lesson(store.home, name),
    )
    told = lessons.begin(first)
    while True:
        for text in told:
            out(text)
        if lessons.is_over:
            return
        typed = await lines.next()
        told = lessons.end() if typed is None else lessons.typed(typed)
