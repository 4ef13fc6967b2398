"""Bots are marked on every screen: a long name is cut before its label is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import groupby

import pytest

from p2p304.rules.variants.presets import PRESETS
from p2p304.table.agreement.bot_labels import LABEL
from p2p304.table.state import events, gathering_events
from p2p304.ui.common.text_width import clipped, width_of
from p2p304.ui.common.theme import Look, LookSettings, look_for
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.view.panes import TITLES
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import Change, reduce
from tests.support.screen import scenes

LOOKS = (Look(), look_for(LookSettings(charset="ascii"), {}, "utf-8"))
SIZES = ((80, 24), (100, 24), (100, 40))
FIRST = "X"
"""No other text on the screen has this letter."""


def long_name(nick: str, count: int, last: str) -> str:
    """A name of ``count`` characters, in the place of another."""
    return (FIRST + nick.lower() * count)[: count - 1] + last


@cache
def changes(preset: str) -> tuple[Change, ...]:
    """What a hand of the preset sends to the screen; how it is named changes nothing of it."""
    return tuple(scenes.evening(14, 0, scenes.club(), PRESETS[preset]))


@lru_cache(maxsize=1)
def among_bots(preset: str, count: int) -> tuple[Model, ...]:
    """A hand of the first player, among bots whose names have ``count`` letters: every moment that
    differs from the one before, without the logs. They are wrapped and never cut, and their first
    lines move out of sight; when a step began is told there alone."""
    still = (replace(model, log=(), proof_log=(), step_at=None) for model in _played(preset, count))
    return tuple(model for model, _ in groupby(still))


def _played(preset: str, count: int) -> Iterator[Model]:
    options = PRESETS[preset]
    plain = (*scenes.NICKS, *scenes.MORE)[: options.seats]
    named = {nick: long_name(nick, count, nick[0]) for nick in plain if nick != plain[0]}
    model = Model(me=plain[0])
    for number, change in enumerate(changes(preset)):
        model = reduce(model, _renamed(change, named), number * 0.04)
        yield model


def _renamed(change: Change, named: dict[str, str]) -> Change:
    if not isinstance(change, gathering_events.Members | events.Seated):
        return change
    nicks = tuple(named.get(nick, nick) for nick in change.nicks)
    owners = tuple("Asha" if nick in named else None for nick in change.nicks)
    return replace(change, nicks=nicks, owners=owners)


def shown(model: Model, pane: Pane | None, look: Look, size: tuple[int, int]) -> str:
    """The screen as text, or what stands within the frame of its pane."""
    renderer = PhraseRenderer(look, nicks=model.nicks, seats=model.seats)
    drawn = render(model, Ui(pane=pane), renderer, *size, 3.0).rows
    rows = ["".join(text for _, text in row) for row in drawn]
    if pane is not None:
        title = renderer.text(TITLES[pane])
        top = next(n for n, row in enumerate(rows) if f" {title} " in row and n)
        left, right = rows[top].index(look.frame.corners[0]), rows[top].index(look.frame.corners[1])
        foot = next(
            n for n, row in enumerate(rows) if n > top and row[left] == look.frame.corners[2]
        )
        rows = [row[left : right + 1] for row in rows[top:foot]]
    return "\n".join(rows)


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("preset", ["pagat", "online-2", "online-3", "six-36", "eight-32"])
@pytest.mark.parametrize("count", [6, 9, 17, 32])
def test_no_screen_shows_a_bot_without_its_whole_label(
    preset: str, count: int, size: tuple[int, int]
) -> None:
    seen = 0
    for number, model in enumerate(among_bots(preset, count)):
        panes = (None, Pane.LAST, Pane.SHEET, Pane.HANDS, Pane.RESULT)
        for pane in panes if number % 6 == 0 or model.ended else (None,):
            for look in LOOKS:
                text = shown(model, pane, look, size)
                assert text.count(FIRST) == text.count(LABEL) == text.count("[bot"), text
                seen += text.count(LABEL)
    assert seen > 100


def test_a_seat_to_choose_names_bots_with_their_label() -> None:
    for count in (6, 32):
        bot = long_name("Bandu", count, "u")
        for places, at in ((4, (0, 2)), (8, (0, 2))):
            model = reduce(
                Model(me="Asha"),
                gathering_events.Members(("Asha", bot), places, at, (None, "Asha")),
                0.0,
            )
            for size in SIZES:
                text = shown(model, None, Look(), size)
                assert text.count(FIRST) == text.count(LABEL) > 0, text


def test_a_name_is_cut_before_its_label_and_never_stands_without_it() -> None:
    name = f"Kamala {LABEL}"
    assert clipped(name, 12) == name and clipped(name, 11) == f"Kama… {LABEL}"
    assert clipped(name, 8) == f"K… {LABEL}" and clipped(name, 7) == "…"
    for most in range(20):
        for mark in ("…", ".."):
            cut = clipped(name, most, mark)
            assert width_of(cut) <= most and (LABEL in cut or "K" not in cut)
