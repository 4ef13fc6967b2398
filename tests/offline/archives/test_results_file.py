"""The file of results: what a stop, another program or a wrong name does to it."""

from __future__ import annotations

import hashlib
import os
from errno import ENOSPC
from io import BufferedRandom, FileIO
from pathlib import Path

import pytest

from p2p304.offline.archives import results_file
from p2p304.offline.archives.results_file import ResultsFile
from p2p304.storage.files import DataFolderError

ONE, TWO = (hashlib.sha256(word).hexdigest() for word in (b"one", b"two"))


def filled(path: Path) -> bytes:
    with ResultsFile(path) as kept:
        kept.add("one.304", 3, ONE, {"is": "one"})
        kept.add("two.304", 5, TWO, ["two"])
    return path.read_bytes()


def test_what_is_kept_is_found_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    filled(path)
    with ResultsFile(path) as kept:
        assert len(kept) == 2 and kept.has_size(3) and not kept.has_size(4)
        assert kept.find(ONE) == {"is": "one"} and kept.find(TWO) == ["two"]
        assert kept.find(hashlib.sha256(b"three").hexdigest()) is None
        kept.add("one.304", 3, ONE, "again")
        assert kept.find(ONE) == "again" and kept.find(TWO) == ["two"]
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_line_that_a_stop_left_unfinished_is_written_again(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "state.json"
    whole = filled(path)
    path.write_bytes(whole[:-cut])
    with ResultsFile(path) as kept:
        assert kept.find(ONE) == {"is": "one"} and kept.find(TWO) is None
        kept.add("two.304", 5, TWO, ["two"])
    assert path.read_bytes() == whole


@pytest.mark.parametrize("wrong", [b"nonsense", b"{}", b"[1]", b"\xff\x00", b"[" * 5000])
def test_a_damaged_line_is_passed_over(tmp_path: Path, wrong: bytes) -> None:
    path = tmp_path / "state.json"
    head, one, two, end = filled(path).split(b"\n")
    path.write_bytes(b"\n".join((head, one, wrong, two, end)))
    with ResultsFile(path) as kept:
        assert kept.find(ONE) == {"is": "one"} and kept.find(TWO) == ["two"]


def test_another_program_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "state.json"
    whole = filled(path)
    monkeypatch.setattr(results_file, "program_digest", lambda: "another")
    with ResultsFile(path) as kept:
        assert len(kept) == 0 and kept.find(ONE) is None
    assert len(path.read_bytes()) < len(whole)


@pytest.mark.parametrize("data", [b"p2p304\x00\x01", b"{}\n", b"my diary\n", b'{"kind": 1}\n'])
def test_a_file_of_another_kind_is_left_alone(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "game.304"
    path.write_bytes(data)
    with pytest.raises(DataFolderError, match="holds no results of an audit"):
        ResultsFile(path)
    assert path.read_bytes() == data


def test_two_audits_do_not_share_it(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    with ResultsFile(path), pytest.raises(DataFolderError, match="used by another audit"):
        ResultsFile(path)
    with pytest.raises(DataFolderError, match="cannot be used"):
        ResultsFile(tmp_path)
    with pytest.raises(DataFolderError, match="cannot be used"):
        ResultsFile(tmp_path / "no" / "state.json")


def test_a_full_disk_is_said_once_and_truly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing writes again what is left; its error must not stand before the first."""
    path = tmp_path / "state.json"

    class FullDisk(FileIO):
        def write(self, data: object, /) -> int:
            raise OSError(ENOSPC, "No space left on device")

    def opened(handle: int, mode: str) -> BufferedRandom:
        return BufferedRandom(FullDisk(handle, "r+"))

    filled(path)
    monkeypatch.setattr(os, "fdopen", opened)
    with pytest.raises(DataFolderError, match="cannot be written"), ResultsFile(path) as it:
        it.add("three.304", 7, ONE, "three")
    path.write_bytes(b"")
    with pytest.raises(DataFolderError, match="cannot be written"):
        ResultsFile(path)
