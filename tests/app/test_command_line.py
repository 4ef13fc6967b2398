"""`p2p304` without a command, and the short form of --help."""

from __future__ import annotations

import sys

import pytest
from typer.testing import CliRunner

from p2p304.cli import main as cli


class Stream:
    def __init__(self, is_terminal: bool) -> None:
        self.isatty = lambda: is_terminal


@pytest.mark.parametrize(
    ("words", "keyboard", "screen", "lobby"),
    [
        ([], True, True, True),
        ([], False, True, False),
        ([], True, False, False),
        (["--version"], True, True, False),
        (["rules"], True, True, False),
    ],
)
def test_alone_on_a_terminal_it_opens_the_lobby(
    monkeypatch: pytest.MonkeyPatch, words: list[str], keyboard: bool, screen: bool, lobby: bool
) -> None:
    given: list[object] = []
    monkeypatch.setattr(sys, "argv", ["p2p304", *words])
    monkeypatch.setattr(sys, "stdin", Stream(keyboard))
    with monkeypatch.context() as change:
        change.setattr(sys, "stdout", Stream(screen))
        opens = cli._opens_lobby()
    monkeypatch.setattr(cli, "_opens_lobby", lambda: opens)
    monkeypatch.setattr(cli, "app", given.append)
    cli.main()
    assert given == [["play"] if lobby else None]


@pytest.mark.parametrize("command", [[], ["play"], ["score"]])
def test_h_is_help(command: list[str]) -> None:
    run = CliRunner()
    short, long = run.invoke(cli.app, [*command, "-h"]), run.invoke(cli.app, [*command, "--help"])
    assert short.exit_code == long.exit_code == 0
    assert short.output == long.output and "-h, --help" in long.output
