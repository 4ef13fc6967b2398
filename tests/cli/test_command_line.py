"""`p2p304` without a command, its help, and words that are wrong."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from p2p304.cli import main as cli
from p2p304.cli import tables
from p2p304.cli.arguments.declarations import Argument, parameters_of
from p2p304.cli.arguments.parser import UsageError, parse
from p2p304.cli.commands import COMMANDS
from p2p304.cli.help import command_help, root_help, statuses
from p2p304.cli.start import show_status
from p2p304.puzzles.puzzle import collection
from p2p304.rules.records.record import read_record
from p2p304.rules.variants.presets import PRESETS
from tests.support.programs import run_here


class Stream(io.StringIO):
    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.mark.parametrize(
    ("words", "keyboard", "screen", "begun"),
    [
        ([], True, True, ["play"]),
        ([], False, True, []),
        ([], True, False, []),
        (["--home", "folder"], True, True, ["play"]),
        (["--home", "folder"], False, True, []),
        (["--version"], True, True, []),
        (["rules"], True, True, ["rules"]),
    ],
)
def test_alone_on_a_terminal_it_opens_the_lobby(
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    keyboard: bool,
    screen: bool,
    begun: list[str],
) -> None:
    found: list[str] = []
    monkeypatch.setenv("P2P304_HOME", "")
    monkeypatch.setattr(cli, "_run_command", lambda function, _: found.append(function.__name__))
    with monkeypatch.context() as change, contextlib.suppress(SystemExit):
        change.setattr(sys, "stdin", Stream(keyboard))
        change.setattr(sys, "stdout", Stream(screen))
        cli.run(words)
    assert found == begun


def test_input_that_is_no_text_and_streams_that_are_closed_stop_no_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("P2P304_HOME", str(tmp_path))
    for words in (["puzzle", "3"], ["learn"]):
        for typed in (b"\xff\xfe\n1\nquit\n", None):
            stdin = None if typed is None else io.TextIOWrapper(io.BytesIO(typed), "utf-8")
            with monkeypatch.context() as change:
                change.setattr(sys, "argv", ["p2p304", *words])
                change.setattr(sys, "stdin", stdin)
                change.setattr(sys, "stdout", None)
                change.setattr(sys, "stderr", None)
                with pytest.raises(SystemExit) as ended:
                    cli.main()
                for stream in (sys.stdin, sys.stdout, sys.stderr):
                    stream.close()
            assert ended.value.code == 0, (words, typed)


def test_alone_in_a_pipe_it_is_help_and_a_wrong_use() -> None:
    assert run_here() == (2, root_help(), "")


@pytest.mark.parametrize("command", [[], ["play"], ["score"], ["audit", "x", "--nothing"]])
def test_h_is_help_and_comes_before_what_is_wrong(command: list[str]) -> None:
    short, long = run_here(*command, "-h"), run_here(*command, "--help")
    assert short == long and short[0] == 0 and "-h, --help" in short[1]


@pytest.mark.parametrize("width", [40, 80, 200])
def test_every_help_fits_the_window(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    texts = {"": root_help(), **{name: command_help(name) for name in COMMANDS}}
    if width >= 80:
        assert max(len(line) for text in texts.values() for line in text.splitlines()) <= width
    listed = re.findall(r"^  ([a-z]+)\b", texts.pop(""), re.M)
    assert [name for name in listed if name in COMMANDS] == list(COMMANDS)
    for name, text in texts.items():
        assert "Examples:" in text and "Exit statuses:" in text
        numbers = [int(number.split()[-1]) for number, _ in statuses(COMMANDS[name])[:-1]]
        assert numbers == sorted(set(numbers)), name
        for one in parameters_of(COMMANDS[name].function):
            assert all(word in text for word in one.names or (one.placeholder,)), (name, one.key)
            assert one.declared.help.split()[0] in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_is_read(name: str) -> None:
    assert COMMANDS[name].examples
    for words, _ in COMMANDS[name].examples:
        command, *rest = words.split(" >")[0].split()
        assert command == name
        parse(rest, parameters_of(COMMANDS[name].function))


@pytest.mark.parametrize("name", COMMANDS)
def test_no_placeholder_is_a_type(name: str) -> None:
    for one in parameters_of(COMMANDS[name].function):
        assert (one.declared.help and not one.placeholder.islower()) or one.choices
        assert isinstance(one.declared, Argument) or one.names[-1].startswith("--")


def parsed(command: str, *words: str) -> dict[str, Any]:
    return parse(words, parameters_of(COMMANDS[command].function))


def test_values_are_read_in_every_form(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parsed("play", "--port=7")["port"] == parsed("play", "--port", "7")["port"] == 7
    assert parsed("play", "--passphrase", "-x y")["passphrase"] == "-x y"
    assert parsed("play", "--set", "timer=45", "--set=a=b")["set_"] == ["timer=45", "a=b"]
    assert parsed("play", "--port", "1", "--port", "2")["port"] == 2
    monkeypatch.setenv("P2P304_PASSPHRASE", "word")
    assert parsed("play")["passphrase"] == "word"
    assert parsed("play", "--passphrase", "other")["passphrase"] == "other"
    report = parsed("report", "a", "--no-open", "b", "-ox", "--", "--c")
    assert [str(path) for path in report["files"]] == ["a", "b", "--c"]
    assert (str(report["output"]), report["no_open"]) == ("x", True)
    assert str(parsed("score", "-")["file"]) == "-"
    assert parsed("rules", "--diff", "a", "b")["diff"] == ("a", "b")
    assert parsed("rules")["name"] is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("play --nothing", "No such option: --nothing"),
        ("play --languag en", "No such option: --languag. Did you mean --language, --plain?"),
        ("play --port", "Option '--port' requires an argument."),
        (
            "rules --diff pagat",
            "Option '--diff' requires 2 arguments, for example --diff pagat bank.",
        ),
        ("play --port x", "Invalid value for '--port': 'x' is not a number."),
        ("play --port 70000", "Invalid value for '--port': 70000. It must be 0 to 65535."),
        ("tables --seconds nan", "nan. It must be 0.1 to 60."),
        ("play --language fr", "'fr' is not one of 'en', 'si', 'ta'."),
        ("play --plain=3", "Option '--plain' does not take a value."),
        ("play x", "Got unexpected extra argument(s) (x)"),
        ("audit", "Missing argument 'FILE...'."),
    ],
)
def test_a_wrong_word_has_its_sentence(words: str, sentence: str) -> None:
    command, *rest = words.split()
    with pytest.raises(UsageError) as refused:
        parsed(command, *rest)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["plya"], "No such command 'plya'. Did you mean play, replay?"),
        (["--nothing"], "No such option: --nothing"),
        (["play", "--away", "pay", "--open", "t"], "--away is one of"),
        (["play", "--open", "t" * 33], "--open: a table's name has 1 to 32 characters"),
        (["play", "--open", "a.b"], "--open: a table's name has 1 to 32 characters"),
        (["play", "\x1b[2J"], "[2J"),
        (["rules", "fives", "--diff", "pagat", "bank"], "behind it: leave fives out."),
    ],
)
def test_a_wrong_use_ends_with_two_and_says_how_it_is_used(words: list[str], sentence: str) -> None:
    status, out, said = run_here(*words)
    assert (status, out) == (2, "") and sentence in said and "\x1b" not in said
    assert said.startswith("Usage: p2p304") and "-h' for help." in said


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_status_is_written_over_itself_and_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    for stream, written in ((Terminal(), "\r\x1b[K" + "x" * 19 + "\r\x1b[K"), (io.StringIO(), "")):
        monkeypatch.setattr(sys, "stderr", stream)
        show_status("x" * 99)
        show_status("")
        assert stream.getvalue() == written


def facts(*words: str) -> Any:
    status, out, _ = run_here(*words)
    assert status == 0
    return json.loads(out)


def test_rules_and_tables_are_told_to_programs(tmp_path: Path) -> None:
    assert [game["preset"] for game in facts("rules", "--json")] == list(PRESETS)
    assert facts("rules", "bank", "--json") == PRESETS["bank"].to_data()
    changed = facts("rules", "bank", "--set", "timer=45", "--json")
    assert changed == {**PRESETS["bank"].to_data(), "timer": 45}
    apart = facts("rules", "--diff", "pagat", "bank", "--json")
    assert apart["match"] == ["across", "bank"] and "seats" not in apart
    assert facts("resume", "--list", "--json", "--home", str(tmp_path)) == []


def test_puzzles_are_told_to_programs_without_their_answers() -> None:
    listed = facts("puzzle", "--json")
    assert [one["number"] for one in listed] == list(range(1, len(collection()) + 1))
    assert facts("puzzle", "3", "--json") == listed[2]
    assert set(listed[2]) == {"number", "kind", "question", "hand"}
    assert read_record(listed[2]["hand"]) == read_record(collection()[2].hand)


def test_the_identity_is_told_with_its_data_folder_to_people_and_programs(tmp_path: Path) -> None:
    home = tmp_path / "home"
    plain, told = run_here("id", "--home", str(home)), run_here("id", "--home", str(home), "--json")
    found = json.loads(told[1])
    assert found["home"] == str(home)
    assert plain[1] == f"{found['nick']}, identity {found['fingerprint']} ({found['home']})\n"


@pytest.mark.parametrize("words", [["id"], ["history", "--plain"], ["puzzle", "--plain"]])
def test_the_data_folder_can_be_named_before_and_behind_every_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str]
) -> None:
    """The language of a command without a data folder of its own is in that folder's settings."""
    home = tmp_path / "home"
    home.mkdir(0o700)
    (home / "screen.toml").write_text('language = "si"\n')
    told = []
    for line in (
        ["--home", str(home), *words],
        [f"--home={home}", *words],
        [*words, "--home", str(home)],
    ):
        monkeypatch.setenv("P2P304_HOME", str(tmp_path / "another"))
        told.append(run_here(*line))
    monkeypatch.setenv("P2P304_HOME", str(tmp_path / "another"))
    other = run_here(*words)
    assert told[0] == told[1] == told[2] != other


