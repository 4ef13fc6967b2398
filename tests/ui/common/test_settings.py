"""The settings file: what it can say, and that a broken one costs nothing but a sentence."""

from __future__ import annotations

import random

import pytest

from p2p304.ui.common.key_map import KEYS, Command
from p2p304.ui.common.settings import NAME, Settings, read_settings
from p2p304.ui.common.theme import encoding_of, look_for
from p2p304.ui.common.translation import language_for
from tests.support.paths import ROOT

EXAMPLE = (ROOT / "docs" / "settings.md").read_text().split("```toml\n")[1].split("```")[0]
"""The file that the page on settings shows first."""


def test_the_example_is_read_without_a_word_and_changes_next_to_nothing() -> None:
    settings, trouble = read_settings(EXAMPLE)
    assert trouble == ()
    assert (settings.controls, settings.pace) == (Settings().controls, Settings().pace)
    assert settings.look.styles == {
        "hearts": "#ff6b6b bold",
        "face-hearts": "bg:#f3efe4 #e00030 bold",
    }


def test_former_names_of_keys_still_count() -> None:
    settings, trouble = read_settings('[keys]\nbehind = "z"\ntalk = "!"\n')
    assert trouble == ()
    assert settings.controls.keys[Command.PROOFS] == "z"
    assert settings.controls.keys[Command.CHAT] == "!"


def test_looks_keys_and_pauses_are_taken() -> None:
    settings, trouble = read_settings(
        'colours = "two"\nsuits = "letters"\nconfirm = "never"\ncut = "always"\n'
        '[pause]\ntrick = 0\n[keys]\nhint = "f2"\nmenu = "z"\n[styles]\nfelt = "bg:#000000"\n'
    )
    assert trouble == ()
    keys = settings.controls.keys
    assert keys[Command.HINT] == "f2" and keys[Command.MENU] == "z"
    assert settings.controls.confirm == "never" and settings.pace.trick == 0
    assert settings.controls.cut == "always" and Settings().controls.cut == "ask"
    assert settings.pace.cut_time(20) == 20
    assert read_settings("[pause]\ncut = 14.5")[0].pace.cut_time(20) == 15
    look = look_for(settings.look, {}, "utf-8")
    assert look.styles["felt"] == "bg:#000000" and not look.glyphs


BROKEN = {
    "not toml": ("colours = ", "not valid TOML"),
    "unknown": ("colors = 'two'", "unknown setting 'colors'"),
    "value": ("colours = 'pink'", "colours must be one of"),
    "cut": ("cut = 12", "cut must be one of ask, always, never"),
    "type": ("colours = 3", "colours must be one of"),
    "pause": ("[pause]\ntrick = -1", "pause"),
    "boolean pause": ("[pause]\ntrick = true", "pause"),
    "key of a card": ("[keys]\nhint = 'j'", "no card"),
    "key twice": ("[keys]\nhint = 'm'", "already used"),
    "key unknown": ("[keys]\nfly = 'x'", "unknown key name"),
    "table as value": ("keys = 3", "unknown setting"),
    "style": ("[styles]\nhearts = 'url(x)'", "not a known style"),
    "style unknown": ("[styles]\nmoon = 'bold'", "not a known style"),
    "escape": ("[styles]\n\"\\u001b[2J\" = 'bold'", "not a known style"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_told_in_one_sentence_and_left_out(name: str) -> None:
    text, told = BROKEN[name]
    settings, trouble = read_settings(text)
    assert len(trouble) == 1 and told in str(trouble[0]) and NAME in str(trouble[0])
    assert "\n" not in str(trouble[0])
    assert settings.controls.keys == KEYS and settings.pace == Settings().pace


def test_the_rest_of_a_faulty_file_still_counts() -> None:
    settings, trouble = read_settings('moon = 1\nconfirm = "always"\n')
    assert len(trouble) == 1 and settings.controls.confirm == "always"


@pytest.mark.parametrize("seed", range(5))
def test_any_bytes_are_settings_of_some_kind(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        text = list(EXAMPLE)
        for _ in range(rng.randrange(1, 12)):
            text[rng.randrange(len(text))] = rng.choice('[]="\n\\x0#é\x00')
        settings, _ = read_settings("".join(text))
        assert set(settings.controls.keys) == set(KEYS)


@pytest.mark.parametrize(
    ("environment", "written", "encoding"),
    [
        ({"LC_ALL": "C"}, "utf-8", "ascii"),
        ({"LANG": "POSIX"}, "utf-8", "ascii"),
        ({"LC_ALL": "C.UTF-8"}, "utf-8", "UTF-8"),
        ({"LANG": "si_LK.UTF-8@x"}, "utf-8", "UTF-8"),
        ({"LANG": "de_DE.ISO8859-1", "LC_ALL": ""}, "iso8859-1", "ISO8859-1"),
        ({"LANG": "si_LK"}, "utf-8", "utf-8"),
        ({}, "utf-8", "utf-8"),
        ({}, None, "ascii"),
    ],
)
def test_what_is_written_follows_the_locale(
    environment: dict[str, str], written: str | None, encoding: str
) -> None:
    assert encoding_of(environment, written) == encoding


@pytest.mark.parametrize(
    ("wanted", "environment", "encoding", "language"),
    [
        ("auto", {"LANG": "si_LK.UTF-8"}, "utf-8", "si"),
        ("auto", {"LANG": "en_GB.UTF-8", "LC_ALL": "ta_LK.UTF-8"}, "utf-8", "ta"),
        ("auto", {"LANGUAGE": "de:ta", "LANG": "de_DE.UTF-8"}, "utf-8", "ta"),
        ("auto", {"LC_ALL": "C.UTF-8", "LANG": "si_LK.UTF-8"}, "utf-8", "en"),
        ("auto", {"LANG": "si_LK"}, "iso8859-1", "en"),
        ("auto", {}, "utf-8", "en"),
        ("si", {"LANG": "en_GB.UTF-8"}, "utf-8", "si"),
        ("ta", {}, "ascii", "en"),
    ],
)
def test_the_language_follows_setting_then_locale_then_what_can_be_written(
    wanted: str, environment: dict[str, str], encoding: str, language: str
) -> None:
    assert language_for(wanted, environment, encoding) == language
