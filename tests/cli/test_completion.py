"""What the shell puts in place of the beginning of a word."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from p2p304.cli.arguments import completed
from p2p304.cli.arguments.completed import completed_rules, completed_setting
from p2p304.cli.commands import COMMANDS
from p2p304.cli.completion import SCRIPTS, candidates, install
from p2p304.storage.data_folder import DataFolder
from tests.support.programs import run_here


def words(*line: str) -> list[str]:
    return [word for word, _ in candidates(line)]


def test_games_and_settings() -> None:
    assert completed_rules("on") == ["online-2", "online-3", "online-4"]
    assert completed_setting("bid.") == ["bid.min=", "bid.first="]
    assert completed_setting("shuffle=") == ["shuffle=thorough", "shuffle=minimal"]
    assert completed_setting("nonsense=") == []


def test_commands_and_options() -> None:
    assert words("") == list(COMMANDS)
    assert words("re") == ["resume", "report", "replay"]
    assert "--version" in words("--")
    assert words("play", "--sea") == ["--seat"] and "--help" in words("play", "--")
    assert words("play", "--pa", "--nothing") == words("nothing", "") == []


def test_a_data_folder_before_the_command(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert words("--home", f"{tmp_path}/mi") == [f"{tmp_path}/mine/"]
    assert words("--home", "x", "au") == words("--home=x", "au") == ["audit"]
    assert words("--home", "x", "rules", "ba") == words("rules", "ba") != []


def test_the_values_of_an_option() -> None:
    assert words("play", "--language", "") == ["en", "si", "ta"]
    assert words("play", "--rules=onl") == [
        "--rules=online-2",
        "--rules=online-3",
        "--rules=online-4",
    ]
    assert words("play", "--set", "timer=45", "--set", "shuffle=m") == ["shuffle=minimal"]
    assert words("play", "--away", "re") == ["replace"]
    assert words("play", "--spectators", "t") == ["trick"]
    assert words("play", "--nick", "") == []
    assert words("rules", "--diff", "pagat", "ban") == ["bank"]
    assert words("rules", "ban") == ["bank"] and words("rules", "bank", "") == []


def test_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p304.app.joining.find_names", lambda seconds: ["Friday", "Monday"])
    assert words("play", "--table", "F") == words("bot", "--table", "F") == ["Friday"]


def test_a_word_that_a_shell_would_run_is_not_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = ["Friday", "Fun;reboot", "F`reboot`", "F|sh", "F$HOME", "F night"]
    monkeypatch.setattr("p2p304.app.joining.find_names", lambda seconds: names)
    assert run_here("--complete", "play", "--table", "F")[1] == "Friday\t\n"
    monkeypatch.chdir(tmp_path)
    for name in ("a.304", "a`b`.304", "a&b.304"):
        Path(name).touch()
    assert run_here("--complete", "replay", "a")[1] == "a.304\t\n"


def test_the_folder_of_nobody_completes_nothing() -> None:
    assert words("play", "--rules", "~nobody304/") == []


def test_tables_to_resume(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("P2P304_HOME", str(tmp_path))
    assert words("resume", "--table", "") == []
    DataFolder(None).game("ab" * 32).persist("journal", b"begun")
    assert words("resume", "--table", "a") == ["ab" * 8]


def test_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    for name in ("a.304", "b.evidence", "c.txt", ".hidden.304", "my.toml", "games/d.304"):
        (tmp_path / name).write_bytes(b"")
    assert words("replay", "") == ["a.304", "games/"]
    assert words("replay", "games/") == ["games/d.304"]
    assert words("audit", "a.304", "") == ["a.304", "b.evidence", "games/"]
    assert words("rules", "m") == ["marriage", "my.toml"] or "my.toml" in words("rules", "m")
    assert completed.files("none/") == []


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_script_is_installed_once_and_shown(
    shell: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    for _ in range(2):
        assert install(shell).read_text() == SCRIPTS[shell]
    starts = [path for path in tmp_path.iterdir() if path.is_file()]
    assert all(path.read_text().count("p2p304\n") == 1 for path in starts)
    assert len(starts) == (0 if shell == "fish" else 1)
    assert run_here("--show-completion") == (0, SCRIPTS[shell], "")
    monkeypatch.setenv("SHELL", "/bin/sh")
    status, _, said = run_here("--install-completion")
    assert status == 2 and "bash, zsh, fish" in said


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("line", "reply"),
    [("p2p304 res", "resume"), ("p2p304 play --set shuffle=", "thorough minimal")],
)
def test_bash_asks_the_program(line: str, reply: str, tmp_path: Path) -> None:
    program = tmp_path / "p2p304"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m p2p304 "$@"\n')
    program.chmod(0o755)
    asked = f'compopt() {{ :; }}\nCOMP_LINE="{line}" COMP_POINT={len(line)}\n_p2p304\n'
    done = subprocess.run(
        ["bash", "-c", SCRIPTS["bash"] + asked + 'echo "${COMPREPLY[*]}"'],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == reply.split(), done.stderr
