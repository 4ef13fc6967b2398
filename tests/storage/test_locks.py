"""What systems do differently with files: locks, bytes as they are, names. It runs on Windows too.

Two processes, because a lock is between processes; and none of the modes of files, which Windows
does not have (test_data_folder.py tries those).
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from p2p304.storage import files
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError, append, read_file, take_lock, write_once

HOLDS = """
import sys
from p2p304.storage.files import take_lock
file = open(sys.argv[1], "r+b")
take_lock(file)
print("held", flush=True)
sys.stdin.read()
"""
WAITS = """
import sys
from p2p304.storage.files import take_lock
file = open(sys.argv[1], "r+b")
print("waits", flush=True)
take_lock(file, wait=True)
print("held", flush=True)
"""
PLAYS = """
import sys
from pathlib import Path
from p2p304.storage.data_folder import DataFolder
folder = DataFolder(Path(sys.argv[1]))
folder.lock()
print("held", flush=True)
sys.stdin.read()
"""
WRITES_ONCE = """
import os, sys
from pathlib import Path
from p2p304.storage.files import write_once
if hasattr(os, "link"):
    del os.link
print("ready", flush=True)
sys.stdin.readline()
write_once(Path(sys.argv[1]), sys.argv[2].encode())
"""
STARTS = 4
"""Programs that make the same file at once."""
FREED_WITHIN = 10.0
"""Seconds: Windows frees the locks of a process that was killed "depending on its resources"."""


@contextmanager
def program(text: str, *words: object) -> Iterator[subprocess.Popen[str]]:
    """Start a program with pipes; it has ended afterwards."""
    command = [sys.executable, "-c", text, *map(str, words)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def said(running: subprocess.Popen[str]) -> str:
    assert running.stdout is not None
    return running.stdout.readline().strip()


def go_on(running: subprocess.Popen[str]) -> None:
    assert running.stdin is not None
    running.stdin.write("\n")
    running.stdin.flush()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "lock"
    made.write_bytes(b"")
    return made


def is_free(path: Path) -> bool:
    with path.open("r+b") as file:
        try:
            take_lock(file)
        except OSError as error:
            assert error.errno in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)
            return False
        return True


def becomes_free(path: Path) -> bool:
    end = time.monotonic() + FREED_WITHIN
    while not is_free(path):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


# Locks


def test_one_process_has_the_lock_until_it_closes_the_file(path: Path) -> None:
    with program(HOLDS, path) as holder:
        assert said(holder) == "held"
        assert not is_free(path)
        holder.communicate()
        assert becomes_free(path)


def test_the_lock_goes_with_a_process_that_is_killed(path: Path) -> None:
    with program(HOLDS, path) as holder:
        assert said(holder) == "held"
        holder.kill()
        holder.wait()
        assert becomes_free(path)


def test_a_process_can_wait_for_the_lock(path: Path) -> None:
    with path.open("r+b") as file:
        take_lock(file)
        with program(WAITS, path) as other:
            assert said(other) == "waits"
            time.sleep(0.3)
            file.close()
            assert said(other) == "held"


def test_a_lock_is_for_one_file_object_within_a_process_too(path: Path) -> None:
    """Two parts of one program, such as two audits, keep out of each other's way."""
    with path.open("r+b") as file:
        take_lock(file)
        assert not is_free(path)
    assert becomes_free(path)


def test_two_nodes_never_share_a_folder(tmp_path: Path) -> None:
    with closing(DataFolder(tmp_path)) as folder, program(PLAYS, tmp_path) as other:
        assert said(other) == "held"
        with pytest.raises(DataFolderError, match="Another p2p304 is using the data folder"):
            folder.lock()
        other.kill()
        other.wait()
        assert becomes_free(tmp_path / "lock")
        folder.lock()


# A file that is made once


