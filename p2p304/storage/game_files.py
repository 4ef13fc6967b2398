"""The files of one table: transcript, journal, secrets, own cards and what proves a fault.

Responsible for which file is written how, and for who may read it. What a record means is
table/exchange/journal_records.py's; which tables there are is data_folder.py's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from p2p304.log.transcript import MAGIC, SUFFIX
from p2p304.rules.core.phrases import english
from p2p304.storage.files import DataFolderError, append, open_file, read_file, remove, write_whole
from p2p304.storage.journal import Journal

EVIDENCE_SUFFIX = ".evidence"
"""The name of a proven fault's file, beside the transcript."""


@dataclass(frozen=True, slots=True)
class Game:
    """A table's files: ``STEM.304`` is the public transcript, ``STEM.journal`` is for resuming.
    Each is independent: damage is reported when that file is read, and affects no other table."""

    stem: Path
    locked: Callable[[], AbstractContextManager[None]] = field(compare=False, repr=False)
    """Holds the folder's lock while a journal is mended."""
    _journals: dict[str, Journal] = field(default_factory=dict, compare=False, repr=False)
    _mended: set[str] = field(default_factory=set, compare=False, repr=False)

    @property
    def transcript(self) -> Path:
        return self.stem.with_suffix(SUFFIX)

    def read_transcript(self, offset: int, size: int) -> bytes:
        """Return these bytes of the transcript; fewer if the file ends before, or cannot be read.
        The log notices that (log/transcript.py)."""
        try:
            with open_file(self.transcript) as file:
                file.seek(offset)
                return file.read(size)
        except (DataFolderError, OSError):
            return b""

    @property
    def journal(self) -> Journal:
        return self._journal("journal")

    def said_of_parting(self) -> list[bytes]:
        """Return what this player has signed about ending the table without an absent player."""
        return self._journal("parting").records()

    def secrets(self) -> bytes | None:
        """Return the record of the player's secrets at this table, None once they are erased."""
        path = self.part("secrets")
        if not path.exists():
            return None
        check_private(path, english("the secrets of a table"))
        return read_file(path)

    def part(self, name: str) -> Path:
        """Return the path of this table's file with this suffix."""
        return self.stem.with_suffix(f".{name}")

    def check_private(self) -> None:
        """Raise DataFolderError if others can read a journal, which holds secrets."""
        for path in self.stem.parent.glob(f"{self.stem.name}.*"):
            if path.suffix not in (SUFFIX, ".json", EVIDENCE_SUFFIX):
                check_private(path, english("the secrets of a table"))

    def drop(self, name: str) -> None:
        """Delete a file of this table, whether or not it exists; raises DataFolderError."""
        remove(self.part(name))
        self._journals.pop(name, None)
        self._mended.discard(name)

    def _journal(self, name: str) -> Journal:
        return self._journals.setdefault(name, Journal(self.part(name)))

    def _writer(self, name: str) -> Journal:
        """Return a journal to append to. Before the first append, half a record that a crash left
        is cut off, under the folder's lock."""
        journal = self._journal(name)
        if name not in self._mended:
            self.check_private()
            with self.locked():
                journal.mend()
            self._mended.add(name)
        return journal

    def persist(self, name: str, data: bytes) -> None:
        """Append data. The transcript is written unsynced, because it can be made again from the
        journal; data that begins like a transcript replaces it. Own cards for the history are
        unsynced too, because no play depends on them. Anything else is a record of a journal,
        synced. Secrets replace the earlier secrets, and empty data erases them."""
        if name == "transcript" and data.startswith(MAGIC):
            write_whole(self.transcript, data)
        elif name == "evidence":
            write_whole(self.stem.with_suffix(EVIDENCE_SUFFIX), data)
        elif name == "secrets" and data:
            write_whole(self.part(name), data)
        elif name == "secrets":
            remove(self.part(name))
        elif name in ("transcript", "cards"):
            append(self.transcript if name == "transcript" else self.part(name), data, sync=False)
        else:
            self._writer(name).append(data)

    def rewrite(self, name: str, records: list[bytes]) -> None:
        """Replace the records of a journal atomically; raises DataFolderError."""
        self._writer(name).replace(records)


def check_private(path: Path, what: str) -> None:
    """Raise DataFolderError if others can read this file, which holds ``what``."""
    if sys.platform != "win32" and path.stat().st_mode & 0o077:
        raise DataFolderError(
            "Other users of this computer can read {what}. Run  chmod 600 {file}  or, if its disk "
            "keeps no permissions, choose a folder on another disk with --home.",
            what=what,
            file=str(path),
        )
