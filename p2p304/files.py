"""Files written so that a crash, a full disk or another user cannot spoil them.

Owns private modes (0600), syncing, replacing at one stroke, and the one sentence that a person
is told when a file cannot be used. It does not know what is in a file.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path


class StoreError(Exception):
    """Something cannot be read or written; one sentence says what and what to do."""


def append(path: Path, data: bytes, sync: bool) -> None:
    """Append to a private file, on disk when it returns if ``sync``; raises StoreError."""
    try:
        fresh = not path.exists()
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            _write(handle, data)
            if sync:
                os.fsync(handle)
        finally:
            os.close(handle)
        if fresh and sync:
            _sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({why(error)}): the game stops.") from error


def truncate(path: Path, size: int) -> None:
    """Shorten a file, on disk when it returns; raises StoreError."""
    try:
        with path.open("r+b") as file:
            file.truncate(size)
            os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(f"{path} cannot be mended ({why(error)}).") from error


def write_whole(path: Path, data: bytes) -> None:
    """Replace a private file at one stroke: never half of it is there; raises StoreError."""
    try:
        with _beside(path, data) as temporary:
            os.replace(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({why(error)}).") from error


def write_once(path: Path, data: bytes) -> None:
    """The same for a file that is there only if nobody else made it meanwhile: what is there
    already stays. Raises StoreError."""
    try:
        with _beside(path, data) as temporary, contextlib.suppress(FileExistsError):
            os.link(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({why(error)}).") from error


def remove(path: Path) -> None:
    """Make a file be gone, whether or not it was there; raises StoreError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path} cannot be removed ({why(error)}).") from error


def read_file(path: Path) -> bytes:
    """A file's bytes; raises StoreError with one sentence."""
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise StoreError(f"There is no file {path}.") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({why(error)}).") from error


@contextlib.contextmanager
def _beside(path: Path, data: bytes) -> Iterator[str]:
    """A synced private file in the same folder; gone afterwards, whatever happened."""
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
    """A name is on disk only when its folder is."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def why(error: OSError) -> str:
    """What the system says, fit to stand within a sentence."""
    return (error.strerror or str(error)).lower()