def test_of_several_programs_one_makes_the_file_without_hard_links(tmp_path: Path) -> None:
    path = tmp_path / "identity"
    with (
        program(WRITES_ONCE, path, "0") as one,
        program(WRITES_ONCE, path, "1") as two,
        program(WRITES_ONCE, path, "2") as three,
        program(WRITES_ONCE, path, "3") as four,
    ):
        writers = (one, two, three, four)
        assert [said(writer) for writer in writers] == ["ready"] * STARTS
        for writer in writers:
            go_on(writer)
        assert [writer.wait() for writer in writers] == [0] * STARTS
    made = read_file(path)
    assert made in (b"0", b"1", b"2", b"3")
    assert {found.name for found in tmp_path.iterdir()} == {"identity", "identity.lock"}
    write_once(path, b"later")
    assert read_file(path) == made


def test_a_file_is_made_once_with_whatever_this_system_has(tmp_path: Path) -> None:
    path = tmp_path / "identity"
    write_once(path, b"one")
    write_once(path, b"two")
    assert read_file(path) == b"one"


# Bytes and names


def test_every_byte_stays_as_it_is(tmp_path: Path) -> None:
    """Windows keeps text and binary files apart: as text 10 would become 13 10, and 26 the end."""
    data = bytes(range(256)) + b"\r\n\n\r\x1a\n"
    append(tmp_path / "journal", data, sync=True)
    append(tmp_path / "journal", data, sync=False)
    assert read_file(tmp_path / "journal") == data + data
    files.truncate(tmp_path / "journal", len(data))
    files.write_whole(tmp_path / "whole", data)
    write_once(tmp_path / "once", data)
    for name in ("journal", "whole", "once"):
        assert (tmp_path / name).read_bytes() == data, name


def test_files_are_opened_as_binary_where_a_system_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The flag of Windows, looked at on every system."""
    flag, asked, opened = 1 << 30, [], os.open

    def note(path: object, flags: int, mode: int = 0o777) -> int:
        asked.append(flags)
        return opened(path, flags & ~flag, mode)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "_BINARY", flag)
    monkeypatch.setattr(os, "open", note)
    append(tmp_path / "journal", b"\n", sync=False)
    with files.open_file(tmp_path / "journal") as file:
        assert file.read() == b"\n"
    assert len(asked) == 2 and all(flags & flag for flags in asked)


@pytest.mark.parametrize("name", ["My Games", "තරිඳු", "தமிழ் 304", "a" * 50])
def test_a_data_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    with closing(DataFolder(home)) as folder:
        folder.lock()
        key = folder.identity()
        folder.nick("Tharindu")
        game = folder.game("ab" * 32)
        game.persist("journal", b"one")
        game.persist("transcript", b"two\n")
        assert folder.identity().public == key.public
    with closing(DataFolder(home)) as again:
        assert again.identity().public == key.public and again.last_nick == "Tharindu"
        assert read_file(again.game("ab" * 32).transcript) == b"two\n"
    assert not any(set(found.name) & set('<>:"|?*\\') for found in home.rglob("*"))


# What is asked of Windows, looked at on every system. What Windows answers, only Windows can show.


@pytest.mark.parametrize(("wait", "asked"), [(False, "LK_NBLCK"), (True, "LK_LOCK")])
def test_windows_is_asked_for_the_first_byte(
    path: Path, monkeypatch: pytest.MonkeyPatch, wait: bool, asked: str
) -> None:
    calls: list[tuple[int, str, int, int]] = []
    msvcrt = ModuleType("msvcrt")

    def locking(handle: int, mode: str, count: int) -> None:
        calls.append((handle, mode, count, os.lseek(handle, 0, os.SEEK_CUR)))

    vars(msvcrt).update(locking=locking, LK_NBLCK="LK_NBLCK", LK_LOCK="LK_LOCK")
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setattr(files, "sys", SimpleNamespace(platform="win32"))
    with path.open("r+b") as file:
        take_lock(file, wait)
        assert calls == [(file.fileno(), asked, 1, 0)]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EDEADLK])
def test_what_windows_says_of_a_lock_that_is_taken_is_another_p2p304(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """EACCES at once; EDEADLOCK, which has the number of EDEADLK there, after ten tries."""

    def refuse(file: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("p2p304.storage.data_folder.take_lock", refuse)
    with (
        closing(DataFolder(tmp_path)) as folder,
        pytest.raises(DataFolderError, match="Another p2p304"),
    ):
        folder.lock()
