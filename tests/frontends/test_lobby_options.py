"""`play` with options and without a table: a table that is opened in the lobby is as they say."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from p2p304.app.config import NewTable, NodeConfig
from p2p304.app.joining import address_of
from p2p304.cli import tables
from p2p304.cli.arguments.parser import UsageError
from p2p304.frontends import lobby
from p2p304.frontends.fullscreen.player_screen import Player
from p2p304.frontends.text import lobby as text_lobby
from p2p304.frontends.text import typed_lines
from p2p304.frontends.text.lobby import TextLobby
from p2p304.frontends.text.typed_lines import TypedLines
from p2p304.rules.core.phrases import say
from p2p304.rules.variants.options import PLAYABLE, OptionsError
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError
from p2p304.ui.common.theme import Look
from p2p304.ui.common.translation import translation
from p2p304.ui.fullscreen.lobby.address_code import table_code
from p2p304.ui.fullscreen.lobby.intents import OpenTable
from p2p304.ui.fullscreen.lobby.model import Form, Lobby
from p2p304.ui.narration.intents import Again, Quit, Rematch, ToLobby
from p2p304.ui.narration.model import Model, Room
from p2p304.ui.narration.phrase_renderer import PhraseRenderer


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


@pytest.mark.parametrize(
    ("words", "level", "pace"),
    [("3", "club", None), ("3:strong", "strong", 0.0), ("1:", "club", 2.0)],
)
def test_bots_are_asked_for_with_their_level(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str, level: str, pace: float | None
) -> None:
    config, target = configured(monkeypatch, tmp_path, bots=words, bots_pace=pace)
    assert isinstance(target, NewTable) and target.bots == int(words[0])
    assert config.bots_play == level
    assert config.bots_pace == pace


@pytest.mark.parametrize("words", ["", "8", "x", "3:best", "3:strong:strong", "33", ":club"])
def test_a_number_or_level_of_bots_that_there_is_not_is_refused(words: str) -> None:
    with pytest.raises(UsageError):
        tables._bots(words)


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
    left, _ = configured(monkeypatch, tmp_path, away="playout")
    assert lobby.form(left).value("away") == "playout"
    seated, _ = configured(monkeypatch, tmp_path, seat="north")
    assert lobby.form(seated).changed == {"seating": "chosen"}


def test_rules_that_do_not_exist_are_refused_before_the_lobby(tmp_path: Path) -> None:
    with pytest.raises(OptionsError, match="no rules named 'nonsense'"):
        tables.play(rules="nonsense", home=tmp_path)


class Nobody:
    """A network on which nobody offers a table."""

    found: ClassVar[dict[str, Any]] = {}
    addresses = ()
    trouble = None

    async def start(self) -> None: ...

    def look(self) -> None: ...

    async def close(self) -> None: ...


def in_text(
    monkeypatch: pytest.MonkeyPatch, home: Path, config: NodeConfig, *typed: str
) -> tuple[Any, TextLobby, list[str]]:
    """What the lobby of text mode chooses after these lines, and what it says."""
    monkeypatch.setattr(text_lobby, "SEARCH_FIRST", 0.0)
    monkeypatch.setattr(NodeConfig, "discovery", Nobody())
    told: list[str] = []

    async def chosen() -> tuple[Any, TextLobby]:
        lines = TypedLines()
        for line in (*typed, None):
            lines.put(line)
        here = TextLobby(DataFolder(home), config, lines, told.append)
        return await here.choose(), here

    return *asyncio.run(chosen()), told


def test_text_mode_opens_the_table_that_the_options_describe(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = NodeConfig(opening=NewTable(None, "bank", 3, True, 0))
    opened, _, told = in_text(monkeypatch, tmp_path, config, "open Friday", "")
    assert opened == NewTable("Friday", "bank", 3, True, 0, "replace")
    assert [line for line in told if "play on with a bot" in line]


@pytest.mark.parametrize(
    ("typed", "away"),
    [
        (("open F", "2"), "playout"),
        (("open F", "9", "3"), "wait"),
        (("open F away=wait",), "wait"),
        (("open F bots=3",), "wait"),
        (("open F rules=online-3", "2"), "wait"),
        (("open F rules=online-2",), "wait"),
    ],
)
def test_text_mode_asks_what_happens_if_somebody_leaves_where_people_play(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, typed: tuple[str, ...], away: str
) -> None:
    opened, _, _ = in_text(monkeypatch, tmp_path, NodeConfig(), *typed)
    assert isinstance(opened, NewTable) and opened.rules.away == away


def test_text_mode_takes_every_word_of_the_form(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    line = "open F night rules=bank hands=3 bots=3:master ask=yes spectators=hand tokens=5"
    opened, here, _ = in_text(monkeypatch, tmp_path, NodeConfig(), line + " passphrase=s3cret")
    assert opened == NewTable("F night", "bank", 3, False, 3, None, {"tokens": 5})
    config = here.config
    assert (config.bots_play, config.asks, config.watch) == ("master", True, "hand")
    assert config.passphrase == "s3cret"


@pytest.mark.parametrize(
    "wrong",
    [
        "hands=x",
        "bots=4",
        "bots=x",
        "hands=99999999999",
        "ask=perhaps",
        "bots=3:well",
        "rules=none",
        "timer=1",
    ],
)
def test_text_mode_says_what_is_wrong_and_asks_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wrong: str
) -> None:
    opened, _, told = in_text(monkeypatch, tmp_path, NodeConfig(), f"open F {wrong}", "quit")
    assert opened is None
    assert any(wrong.partition("=")[0] in line for line in told if "open NAME" not in line)


def test_the_lobby_of_text_mode_has_what_the_screen_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    typed = ("more", "history", "settings", "1", "Kamal", "3", "2", "", "watch 7", "resume", "bots")
    opened, here, told = in_text(monkeypatch, tmp_path, NodeConfig(), *typed)
    assert opened == NewTable(None, "pagat", 0, False, 3)
    assert here.name == "Kamal" == DataFolder(tmp_path).last_nick
    assert here.appearance.controls.bell == "turn"
    assert "3) Bell: when it is your turn" in told
    assert "You have no unfinished table." in told
    code, _, _ = in_text(monkeypatch, tmp_path, NodeConfig(), table_code("192.0.2.7", 40304) or "")
    assert code == "192.0.2.7:40304"


def test_the_lobby_of_text_mode_says_how_to_go_back_to_an_unfinished_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is asked at the start alone; a player who has left for the lobby comes later."""
    _, _, told = in_text(monkeypatch, tmp_path, NodeConfig(), "bots")
    assert not any("unfinished" in line for line in told)
    monkeypatch.setattr(text_lobby, "resumable_tables", lambda store: ["left"])
    monkeypatch.setattr(text_lobby, "left_table", lambda left, own: say("Friday"))
    _, _, told = in_text(monkeypatch, tmp_path, NodeConfig(), "bots")
    assert "Type 'resume' to go back to your unfinished table: Friday." in told


