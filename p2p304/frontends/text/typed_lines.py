"""The lines that a player types in text mode: at a terminal, or into a pipe.

Responsible for reading them without losing any: they wait until somebody asks for the next one.
What a line means is ui/text/screen.py's and lobby.py's.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from shutil import get_terminal_size

from p2p304.ui.terminal.canvas import wrapped

LEAST_WIDTH = 20


class TypedLines:
    """Call `next` for one line after another, also again after it was cancelled."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._unread: list[str] = []
        self._has_ended = False
        self.on_interrupt: Callable[[], None] = lambda: None
        """Called at the first Ctrl-C; a second one ends the lines."""

    def put(self, line: str | None) -> None:
        """Add a line; None: there are no more."""
        self._queue.put_nowait(line)

    def put_back(self, line: str) -> None:
        """Return a line that was for somebody else: it is the next one again."""
        self._unread.append(line)

    async def next(self) -> str | None:
        """Return the next line; None when there are no more."""
        if self._unread:
            return self._unread.pop()
        if self._has_ended:
            return None
        line = await self._queue.get()
        self._has_ended = line is None
        return line


def typed_on_terminal(stack: ExitStack) -> TypedLines:
    """Read lines with editing and history until ``stack`` closes; output meanwhile stands above the
    prompt."""
    lines = TypedLines()
    task = asyncio.get_running_loop().create_task(_prompt(lines))
    stack.callback(task.cancel)
    return lines


async def _prompt(lines: TypedLines) -> None:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.patch_stdout import patch_stdout

    prompt: PromptSession[str] = PromptSession()
    was_interrupted = False
    with patch_stdout():
        while True:
            try:
                lines.put(await prompt.prompt_async("> "))
                was_interrupted = False
            except KeyboardInterrupt:
                if was_interrupted:
                    break
                was_interrupted = True
                lines.on_interrupt()
            except EOFError:
                break
    lines.put(None)


def typed_into_pipe() -> TypedLines:
    """Read lines from a pipe or file. A daemon thread reads them, because neither can always be
    polled; it does not keep the program from ending."""
    loop, lines = asyncio.get_running_loop(), TypedLines()

    def put(line: str | None) -> None:
        try:
            loop.call_soon_threadsafe(lines.put, line)
        except RuntimeError:
            return  # the loop is closed, because the player has left

    def read() -> None:
        for line in sys.stdin:
            put(line)
        put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def rows_of(line: str) -> list[str]:
    """Break a line between words as wide as the terminal: a screen reader reads row by row. A line
    with a path stays whole, so that it can be copied."""
    if "/" in line or "\\" in line:
        return [line]
    width = max(LEAST_WIDTH, get_terminal_size().columns - 1)
    return ["".join(part for _, part in row) for row in wrapped([("", line)], width)]


def say_above_prompt(line: str) -> None:
    """Print a line above the prompt, broken between words."""
    from prompt_toolkit import print_formatted_text
    from prompt_toolkit.formatted_text import FormattedText

    for row in rows_of(line):
        print_formatted_text(FormattedText([("", row)]))


def ring_terminal() -> None:
    """Ring the terminal's bell, without disturbing the prompt."""
    from prompt_toolkit.application import get_app

    get_app().output.bell()
