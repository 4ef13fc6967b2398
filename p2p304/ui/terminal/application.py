"""The terminal application: shows pages through prompt_toolkit.

Responsible for reading keys, mouse and pastes, for drawing rows of text, and for Ctrl-C, which asks
on every page whether to quit. It restores the terminal in every case. The contents of a page, and
the meaning of another key, are the page's (ui/fullscreen/table_page.py).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from p2p304.ui.terminal.canvas import Canvas, Span
from p2p304.ui.terminal.frame import Page, Redraw, Ring, Screenful
from p2p304.ui.terminal.prompt_toolkit_control import PageControl

Wanted = TypeVar("Wanted")
"""The intents of a page."""
ESCAPE_PAUSE = 0.05
"""Seconds after which Esc is a key by itself and not the beginning of a sequence."""
QUIT_KEYS = ("c-c", "c-d")
_NAMES = {"c-m": "enter", "c-j": "enter", "c-i": "tab", "c-h": "backspace", "s-tab": "up"}


class Terminal(Generic[Wanted]):
    """Shows one page at a time. ``on_intent`` carries out what pages want; `turn_to` changes the
    page, `run` shows it until `leave`. Ctrl-C asks ``question``; a yes ends `run`, and `has_quit`
    says so. Without ``depth``, the terminal states how many colours it has (``COLORTERM``, else
    ``TERM``)."""

    def __init__(
        self,
        page: Page[Wanted],
        on_intent: Callable[[Wanted], None],
        styles: Mapping[str, str],
        depth: ColorDepth | None = None,
        keyboard: Input | None = None,
        screen: Output | None = None,
        question: Sequence[Span] = (),
    ) -> None:
        self.page, self.question = page, question
        self.has_quit = False
        self._asks_to_quit = False
        self._on_intent = on_intent
        self._timer: asyncio.TimerHandle | None = None
        self._left = False
        self._title = ""
        every = os.environ.get("COLORTERM") in ("truecolor", "24bit")
        stated = ColorDepth.DEPTH_24_BIT if every else None
        self._app: Application[None] = Application(
            layout=Layout(PageControl(self._picture, self._moused)),
            key_bindings=self._bindings(),
            style=Style.from_dict(dict(styles)),
            color_depth=depth or stated,
            full_screen=True,
            mouse_support=True,
            before_render=self._before_render,
            input=keyboard,
            output=screen,
        )
        self._app.ttimeoutlen = ESCAPE_PAUSE

    @property
    def now(self) -> float:
        """Return the seconds on the loop's clock."""
        return asyncio.get_running_loop().time()

    def turn_to(self, page: Page[Wanted]) -> None:
        self.page, self._asks_to_quit = page, False
        self.refresh()

    def set_styles(self, styles: Mapping[str, str]) -> None:
        self._app.style = Style.from_dict(dict(styles))
        self.refresh()

    def refresh(self) -> None:
        """Redraw soon, because something has changed."""
        self._app.invalidate()

    def leave(self) -> None:
        """Restore the terminal; `run` returns, at once if it has not begun."""
        self._left = True
        if self._app.is_running and not self._app.is_done:
            self._app.exit()

    async def run(self) -> None:
        """Show pages until `leave`, or until the terminal is closed."""
        if self._left:
            return
        try:
            with contextlib.suppress(EOFError, OSError):
                await self._app.run_async(handle_sigint=False)
        finally:
            if self._timer is not None:
                self._timer.cancel()
            if self._title:
                self._app.output.clear_title()
                self._app.output.flush()

    def carry_out(self, wanted: tuple[Wanted, ...]) -> None:
        """Carry out a page's intents, one after the other, and redraw."""
        for intent in wanted:
            if isinstance(intent, Redraw):
                self._app.renderer.clear()
            elif isinstance(intent, Ring):
                self._app.output.bell()
                self._app.output.flush()
            else:
                self._on_intent(intent)
        self.refresh()

    # Inside

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        @bindings.add(Keys.Any)
        def _key(event: KeyPressEvent) -> None:
            key = event.key_sequence[-1].key
            name = key.value if isinstance(key, Keys) else key
            self._pressed(_NAMES.get(name, name))

        @bindings.add(Keys.BracketedPaste)
        def _paste(event: KeyPressEvent) -> None:
            if not self._asks_to_quit:
                self.carry_out(self.page.paste(event.data, self.now))

        return bindings

    def _pressed(self, key: str) -> None:
        """Give a key to the page, unless it asks to quit or answers that question."""
        quits = key in QUIT_KEYS
        if self._asks_to_quit:
            self._asks_to_quit = key not in ("n", "N", "escape", "backspace")
            if quits or key in ("y", "Y"):
                self.has_quit = True
                self.leave()
            self.refresh()
        elif quits and self.question and not self.page.asks_to_quit:
            self._asks_to_quit = True
            self.refresh()
        else:
            self.carry_out(self.page.press(key, self.now))

    def _before_render(self, app: Application[None]) -> None:
        """Set the timer for the page's next change without a key."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        at = self.page.next_timeout(self.now)
        if at is not None:
            self._timer = asyncio.get_running_loop().call_at(at, self._woken)

    def _picture(self, width: int, height: int) -> Screenful:
        picture = self.page.picture(width, height, self.now)
        if picture.title != self._title:
            self._title = picture.title
            self._app.output.set_title(picture.title)
        if not self._asks_to_quit:
            return picture
        asked = Canvas(width, 1)
        asked.spans(1, 0, self.question, width - 2)
        return replace(picture, rows=(*picture.rows[:-1], *asked.rows()))

    def _moused(self, mouse_event: MouseEvent) -> None:
        at = mouse_event.position
        match mouse_event.event_type:
            case _ if self._asks_to_quit:
                return
            case MouseEventType.MOUSE_UP:
                self.carry_out(self.page.click(at.x, at.y, self.now))
            case MouseEventType.SCROLL_UP:
                self.carry_out(self.page.press("up", self.now))
            case MouseEventType.SCROLL_DOWN:
                self.carry_out(self.page.press("down", self.now))

    def _woken(self) -> None:
        self._timer = None
        self.carry_out(self.page.handle_timer(self.now))
