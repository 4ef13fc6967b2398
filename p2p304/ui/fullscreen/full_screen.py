"""A terminal for the pages of the full screen, and the question that Ctrl-C asks there.

Responsible for these. What a page does is its own; the question is asked by
ui/terminal/application.py on every page but the table's, which names what leaving means.
"""

from __future__ import annotations

from collections.abc import Callable

from p2p304.ui.common.theme import Look
from p2p304.ui.common.wording import QUIT
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate
from p2p304.ui.terminal.application import Terminal, Wanted
from p2p304.ui.terminal.canvas import Span
from p2p304.ui.terminal.frame import Page


def full_screen(
    page: Page[Wanted], carry_out: Callable[[Wanted], None], look: Look, translate: Translate
) -> Terminal[Wanted]:
    """Return the terminal that shows this page first."""
    question = quit_question(look, translate)
    return Terminal(page, carry_out, look.styles, question=question)


def quit_question(look: Look, translate: Translate) -> list[Span]:
    """Return the question of Ctrl-C, with its keys."""
    return [*PhraseRenderer(look, translate).spans(QUIT, "warn"), ("key", "  y / n ")]
