"""The language of a command: its option, before the settings and the locale."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2p304.frontends.appearance import read_appearance
from p2p304.rules.core.phrases import say
from tests.support.paths import TRANSCRIPTS
from tests.support.programs import run_here

HELP = say("Help for this moment").text


@pytest.mark.parametrize("language", ["si", "ta"])
def test_the_option_chooses_the_language(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2P304_LANGUAGE", "en")
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    file = str(TRANSCRIPTS / "played-out.304")
    english = run_here("replay", "--plain", file)
    told = run_here("replay", "--plain", "--language", language, file)
    assert english[0] == told[0] == 0
    assert english[1].isascii() and not told[1].isascii()


def test_it_comes_before_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "screen.toml").write_text('language = "ta"\n')
    monkeypatch.setenv("P2P304_LANGUAGE", "")
    tamil = read_appearance(tmp_path).translate(HELP)
    monkeypatch.setenv("P2P304_LANGUAGE", "si")
    assert HELP not in (tamil, read_appearance(tmp_path).translate(HELP))
    assert read_appearance(tmp_path).translate(HELP) != tamil


@pytest.mark.parametrize("language", ["si", "ta"])
def test_a_failed_connection_is_told_in_the_language(language: str, tmp_path: Path) -> None:
    """Also the reason, which the network gives in English."""
    words = ["play", "--plain", "--table", "127.0.0.1:1", "--home", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "p2p304", *words, "--bind", "127.0.0.1", "--language", language],
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 1 and "127.0.0.1:1" in done.stderr
    assert "Cannot reach" not in done.stderr and "refused" not in done.stderr


@pytest.mark.parametrize("language", ["si", "ta"])
def test_an_error_of_a_file_is_told_in_the_language(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("P2P304_LANGUAGE", language), ("PYTHONIOENCODING", "utf-8")):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("P2P304_HOME", str(tmp_path))
    none, junk = str(tmp_path / "none.304"), tmp_path / "junk.304"
    junk.write_bytes(b"junk")
    told = list[str]()
    for words in (("replay", none), ("audit", none), ("replay", str(junk)), ("score", none)):
        status, out, error = run_here(*words)
        assert status == 2 and not (out + error).isascii()
        told.append(out + error)
    assert not any(word in " ".join(told) for word in ("does not exist", "not a", "cannot"))
