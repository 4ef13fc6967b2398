"""A file that is read piece by piece, with a digest of its bytes and a count of what was read.

Responsible for reading as much as the file held when it was opened, and no more than a piece at a
time. What is in the file is log/transcript.py's.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

from p2p304.storage.files import cannot_be_read, open_file, why

PIECE: Final = 256 * 1024


class _Listener:
    """Who hears of every piece that this process reads: progress.py, or the process that shows
    it."""

    on_read: Callable[[int], None] | None = None


def tell_reads(on_read: Callable[[int], None] | None) -> None:
    """Let ``on_read`` hear how many bytes this process reads of transcripts; None: nobody."""
    _Listener.on_read = on_read


def size_of(path: Path) -> int:
    """Return the size of a file; 0 if there is none, which reading it will say."""
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


class FileReader:
    """An open file. A table that is being played may write on behind what is read. ``is_told``:
    progress goes by what is read of it."""

    def __init__(self, path: Path, is_told: bool = True) -> None:
        self._path, self._file = path, open_file(path)
        self._on_read = _Listener.on_read if is_told else None
        self.size = os.fstat(self._file.fileno()).st_size
        self._left = self.size
        self._digest = hashlib.sha256()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def read(self, size: int, /) -> bytes:
        """Read so many bytes, fewer at the end; raises DataFolderError."""
        try:
            data = self._file.read(min(size, self._left))
        except OSError as error:
            raise cannot_be_read(self._path, why(error)) from error
        self._left -= len(data)
        self._digest.update(data)
        if self._on_read is not None:
            self._on_read(len(data))
        return data

    def digest(self) -> str:
        """Read what is left, and return the SHA-256 of the whole file; raises DataFolderError."""
        while self.read(PIECE):
            pass
        return self._digest.hexdigest()
