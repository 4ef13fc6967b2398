"""`play` with options and without a table: a table that is opened in the lobby is as they say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import pytest

from p2p304.app.config import NewTable, NodeConfig
from p2p304.cli import tables
from p2p304.frontends import lobby, text
from p2p304.frontends.fullscreen import Player
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.variants.options import OptionsError
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError
from p2p304.ui.fullscreen.lobby.model import Form, Lobby


def configured(
    monkeypatch: pytest.MonkeyPatch, home: Path, **options: Any
) -> tuple[NodeConfig, object]:
    """What `play` with these options gives to the screen."""
    configs: list[tuple[NodeConfig, object]] = []

    async def play(store: object, nick: object, config: NodeConfig, target: object) -> int:
        configs.append((config, target))
        return 0

    monkeypatch.setattr(tables, "_play_function", lambda plain: play)
    with pytest.raises(SystemExit):
        tables.play(home=home, **options)
    return configs[0]


def test_the_form_of_the_lobby_has_every_option_for_a_new_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config, target = configured(
        monkeypatch,
        tmp_path,
        rules="bank",
        hands=3,
        chosen=True,
        passphrase="s3cret",
        spectators="hand",
        ask=True,
    )
    assert target is None
    assert lobby.form(config) == Form(
        "",
        "bank",
        hands=3,
        passphrase="s3cret",
        asks=True,
        watch="hand",
        changed={"seating": "chosen"},
    )


def test_the_full_screen_begins_with_that_form_and_passphrase(tmp_path: Path) -> None:
    config = NodeConfig(passphrase="s3cret", opening=NewTable(None, "bank", 3, False, 0))

    async def begun() -> Lobby:
        with ExitStack() as stack:
            return Player(DataFolder(tmp_path), "Asha", config, stack, None).lobby_page.lobby

    begins = asyncio.run(begun())
    assert begins.form == lobby.form(config) and begins.passphrase == "s3cret"


def test_without_options_the_form_is_the_usual_one_and_a_seat_lets_players_choose(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plain, _ = configured(monkeypatch, tmp_path)
    assert lobby.form(plain) == Form("") == lobby.form(NodeConfig())
    seated, _ = configured(monkeypatch, tmp_path, seat="north")
    assert lobby.form(seated).changed == {"seating": "chosen"}


def test_rules_that_do_not_exist_are_refused_before_the_lobby(tmp_path: Path) -> None:
    with pytest.raises(OptionsError, match="no rules named 'nonsense'"):
        tables.play(rules="nonsense", home=tmp_path)


class Nobody:
    """A network on which nobody offers a table."""

    found: ClassVar[dict[str, Any]] = {}
    trouble = None

    async def start(self) -> None: ...

    def look(self) -> None: ...

    async def close(self) -> None: ...


def test_text_mode_opens_the_table_that_the_options_describe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def lines() -> AsyncIterator[str]:
        yield "open Friday"

    async def no_wait(seconds: float) -> None: ...

    monkeypatch.setattr("asyncio.sleep", no_wait)
    monkeypatch.setattr(NodeConfig, "discovery", Nobody())
    monkeypatch.setattr(text, "_offer", lambda *_: None)
    config = NodeConfig(opening=NewTable(None, "bank", 3, True, 0))
    opened = asyncio.run(text._ask_for_table(config, lines(), lambda told: None))
    assert opened == NewTable("Friday", "bank", 3, True, 0)


def test_settings_reach_the_form_and_the_table_to_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given = {"rules": "pagat", "set_": ["timer=45", "shuffle=minimal"]}
    config, _ = configured(monkeypatch, tmp_path, **given)
    assert lobby.form(config).changed == {"timer": 45, "shuffle": "minimal"}
    _, target = configured(monkeypatch, tmp_path, open_="Friday", chosen=True, **given)
    assert isinstance(target, NewTable)
    rules = target.rules
    assert (rules.timer, rules.shuffle, rules.seating) == (45, "minimal", "chosen")
    assert rules.away == "replace"  # where people play


@pytest.mark.parametrize(
    ("words", "away"),
    [
        ({"bots": 3}, "wait"),
        ({"bots": 2}, "replace"),
        ({"set_": ["away=wait"]}, "wait"),
        ({"away": "playout"}, "playout"),
        ({"rules": "online-2"}, "wait"),
    ],
)
def test_a_player_who_leaves_is_replaced_where_people_play_and_nothing_else_is_said(
    words: dict[str, Any], away: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _, target = configured(monkeypatch, tmp_path, open_="Friday", **words)
    assert isinstance(target, NewTable) and target.rules.away == away


def test_a_file_of_house_rules_is_played_and_settings_still_change_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "my-house.toml"
    file.write_text('preset = "bank"\ntimer = 45\n"bid.min" = 150\n')
    config, _ = configured(monkeypatch, tmp_path, rules=str(file), set_=["timer=60"])
    assert config.opening.preset == "bank"
    assert config.opening.changed == {"timer": 60, "bid.min": 150}


@pytest.mark.parametrize(
    ("rules", "settings", "sentence"),
    [
        ("pagat", ["timer=1"], "timer cannot be '1'; it is one of off, 5 to 600"),
        ("pagat", ["seats=3"], "partners need"),
        ("bad.toml", [], "bad.toml: The file is not valid TOML"),
        ("wrong.toml", [], "wrong.toml: options.value: timer cannot be"),
        ("none.toml", [], "none.toml"),
    ],
)
def test_wrong_rules_end_the_command_with_their_sentence(
    rules: str, settings: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text("timer =")
    (tmp_path / "wrong.toml").write_text("timer = 1")
    with pytest.raises((OptionsError, DataFolderError)) as refused:
        tables.play(rules=rules, set_=settings, home=tmp_path)
    assert sentence in str(refused.value)


def test_text_mode_takes_settings_behind_the_name() -> None:
    told: list[Phrase] = []
    new = NewTable(None, "pagat", 0, False, 0, None, {"tokens": 5})
    opened = text._opened(new, ["Friday", "night", "timer=45"], told.append)
    assert opened is not None and opened.name == "Friday night"
    assert opened.changed == {"tokens": 5, "timer": 45} and told == []
    assert text._opened(new, ["Friday", "timer=1"], told.append) is None
    assert "off, 5 to 600" in str(told[0])