def test_a_number_of_thousands_of_digits_is_refused_like_any_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    digits = "1" * 5000
    typed = (digits, f"watch {digits}", f"host:{digits}", "settings", digits, "", "open F", digits)
    opened, _, told = in_text(monkeypatch, tmp_path, NodeConfig(), *typed, "")
    assert isinstance(opened, NewTable) and address_of(f"host:{digits}") is None
    assert "That is no table and no word of the lobby. 'more' lists the words." in told


def test_a_line_that_was_waited_for_in_vain_is_not_lost() -> None:
    async def read() -> list[str | None]:
        lines = TypedLines()
        waiting = asyncio.create_task(lines.next())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        for line in ("one", None):
            lines.put(line)
        return [await lines.next() for _ in range(3)]

    assert asyncio.run(read()) == ["one", None, None]


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        (("1",), Again(Rematch.SAME_SEATS)),
        (("1" * 5000, "1"), Again(Rematch.SAME_SEATS)),
        (("?", "3"), Again(Rematch.OTHER_RULES)),
        (("lobby",), ToLobby()),
        ((), Quit()),
    ],
)
def test_text_mode_asks_what_follows_a_table(
    tmp_path: Path, typed: tuple[str, ...], wanted: object
) -> None:
    async def asked() -> object:
        lines = TypedLines()
        for line in (*typed, None):
            lines.put(line)
        here = TextLobby(DataFolder(tmp_path), NodeConfig(), lines, lambda told: None)
        return await here.ask_what_next(Model(me="Asha", room=Room("t", "pagat", (), True)))

    assert asyncio.run(asked()) == wanted


