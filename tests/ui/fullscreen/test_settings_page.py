"""The name that is asked for, and the settings that the lobby changes."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from p2p304.frontends.appearance import change_settings, read_appearance
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.settings import Settings, read_settings
from p2p304.ui.common.settings_file import with_setting
from p2p304.ui.common.wording import NO_NAME
from p2p304.ui.fullscreen.lobby.intents import ChangeSettings, Rename
from p2p304.ui.fullscreen.lobby.model import Mode
from p2p304.ui.fullscreen.lobby.name_page import NamePage
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.ui.fullscreen.lobby.settings_form import ROWS
from p2p304.ui.narration.intents import Quit
from p2p304.ui.questions.setting_choices import PACES
from tests.support.screen.emulator import Emulated
from tests.support.screen.stored import FOUR, compare


def press(page: NamePage | LobbyPage, *pressed: str) -> tuple[object, ...]:
    return tuple(wish for key in pressed for wish in page.press(key, 0.0))


def test_a_first_start_asks_for_a_name_until_it_is_one() -> None:
    page = NamePage("Ravi", FOUR)
    assert press(page, *["backspace"] * 4, "enter") == ()
    assert page.note == NO_NAME
    assert press(page, *"A:b", "enter") == ()
    assert press(page, "backspace", "backspace", *"sha", "enter") == (Rename("Asha"),)
    assert press(page, "c-c") == (Quit(),)
    compare("name", Emulated(80, 24).show(NamePage("Ravi", FOUR), dict(FOUR.styles), "("))


def settings_page(settings: Settings | None = None) -> LobbyPage:
    page = LobbyPage("Ravi", FOUR)
    page.lobby = replace(page.lobby, settings=settings or Settings())
    press(page, "s")
    assert page.lobby.mode is Mode.SETTINGS
    return page


def at(page: LobbyPage, row: str | Command) -> LobbyPage:
    press(page, *["down"] * ROWS.index(row))
    return page


def test_the_page_is_shown_as_stored() -> None:
    compare("lobby-settings", Emulated(80, 24).show(settings_page(), dict(FOUR.styles)))


def test_a_new_name_is_taken_if_it_is_one() -> None:
    assert press(settings_page(), *" K", "enter") == (Rename("Ravi K"),)
    page = settings_page()
    assert press(page, ".", "enter") == () and page.lobby.settings_form.note == NO_NAME
    assert press(settings_page(), "enter") == ()


def test_values_turn_and_are_written_in_the_words_of_the_file() -> None:
    page = at(settings_page(), "language")
    assert press(page, "right") == (ChangeSettings(((("", "language"), "en"),)),)
    page = at(settings_page(), "pace")
    slow = PACES["slow"]
    wish = ChangeSettings(((("pause", "card"), slow.card), (("pause", "trick"), slow.trick)))
    assert press(page, "right") == (wish,)


def test_a_key_is_set_by_pressing_it_and_no_two_are_the_same() -> None:
    page = at(settings_page(), Command.HINT)
    assert press(page, "enter", "z") == (ChangeSettings(((("keys", "hint"), "z"),)),)
    assert press(page, "enter", "m") == () and page.lobby.settings_form.note is not None
    assert press(page, "enter", "j") == () and page.lobby.settings_form.note is not None
    assert press(page, "enter", "escape") == () and not page.lobby.settings_form.takes_key
    press(page, "escape")
    assert page.lobby.mode is Mode.LIST


OWN = """# mine
colours = "two"   # as on paper

[pause]
trick = 2

[styles]
hearts = "#ff0000"
"""


def test_a_change_leaves_the_rest_of_the_file_as_it_stands() -> None:
    text = with_setting(OWN, ("", "language"), "si")
    text = with_setting(text, ("pause", "card"), 0.5)
    text = with_setting(text, ("pause", "trick"), 1.0)
    text = with_setting(text, ("keys", "hint"), '"')
    assert tomllib.loads(text) == {
        "colours": "two",
        "language": "si",
        "pause": {"card": 0.5, "trick": 1.0},
        "styles": {"hearts": "#ff0000"},
        "keys": {"hint": '"'},
    }
    assert "# mine" in text and "# as on paper" in text


@pytest.mark.parametrize("text", ["colours = ", 'pause = 3\n["pause"]\n', "[[pause]]\n"])
def test_a_file_that_cannot_be_changed_so_is_left_alone(text: str, tmp_path: Path) -> None:
    path = tmp_path / "screen.toml"
    path.write_text(text)
    assert change_settings(tmp_path, [(("pause", "card"), 1.0)]) is not None
    assert path.read_text() == text


def test_what_was_chosen_counts_at_the_next_start(tmp_path: Path) -> None:
    assert change_settings(tmp_path, [(("", "language"), "ta"), (("keys", "hint"), "z")]) is None
    found = read_appearance(tmp_path)
    assert found.settings.language == "ta" and found.controls.keys[Command.HINT] == "z"
    settings, trouble = read_settings((tmp_path / "screen.toml").read_text())
    assert settings == found.settings and trouble == ()
