"""Puzzles on the full screen, alone in the terminal.

Responsible for showing the page until the solver leaves it. The page is page.py's.
"""

from __future__ import annotations

from p2p304.puzzles.page import PuzzlePage, Wanted
from p2p304.ui.fullscreen.full_screen import full_screen
from p2p304.ui.narration.intents import Quit, ToLobby
from p2p304.ui.terminal.application import Terminal


async def show(page: PuzzlePage) -> int:
    """Show the page until the solver leaves; returns 0."""

    def carry_out(wanted: Wanted) -> None:
        if isinstance(wanted, Quit | ToLobby):
            terminal.leave()

    terminal: Terminal[Wanted] = full_screen(page, carry_out, page.look, page.translate)
    await terminal.run()
    return 0
