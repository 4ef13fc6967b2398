"""The rules of a game as lines of text, in the player's language.

Responsible for headings, paragraphs and line breaks. The sentences are rules/variants/page.py's.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import say
from p2p304.rules.variants.descriptions import OURS
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.page import Section, game_in_words, listing, page
from p2p304.rules.variants.presets import GAMES
from p2p304.ui.common.text_width import width_of
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.terminal.canvas import Span, wrapped

_MARK = say("(ours): no written rule says this, so the makers of this program have decided it.")
Lines = list[list[Span]]


def rules_lines(options: Options, renderer: PhraseRenderer, width: int) -> Lines:
    """Return a game's page: its name, what it is, and its rules by section."""
    title = say("304: {rules}", rules=game_in_words(options, with_names=True))
    lines: Lines = renderer.wrapped(width, title, style="head")
    if options.preset in GAMES:
        lines += renderer.wrapped(width, GAMES[options.preset])
    for section in page(options):
        lines += [[], *renderer.wrapped(width, section.title, style="head")]
        lines += _section(section, renderer, width)
    if any(OURS in sentence.text for section in page(options) for sentence in section.sentences):
        lines += [[], *renderer.wrapped(width, _MARK, style="minor")]
    return lines


def _section(section: Section, renderer: PhraseRenderer, width: int) -> Lines:
    told = [renderer.spans(sentence) for sentence in section.sentences]
    if not section.is_list:
        return wrapped([span for spans in told for span in [*spans, ("", " ")]], width)
    lines: Lines = []
    for spans in told:
        first, *rest = wrapped(spans, max(1, width - 2))
        lines += [[("", "* "), *first], *([("", "  "), *row] for row in rest)]
    return lines


def games_lines(renderer: PhraseRenderer, width: int) -> Lines:
    """Return the list of games: the name, how many play, and what the game is."""
    named = [
        (name, renderer.text(say("{n} players", n=seats)), renderer.spans(told))
        for name, seats, told in listing()
    ]
    first = max(width_of(name) for name, _, _ in named) + 2
    second = max(width_of(players) for _, players, _ in named) + 2
    lines: Lines = []
    for name, players, spans in named:
        head = name + " " * (first - width_of(name))
        head += players + " " * (second - width_of(players))
        found, *rest = wrapped(spans, max(20, width - first - second))
        lines += [[("", head), *found], *([("", " " * (first + second)), *row] for row in rest)]
    return lines