def test_a_data_folder_before_a_command_hides_no_help(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("P2P304_HOME", str(tmp_path))
    usual = run_here("audit", "--bad")
    assert usual[0] == 2 and "p2p304 audit [OPTIONS] FILE..." in usual[2]
    assert run_here("--home", str(tmp_path), "audit", "--bad") == usual
    assert run_here(f"--home={tmp_path}", "audit", "--bad") == usual
    assert "Option '--home' requires an argument." in run_here("--home")[2]


def test_a_list_without_unfinished_tables_says_so_in_the_own_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("P2P304_HOME", str(tmp_path))
    monkeypatch.setenv("P2P304_LANGUAGE", "en")
    assert run_here("resume", "--list")[1] == "You have no unfinished table.\n"
    assert "මේසයක් නැත" in run_here("resume", "--list", "--language", "si")[1]


def test_the_results_of_score_are_json_with_and_without_the_option() -> None:
    status, told, _ = run_here("score", "--help")
    assert status == 0 and "instead of text" not in told
    told = " ".join(told.split())
    assert "With --explain, put the explanations into the result." in told
    assert "JSON in any case" in told


def test_a_help_has_two_spaces_between_its_columns_and_no_marks_of_a_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name, command in COMMANDS.items():
        text = command_help(name)
        assert "`" not in text and max(map(len, text.splitlines())) <= 80
        for words, _ in command.examples:
            assert re.search(f"^  p2p304 {re.escape(words)}(  |$)", text, re.MULTILINE), words
    assert "\n  tournament  Let two bots" in root_help()


def test_an_unknown_word_is_not_repeated_without_end() -> None:
    status, _, said = run_here("x" * 5000)
    assert status == 2 and "x" * 40 + "…'" in said and "x" * 41 not in said


def test_a_passphrase_is_read_from_a_pipe_without_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("two words\n"))
    with warnings.catch_warnings(record=True) as warned:
        assert tables._ask_passphrase("-") == "two words" and not warned
    with pytest.raises(EOFError):
        tables._ask_passphrase("-")
