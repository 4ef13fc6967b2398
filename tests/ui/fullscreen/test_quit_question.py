"""Ctrl-C asks whether to quit, on every page alike; a second one, or y, is the answer."""

from __future__ import annotations

import pytest

from p2p304.learn.list_page import LessonList
from p2p304.learn.page import LessonPage
from p2p304.puzzles.page import PuzzlePage
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.full_screen import quit_question
from p2p304.ui.fullscreen.history_page import HistoryPage
from p2p304.ui.fullscreen.input.keys import press
from p2p304.ui.fullscreen.lobby.name_page import NamePage
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.fullscreen.replay_page import ReplayPage
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.intents import Quit
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.phrase_renderer import untranslated
from tests.support.screen.emulator import Emulated

LOOK = Look()
ASKED = "Quit p2p304?  y / n"


def shown(typed: str) -> tuple[str, Emulated]:
    """The lobby after these keys."""
    emulated = Emulated(80, 24)
    emulated.question = quit_question(LOOK, untranslated)
    return emulated.show(LobbyPage("Asha", LOOK), dict(LOOK.styles), typed), emulated


@pytest.mark.parametrize(
    "way", ["", "o", "s", "a", "?"], ids=["list", "form", "settings", "address", "help"]
)
def test_the_lobby_and_its_forms_ask_before_they_quit(way: str) -> None:
    before, _ = shown(way)
    text, emulated = shown(way + "\x03")
    assert ASKED in text.splitlines()[-1] and emulated.wanted == [] and not emulated.has_quit
    assert text.splitlines()[:-1] == before.splitlines()[:-1]
    for no in ("n", "z\x1b"):
        text, emulated = shown(way + "\x03" + no)
        assert text == before and emulated.wanted == [] and not emulated.has_quit
    for yes in ("y", "\x03", "\x04"):
        assert shown(way + "\x03" + yes)[1].has_quit


def test_the_terminal_asks_on_every_page_but_the_table() -> None:
    asked = (HistoryPage, LessonList, LessonPage, LobbyPage, NamePage, PuzzlePage, ReplayPage)
    assert TablePage.asks_to_quit and not any(page.asks_to_quit for page in asked)


@pytest.mark.parametrize(
    "model",
    [Model(me="Asha"), Model(me="Asha", stage=Stage.OVER), Model(watches=True)],
    ids=["gathering", "over", "watching"],
)
def test_the_table_asks_too_where_nobody_waits_for_this_player(model: Model) -> None:
    ui, wanted = press(model, Ui(), "c-c")
    assert wanted == () and ui.asking is not None and str(ui.asking.question) == "Quit p2p304?"
    assert press(model, ui, "n") == (Ui(), ())
    assert press(model, ui, "c-c")[1] == press(model, ui, "y")[1] == (Quit(),)
