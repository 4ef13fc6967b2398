"""Journals: files of records, appended one after the other; each record is whole or absent.

Responsible for the bytes around a record (SPEC.md, "Files"), and for telling a half-written record
at the end, which a crash leaves, from all other damage. The meaning of records is
table/exchange/journal_records.py's; the folder's lock is data_folder.py's.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, cast

from p2p304.rules.core.phrases import english
from p2p304.storage.files import (
    DataFolderError,
    append,
    cannot_be_read,
    open_file,
    truncate,
    why,
    write_whole,
)

MAX_RECORD: Final = 1024 * 1024
MARK: Final = b"p304"
"""Begins every record."""
END: Final = b"\n"
"""Ends every record. Because of it and the mark, no sector at either end of a whole record is all
zeros."""
HEAD: Final = 20
LONGEST: Final = HEAD + MAX_RECORD + len(END)
"""The most bytes of one record, with its frame."""
SECTOR: Final = 512
"""Bytes that a disk writes at once: a write that a crash stopped leaves whole sectors."""


class _Extent(NamedTuple):
    """The number of whole records in a file, where they end, and the size of the file."""

    number: int
    whole: int
    size: int


class Journal:
    """A file of records. One object writes to a file at a time, under the folder's lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._end: tuple[int, int] | None = None
        """The number of records and the size of the file after the last `append` from here."""

    def records(self) -> list[bytes]:
        """Return all whole records, oldest first; writes nothing. A half-written record at the end
        is left out. Raises DataFolderError for any other damage."""
        return list(self)

    def __iter__(self) -> Generator[bytes, None, _Extent]:
        """Yield the same, one after the other, so that a long journal needs no more memory than a
        short one; return how far they reach."""
        if not self.path.exists():
            return _Extent(0, 0, 0)
        number = whole = at = 0
        window = b""
        with open_file(self.path) as file:
            while True:
                if len(window) - at <= LONGEST:
                    window, at = window[at:], 0
                    window += self._next_bytes(file)
                record = _record(window, at, number)
                if record is None:
                    break
                yield record
                size = HEAD + len(record) + len(END)
                number, whole, at = number + 1, whole + size, at + size
        rest = window[at:]
        if not _is_torn(rest, whole, number):
            raise self._damaged(
                whole, english("a crash does not cause this: the disk may be failing")
            )
        return _Extent(number, whole, whole + len(rest))

    def _next_bytes(self, file: BinaryIO) -> bytes:
        try:
            return file.read(LONGEST + 1)  # one more: `_is_torn` asks whether anything follows
        except OSError as error:
            raise cannot_be_read(self.path, why(error)) from error

    def _extent(self) -> _Extent:
        records = iter(self)
        while True:
            try:
                next(records)
            except StopIteration as end:
                return cast(_Extent, end.value)

    def mend(self) -> int:
        """Cut off a half-written record at the end; returns how many bytes. Only for the holder of
        the folder's lock. Raises DataFolderError, and writes nothing, for any other damage."""
        number, whole, size = self._extent()
        if whole < size:
            truncate(self.path, whole)
        self._end = (number, whole)
        return size - whole

    def append(self, data: bytes) -> None:
        """Write one record of 1 byte to 1 MiB, on disk when it returns. Raises DataFolderError,
        also if the file ends in half a record, or does not end where the last `append` of this
        object ended: then another program has written to it, or a write has failed."""
        _check_size(data)
        end = self._end
        if end is None:
            number, whole, size = self._extent()
            if whole < size:
                raise self._damaged(whole, english("its last record is incomplete"))
            end = number, whole
        number, size = end
        if self._size() != size:
            raise self._damaged(min(size, self._size()), english("its content was changed"))
        framed = frame(number, data)
        append(self.path, framed, sync=True)
        self._end = (number + 1, size + len(framed))

    def replace(self, records: list[bytes]) -> None:
        """Replace all records atomically, on disk when it returns; raises DataFolderError."""
        for data in records:
            _check_size(data)
        whole = b"".join(frame(number, data) for number, data in enumerate(records))
        write_whole(self.path, whole)
        self._end = (len(records), len(whole))

    def _size(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise cannot_be_read(self.path, why(error)) from error

    def _damaged(self, offset: int, reason: str) -> DataFolderError:
        return DataFolderError(
            "{file} is damaged at byte {n} ({why}). It was not changed. Give the table up with  "
            "p2p304 resume --forget --table  and the first digits of its number.",
            file=str(self.path),
            n=offset,
            why=reason,
        )


def frame(number: int, data: bytes) -> bytes:
    """Return the record with its frame: `MARK`; the record's number, the length of its data and
    their CRC-32, 4 bytes big-endian each; the CRC-32 of those 16 bytes; the data; `END`."""
    head = MARK + _four(number) + _four(len(data)) + _four(zlib.crc32(data))
    return head + _four(zlib.crc32(head)) + data + END


def _four(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _check_size(data: bytes) -> None:
    if not 1 <= len(data) <= MAX_RECORD:
        raise ValueError(f"{len(data)} bytes are not a record")


def _length(data: bytes, offset: int, number: int | None) -> int | None:
    """Return the length that a valid header states, of the record with this number (None: any)."""
    head = data[offset : offset + HEAD]
    if len(head) < HEAD or not head.startswith(MARK):
        return None
    found, length, check = (int.from_bytes(head[n : n + 4], "big") for n in (4, 8, 16))
    sound = zlib.crc32(head[:16]) == check and number in (None, found)
    return length if sound and 1 <= length <= MAX_RECORD else None


def _record(data: bytes, offset: int, number: int | None) -> bytes | None:
    """Return the whole record at this position, or None."""
    length = _length(data, offset, number)
    if length is None:
        return None
    end = offset + HEAD + length
    record = data[offset + HEAD : end]
    check = int.from_bytes(data[offset + 12 : offset + 16], "big")
    whole = data[end : end + len(END)] == END and zlib.crc32(record) == check
    return record if whole else None


def _is_torn(rest: bytes, offset: int, number: int) -> bool:
    """Whether nothing, or one half-written record, follows the whole records. ``rest`` is what
    follows them, from ``offset`` in the file on; of more than LONGEST bytes one more will do.

    A crash leaves the record cut short, or of its full length with sectors that never reached the
    disk and read as zeros. Everything else is damage, also a torn record that another record
    follows.
    """
    length = _length(rest, 0, number)
    if len(rest) < HEAD:
        begun = MARK + _four(number)
        return rest[: len(begun)] == begun[: len(rest)] or not rest.strip(b"\0")
    if length is not None and len(rest) < HEAD + length + len(END):
        return True
    if length is not None and len(rest) > HEAD + length + len(END):
        return False
    if len(rest) > LONGEST:
        return False
    return _lacks_a_sector(rest, offset) and not _holds_a_record(rest)


def _lacks_a_sector(rest: bytes, offset: int) -> bool:
    """Whether all of ``rest`` that lies in one sector is zeros; it begins at byte ``at``."""
    first = SECTOR - offset % SECTOR
    starts = (0, *range(first, len(rest), SECTOR))
    ends = (*starts[1:], len(rest))
    return any(not rest[start:end].strip(b"\0") for start, end in zip(starts, ends, strict=True))


def _holds_a_record(rest: bytes) -> bool:
    """Whether a whole record, with any number, begins after the first byte."""
    offset = rest.find(MARK, 1)
    while offset >= 0:
        if _record(rest, offset, None) is not None:
            return True
        offset = rest.find(MARK, offset + 1)
    return False