@pytest.mark.parametrize("language", ["ta", "si"])
@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("rules=zz", {"zz", *PRESETS}),
        ("hans=2", {"hans", "hands"}),
        ("colour=2", {"colour", *text_lobby.ABOUT_TABLE, *PLAYABLE}),
        ("timer=3", {"timer", "off"}),
        ("bots=9", {"bots"}),
        ("hands=x", {"hands"}),
        ("ask=perhaps", {"ask", "yes", "no"}),
    ],
)
def test_what_is_wrong_with_a_table_to_open_is_told_in_the_players_language(
    typed: str, names: set[str], language: str, tmp_path: Path
) -> None:
    with pytest.raises(OptionsError) as refused:
        text_lobby.described(NodeConfig(), ["Foo", typed])
    told = PhraseRenderer(Look(), translation(language)).text(refused.value.phrase)
    assert typed.partition("=")[0] in told or typed.partition("=")[2] in told
    assert set(re.findall(r"[a-z][a-z0-9_.-]+[a-z0-9]", told)) <= names
    if typed == "hans=2":
        assert "Did you mean hands?" in str(refused.value)


def test_other_rules_are_typed_before_a_table_is_opened_again(tmp_path: Path) -> None:
    told: list[str] = []

    async def asked(*typed: str) -> OpenTable | None:
        lines = TypedLines()
        for line in (*typed, None):
            lines.put(line)
        here = TextLobby(DataFolder(tmp_path), NodeConfig(), lines, told.append)
        rules = NewTable("F", "bank", 0, False, 2, "replace", {"tokens": 5}).rules
        return await here.ask_rules(OpenTable("F", rules, 0, 2, bots_play="strong"))

    again = asyncio.run(asked("timer=1", "timer=45 hands=2"))
    assert again is not None and (again.rules.timer, again.rules.tokens) == (45, 5)
    assert (again.rules.away, again.hands, again.bots) == ("replace", 2, 2)
    assert any("off, 5 to 600" in line for line in told)
    same = asyncio.run(asked(""))
    assert same is not None and same.bots_play == "strong"
    assert asyncio.run(asked("lobby")) is None


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
        ({"bots": "3"}, "wait"),
        ({"bots": "2:strong"}, "replace"),
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
        ("wrong.toml", [], "wrong.toml: timer cannot be"),
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


def test_a_long_line_breaks_between_words_but_a_path_stays_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows: list[str] = []
    monkeypatch.setattr("prompt_toolkit.print_formatted_text", lambda text: rows.append(text[0][1]))
    monkeypatch.setattr(typed_lines, "get_terminal_size", lambda: os.terminal_size((30, 24)))
    typed_lines.say_above_prompt("Type a number, or press Enter for the first.")
    assert rows == ["Type a number, or press Enter", "for the first."]
    rows.clear()
    typed_lines.say_above_prompt("Transcript: /home/asha/games/0123456789abcdef.304")
    assert rows == ["Transcript: /home/asha/games/0123456789abcdef.304"]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_spectator_reads_whole_words_on_a_terminal_and_whole_lines_in_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_terminal: bool
) -> None:
    async def watch(where: str, save: None, tell: Callable[[str], None], translate: object) -> int:
        tell("Kamala (North) plays the jack of spades.")
        return 0

    monkeypatch.setattr("p2p304.frontends.text.spectator.watch", watch)
    monkeypatch.setattr(typed_lines, "get_terminal_size", lambda: os.terminal_size((30, 24)))
    monkeypatch.setattr("sys.stdout.isatty", lambda: is_terminal)
    with pytest.raises(SystemExit):
        tables.watch("127.0.0.1:1", plain=True)
    rows = ["Kamala (North) plays the jack", "of spades."]
    assert capsys.readouterr().out.splitlines() == (rows if is_terminal else [" ".join(rows)])


