"""Writes files so that a crash, a full disk or another user cannot damage them.

Responsible for private modes (0600), syncing, atomic replacement, locks, and the sentence for a
person when a file cannot be used. It does not know what a file holds; data_folder.py does.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, Final

from p2p304.rules.core.phrases import Phrase

if sys.platform != "win32":
    import fcntl

LARGEST_FILE: Final = 256 * 1024 * 1024
"""The most bytes of a file that is read whole; the transcript of 2,000 hands is smaller."""
_BINARY: Final[int] = getattr(os, "O_BINARY", 0)
"""Without it Windows writes two bytes for each byte 10, and reads no further than a byte 26."""


class DataFolderError(Exception):
    """Something cannot be read or written; one sentence says what, and what to do. ``gaps`` fill
    it. ``phrase`` is the same for a screen, which has its translation."""

    def __init__(self, sentence: str, **gaps: str | int | Phrase) -> None:
        super().__init__(sentence.format(**gaps) if gaps else sentence)
        self.sentence, self.gaps = sentence, tuple(gaps.items())

    @property
    def phrase(self) -> Phrase:
        return Phrase(self.sentence, self.gaps)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.sentence, self.gaps)


def _made_again(
    kind: type[DataFolderError], sentence: str, gaps: tuple[tuple[str, str | int | Phrase], ...]
) -> DataFolderError:
    return kind(sentence, **dict(gaps))


def cannot_be_read(path: Path, reason: str) -> DataFolderError:
    return DataFolderError("{file} cannot be read ({why}).", file=str(path), why=reason)


def _cannot_be_written(path: Path, error: OSError) -> DataFolderError:
    return DataFolderError("{file} cannot be written ({why}).", file=str(path), why=why(error))


def append(path: Path, data: bytes, sync: bool) -> None:
    """Append to a private file, on disk when it returns if ``sync``; raises DataFolderError."""
    try:
        fresh = not path.exists()
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _BINARY, 0o600)
        try:
            _write(handle, data)
            if sync:
                os.fsync(handle)
        finally:
            os.close(handle)
        if fresh and sync:
            _sync_folder(path.parent)
    except OSError as error:
        raise DataFolderError(
            "{file} cannot be written ({why}). The game stops; resume it when the disk works "
            "again.",
            file=str(path),
            why=why(error),
        ) from error


def truncate(path: Path, size: int) -> None:
    """Shorten a file, on disk when it returns; raises DataFolderError."""
    try:
        with path.open("r+b") as file:
            file.truncate(size)
            os.fsync(file.fileno())
    except OSError as error:
        raise DataFolderError(
            "{file} cannot be repaired ({why}).", file=str(path), why=why(error)
        ) from error


def write_whole(path: Path, data: bytes) -> None:
    """Replace a private file atomically; raises DataFolderError."""
    try:
        with _beside(path, data) as temporary:
            os.replace(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise _cannot_be_written(path, error) from error


def write_output(path: Path, data: bytes) -> None:
    """Write a file that a person named, as the system makes files; raises DataFolderError."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise _cannot_be_written(path, error) from error


def write_once(path: Path, data: bytes) -> None:
    """Write a private file unless it exists: a file that another process made meanwhile stays.
    Raises DataFolderError."""
    try:
        with _beside(path, data) as temporary:
            _link_once(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise _cannot_be_written(path, error) from error


def _link_once(temporary: str, path: Path) -> None:
    """Give the file its name unless another has it. Where there are no hard links (FAT, Android,
    whose Python has no os.link) it is renamed: that would replace another file, so one process at a
    time looks and renames, under a lock."""
    if hasattr(os, "link"):
        try:
            os.link(temporary, path)
        except FileExistsError:
            return
        except OSError:
            pass  # no hard links here; which error says so differs between file systems
        else:
            return
    handle = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(handle, "wb") as file:
        take_lock(file, wait=True)
        if not path.exists():
            os.replace(temporary, path)


def take_lock(file: IO[Any], wait: bool = False) -> None:
    """Lock an open file or raise OSError; the system frees the lock when the file is closed or the
    process ends, however it ends."""
    if sys.platform == "win32":
        import msvcrt

        # The first byte, which need not exist. Waiting tries ten times in ten seconds.
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


def remove(path: Path) -> None:
    """Delete a file, whether or not it exists; raises DataFolderError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise DataFolderError(
            "{file} cannot be deleted ({why}).", file=str(path), why=why(error)
        ) from error


def read_file(path: Path) -> bytes:
    """Read a regular file of at most LARGEST_FILE bytes; raises DataFolderError with one
    sentence."""
    try:
        with open_file(path) as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise cannot_be_read(path, why(error)) from error
    if len(data) > LARGEST_FILE:
        raise DataFolderError(
            "{file} is larger than {n} bytes, so it is not a file of p2p304.",
            file=str(path),
            n=LARGEST_FILE,
        )
    return data


def open_file(path: Path) -> BinaryIO:
    """Open a regular file to read it. Anything else is refused with a DataFolderError before a byte
    is read: reading a pipe may block, and reading a device may never end."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY
    try:
        handle = os.open(path, flags)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise DataFolderError("{file} is not a regular file.", file=str(path))
            return os.fdopen(handle, "rb")
        except BaseException:
            os.close(handle)
            raise
    except FileNotFoundError as error:
        raise DataFolderError("The file {file} does not exist.", file=str(path)) from error
    except (OSError, ValueError) as error:
        reason = why(error) if isinstance(error, OSError) else str(error)
        raise cannot_be_read(path, reason) from error


@contextlib.contextmanager
def _beside(path: Path, data: bytes) -> Iterator[str]:
    """Write a synced private file in the same folder; it is removed afterwards in any case."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        try:
            _write(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        yield temporary
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _write(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _sync_folder(folder: Path) -> None:
    """Sync the folder: a file's name is on disk only when its folder is."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def why(error: OSError) -> str:
    """Describe an error in the system's words, as a part of a sentence."""
    return (error.strerror or str(error)).lower()
