"""What a terminal would really show: pages through prompt_toolkit into a terminal emulator."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Callable, Sequence
from functools import cache
from unicodedata import category
from unittest.mock import patch

import pyte
from prompt_toolkit.application import application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.key_binding.defaults import load_key_bindings
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from wcwidth import wcwidth

from p2p304.ui.fullscreen.lobby.intents import Wanted
from p2p304.ui.narration.intents import Quit
from p2p304.ui.terminal.application import Terminal
from p2p304.ui.terminal.canvas import Span
from p2p304.ui.terminal.frame import Page

SIGNS = "♠♥♦♣"
QUIET = 0.04
"""Seconds without a byte after which a screen is thought to be drawn."""
_usual_bindings = cache(load_key_bindings)
"""The keys of Emacs and vi, which an application makes anew: always the same, a tenth of a show."""
_KEYS = re.compile(r"\x1b\[200~.*?\x1b\[201~|\x1b\[[^A-Za-z~]*[A-Za-z~]|.", re.DOTALL)
"""Keys as a terminal sends them: a sequence in one piece."""


class _Screen(pyte.Screen):
    """pyte drops what follows a mark that Unicode gives no combining class, as the vowel signs
    of Sinhala and Tamil. Some terminals put them on the character before, most (``beside``) in a
    cell of their own."""

    beside = False

    def draw(self, data: str) -> None:
        for char in data:
            if self.beside and category(char) == "Mc" and self.cursor.x < self.columns:
                self.buffer[self.cursor.y][self.cursor.x] = self.cursor.attrs._replace(data=char)
                self.cursor.x += 1
            elif wcwidth(char) == 0 and self.cursor.x > 0:
                row, x = self.buffer[self.cursor.y], self.cursor.x - 1
                row[x] = row[x]._replace(data=row[x].data + char)
            else:
                super().draw(char)


class Emulated:
    """A page shown at ``width`` × ``height``; ``typed`` is what the keyboard sends."""

    def __init__(
        self, width: int, height: int, depth: ColorDepth | None = None, beside: bool = False
    ) -> None:
        self.screen = _Screen(width, height)
        self.screen.beside = beside
        self._stream = pyte.Stream(self.screen)
        self._depth = depth or ColorDepth.DEPTH_24_BIT
        self.wanted: list[Wanted] = []
        self.question: Sequence[Span] = ()
        self.has_quit = False

    def show(self, page: Page[Wanted], styles: dict[str, str], typed: str = "") -> str:
        """The screen's text after the keys; `wanted` has what the page asked for."""
        asyncio.run(self._run(page, styles, typed))
        return self.text

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip("\n") + "\n"

    @property
    def suits(self) -> str:
        """A line for every suit sign: the colours in which it stands on the screen."""
        found: dict[str, set[str]] = {}
        for row in self.screen.buffer.values():
            for cell in row.values():
                if cell.data in SIGNS:
                    found.setdefault(cell.data, set()).add(f"{cell.fg} on {cell.bg}")
        return "".join(f"{sign} {', '.join(sorted(found.get(sign, ())))}\n" for sign in SIGNS)

    async def _run(self, page: Page[Wanted], styles: dict[str, str], typed: str) -> None:
        sink = _Sink(self._stream.feed)
        size = Size(rows=self.screen.lines, columns=self.screen.columns)
        with create_pipe_input() as keyboard:
            output = Vt100_Output(sink, lambda: size, term="xterm-256color", enable_cpr=False)
            with patch.object(application, "load_key_bindings", _usual_bindings):
                terminal = Terminal(
                    page,
                    self._want(lambda: terminal),
                    styles,
                    self._depth,
                    keyboard,
                    output,
                    self.question,
                )
            running = asyncio.create_task(terminal.run())
            await sink.quiet()
            for part in _KEYS.findall(typed):
                keyboard.send_text(part)
                await asyncio.sleep(0.001)
            await sink.quiet(0.1 if typed.endswith("\x1b") else QUIET)
            sink.deaf, self.has_quit = True, terminal.has_quit
            terminal.leave()
            await running

    def _want(self, terminal: Callable[[], Terminal[Wanted]]) -> Callable[[Wanted], None]:
        def carry_out(intent: Wanted) -> None:
            self.wanted.append(intent)
            if isinstance(intent, Quit):
                terminal().leave()

        return carry_out


class _Sink(io.StringIO):
    """Hands on what is written, until the screen is cleared at the end."""

    def __init__(self, feed: Callable[[str], None]) -> None:
        super().__init__()
        self._feed = feed
        self._last = 0.0
        self.deaf = False

    def write(self, text: str) -> int:
        self._last = asyncio.get_running_loop().time()
        if not self.deaf:
            self._feed(text)
        return len(text)

    async def quiet(self, seconds: float = QUIET) -> None:
        """Until something was written, and then nothing for a while; a second at most."""
        begun = asyncio.get_running_loop().time()
        while (now := asyncio.get_running_loop().time()) < begun + 1.0:
            if now > begun + seconds and 0.0 < self._last < now - seconds:
                return
            await asyncio.sleep(0.005)

    def isatty(self) -> bool:
        return True
