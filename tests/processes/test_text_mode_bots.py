"""A person in text mode: killed with no warning, and back with the same bots; not let in where
nobody can be asked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PATIENCE = 120.0
pytestmark = pytest.mark.processes


def in_text_mode(home: Path, out: Path, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "p2p304", *words, "--plain", "--home", str(home)]
    with out.open("wb") as lines:
        return subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=lines,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "USER": "me"},
        )


def wait_for(out: Path, *lines: str) -> str:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        told = out.read_text(encoding="utf-8")
        if any(line in told for line in lines):
            return told
        time.sleep(0.1)
    raise AssertionError(f"none of {lines} in {told}")


def leave(process: subprocess.Popen[bytes]) -> None:
    """However it was told to end, or by ending it."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    process.communicate(timeout=30)


def test_who_is_killed_comes_back_with_the_bots(tmp_path: Path) -> None:
    """The founder is asked about everybody who comes, but not about its own bots."""
    home, first, second = tmp_path / "home", tmp_path / "first", tmp_path / "second"
    home.mkdir(mode=0o700)
    (home / "screen.toml").write_text('cut = "never"\n', encoding="utf-8")
    words = ("play", "--open", "t", "--bots", "3", "--bots-pace", "0", "--nick", "Asha", "--ask")
    here = ("--bind", "127.0.0.1")
    playing = in_text_mode(home, first, *words, *here)
    try:
        told = wait_for(first, "Your turn", "cards each.")
        assert "asks for a seat" not in told
        os.killpg(playing.pid, signal.SIGKILL)  # the bots too, as when the power fails
        leave(playing)
        playing = in_text_mode(home, second, "resume")
        # A bot may reject its cards first: then this player is asked for the next deal.
        goes_on = ("Everybody is back", "Your turn", "Waiting for you", "Press Enter to deal")
        told = wait_for(second, *goes_on)
        assert "Listening on 127.0.0.1," in told, "as the table of bots was before"
    finally:
        leave(playing)


def test_who_is_not_let_in_and_cannot_be_asked_reads_why_and_ends_with_1(tmp_path: Path) -> None:
    host, guest, here = tmp_path / "host", tmp_path / "guest", ("--bind", "127.0.0.1")
    words = ("--open", "t", "--passphrase", "tea", "--nick", "Asha", "--port", "40477")
    opened = in_text_mode(tmp_path / "a", host, "play", *words, *here)
    try:
        wait_for(host, "Listening on")
        late = in_text_mode(
            tmp_path / "b", guest, "play", "--table", "127.0.0.1:40477", "--nick", "Ravi", *here
        )
        try:
            assert late.wait(timeout=PATIENCE) == 1
        finally:
            leave(late)
        assert guest.read_text(encoding="utf-8").count("needs a passphrase") == 1
    finally:
        leave(opened)
