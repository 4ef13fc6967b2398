"""Journals: records appended one after the other, each there whole or not at all.

Owns the bytes around a record (SPEC.md, "Files"): 4 bytes big-endian of length, 4 of CRC-32 of
the data, the data. It does not know what a record says.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from p2p304.files import StoreError, append, read_file, truncate

MAX_RECORD: Final = 1024 * 1024
_HEAD: Final = 8


@dataclass(frozen=True, slots=True)
class Journal:
    """A file of records. After a crash: `mend` before the first `append`."""

    path: Path

    def append(self, data: bytes) -> None:
        """One record of 1 byte to 1 MiB, on disk when it returns; raises StoreError."""
        if not 1 <= len(data) <= MAX_RECORD:
            raise ValueError(f"{len(data)} bytes are no record")
        head = len(data).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big")
        append(self.path, head + data, sync=True)

    def records(self) -> list[bytes]:
        """All whole records, oldest first; one that a crash left half written at the end is
        left out. Raises StoreError for any other damage: no crash does that."""
        return self._read()[0]

    def mend(self) -> int:
        """Cut off what a crash left half written at the end; returns how many bytes."""
        records, size = self._read()
        whole = sum(_HEAD + len(record) for record in records)
        if whole < size:
            truncate(self.path, whole)
        return size - whole

    def _read(self) -> tuple[list[bytes], int]:
        data = read_file(self.path) if self.path.exists() else b""
        records, at = [], 0
        while (record := _record(data, at)) is not None:
            records.append(record)
            at += _HEAD + len(record)
        if not _is_torn(data, at):
            raise StoreError(f"{self.path} is damaged at byte {at}: restore it from a copy.")
        return records, len(data)


def _record(data: bytes, at: int) -> bytes | None:
    size = int.from_bytes(data[at : at + 4], "big")
    record = data[at + _HEAD : at + _HEAD + size]
    check = int.from_bytes(data[at + 4 : at + _HEAD], "big")
    whole = 1 <= size <= MAX_RECORD and len(record) == size and zlib.crc32(record) == check
    return record if whole else None


def _is_torn(data: bytes, at: int) -> bool:
    """Whether what follows the whole records is one record that was being written: cut short,
    or of full length with blocks that never reached the disk."""
    rest = data[at:]
    size = int.from_bytes(rest[:4], "big")
    if len(rest) < _HEAD or not rest.strip(b"\0"):
        return True
    return 1 <= size <= MAX_RECORD and _HEAD + size >= len(rest)