def test_a_table_that_bots_fill_is_open_on_this_computer_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody else can sit down there, so nobody else needs to reach it; the lobby after it is
    open again."""

    def bind_of(**options: Any) -> str:
        config, target = configured(monkeypatch, tmp_path, **options)
        assert isinstance(target, NewTable)
        return lobby.config_for(config, target).bind

    assert bind_of(bots="3:strong") == "127.0.0.1"
    assert bind_of(bots="3", open_="Home") == "127.0.0.1"
    assert bind_of(bots="1", rules="online-2") == "127.0.0.1"
    assert bind_of(bots="2") == bind_of(open_="Home") == ""
    assert bind_of(bots="3", port=4000) == bind_of(bots="3", spectators="now") == ""
    assert bind_of(bots="3", port=0) == ""
    assert bind_of(bots="3", interface=["192.0.2.1"]) == ""
    assert bind_of(bots="3", bind="192.0.2.1") == "192.0.2.1"
    config, _ = configured(monkeypatch, tmp_path, bots="3")
    assert lobby.config_for(config, None).bind == "" == lobby.config_for(config, "Friday").bind


def test_a_table_that_bots_fill_is_opened_from_the_lobby_on_this_computer_alone() -> None:
    said = NodeConfig(port=None)
    wanted = OpenTable("Home", NewTable(None, "pagat", 0, False, 3).rules, 0, 3)
    table = lobby.opened_elsewhere(said, wanted)
    assert table == lobby.NextTable("Home", wanted, said)
    here = lobby.config_for(table.config, table)
    assert here.bind == "127.0.0.1" and lobby.opened_elsewhere(here, wanted) is None
    for bots, watch, config in ((2, "", said), (3, "trick", said), (3, "", NodeConfig("::1"))):
        other = replace(wanted, bots=bots, watch=watch)
        assert lobby.opened_elsewhere(config, other) is None


def test_the_full_screen_turns_to_such_a_table(tmp_path: Path) -> None:
    wanted = OpenTable("Home", NewTable(None, "pagat", 0, False, 3).rules, 0, 3)

    async def turned() -> None:
        said = NodeConfig(port=None)
        with ExitStack() as stack:
            player = Player(DataFolder(tmp_path), "Asha", said, stack, None)
            player.carry_out(wanted)
            assert player.next == lobby.NextTable("Home", wanted, said)
            assert not player._working, "nothing is opened on the network"

    asyncio.run(turned())


def test_another_table_after_one_of_bots_listens_as_the_player_said(tmp_path: Path) -> None:
    said = NodeConfig(port=None)
    local = said.for_bots_alone()
    assert local.is_local and local.for_anybody() == said
    rules = NewTable(None, "pagat", 0, False, 3).rules
    again = OpenTable("Home", rules, 0, 3)
    assert lobby.config_for(said, lobby.NextTable("Home", again, said)).is_local
    asked = lobby.NextTable("Home", again, said, asks_rules=True)
    assert not lobby.config_for(said, asked).is_local


@pytest.mark.parametrize("trouble", [DataFolderError("The disk is full."), OSError("no process")])
def test_bots_that_cannot_be_started_leave_a_word(trouble: Exception) -> None:
    def invite(count: int, seats: object) -> None:
        raise trouble

    noted: list[Any] = []
    full: Any = SimpleNamespace(
        seated=SimpleNamespace(bots=SimpleNamespace(plays="", invite=invite)),
        table_page=SimpleNamespace(note=noted.append),
    )
    Player._invite(full, OpenTable("Home", preset("pagat"), 1, 3))
    (told,) = noted
    assert str(told) in (
        "The bots could not be started. The disk is full.",
        "The bots could not be started: no process.",
    )
