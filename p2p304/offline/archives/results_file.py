"""A file of results that were reached before, so that stopped work goes on where it was.

Responsible for the file: a line of JSON for each result, found by the digest of the bytes that it
is about, and only for the program that made it (program.py). What a result says is audited.py's.
Anybody who can write the file can write false results into it; docs/auditing.md says so.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any, Final, Self

from p2p304.offline.archives.program import program_digest
from p2p304.storage.files import DataFolderError, take_lock, why
from p2p304.storage.json_files import hexadecimal, parse_json
from p2p304.wire.forms import Malformed, anything, exactly, number, string

KIND: Final = "p2p304 audit results"
LONGEST_LINE: Final = 64 * 1024 * 1024
_HEAD: Final = exactly({"kind": string(), "program": string()})
_LINE: Final = exactly(
    {"file": string(), "size": number(0), "sha256": hexadecimal(32), "result": anything()}
)


def _unusable(path: Path, reason: str) -> DataFolderError:
    return DataFolderError("{file} cannot be used ({why}).", file=str(path), why=reason)


class ResultsFile:
    """An open file of results; one process at a time has it. Raises DataFolderError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[bytes, int] = {}
        self._sizes: set[int] = set()
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
            self._file = os.fdopen(handle, "r+b")
        except (OSError, ValueError) as error:
            reason = why(error) if isinstance(error, OSError) else str(error)
            raise _unusable(path, reason) from error
        try:
            self._begin()
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def __len__(self) -> int:
        return len(self._places)

    def has_size(self, size: int) -> bool:
        """Whether there is a result about a file of so many bytes: only then is a file worth
        reading for its digest."""
        return size in self._sizes

    def find(self, digest: str) -> Any:
        """Return the result about the file with this SHA-256, or None."""
        place = self._places.get(bytes.fromhex(digest))
        if place is None:
            return None
        try:
            self._file.seek(place)
            return parse_json(_LINE, self._file.readline(LONGEST_LINE))["result"]
        except (OSError, Malformed):
            return None  # somebody changed the file meanwhile: the work is done again

    def add(self, name: str, size: int, digest: str, result: Any) -> None:
        """Keep a result; raises DataFolderError."""
        row = {"file": name, "size": size, "sha256": digest, "result": result}
        self._write(row, bytes.fromhex(digest), size)

    def _close(self) -> None:
        """Close the file. What could not be written was said at once; closing tries it again."""
        with contextlib.suppress(OSError):
            self._file.close()

    def _begin(self) -> None:
        try:
            take_lock(self._file)
        except OSError as error:
            raise DataFolderError(
                "{file} is used by another audit. Wait for it, or choose another file.",
                file=str(self._path),
            ) from error
        try:
            head = self._file.readline(LONGEST_LINE)
            if head and self._program(head) != program_digest():
                self._file.seek(0)
                self._file.truncate()
                head = b""
            if not head:
                self._write({"kind": KIND, "program": program_digest()})
            self._read_lines()
        except OSError as error:
            raise _unusable(self._path, why(error)) from error

    def _program(self, head: bytes) -> str:
        """Return which program made the file. Any other file is left alone."""
        try:
            fields = parse_json(_HEAD, head)
            if fields["kind"] == KIND and head.endswith(b"\n"):
                return str(fields["program"])
        except Malformed:
            pass
        raise DataFolderError(
            "{file} holds no results of an audit, so it is not touched. Choose another name for "
            "them.",
            file=str(self._path),
        )

    def _read_lines(self) -> None:
        """Note where each result stands. A line that a stop left unfinished is cut off; a damaged
        one is passed over."""
        place = self._file.tell()
        while line := self._file.readline(LONGEST_LINE):
            if not line.endswith(b"\n"):
                self._file.truncate(place)
                return
            try:
                fields = parse_json(_LINE, line)
            except Malformed:
                pass
            else:
                self._places[fields["sha256"]] = place
                self._sizes.add(fields["size"])
            place += len(line)

    def _write(self, row: dict[str, Any], digest: bytes | None = None, size: int = 0) -> None:
        try:
            place = self._file.seek(0, os.SEEK_END)
            self._file.write(json.dumps(row).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise DataFolderError(
                "{file} cannot be written ({why}).", file=str(self._path), why=why(error)
            ) from error
        if digest is not None:
            self._places[digest] = place
            self._sizes.add(size)
