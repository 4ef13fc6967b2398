"""The transcript of a table that is resumed: whether its file holds what the journal says.

Responsible for comparing the two block by block, so that a long table needs no more memory than a
short one, and for the bytes of the file where it must be written again. The blocks come from
journal_replay.py; reading is handed in, so there is no I/O here.
"""

from __future__ import annotations

from p2p304.log.transcript import MAGIC, Read


class RestoredTranscript:
    """Feed every block in order with `add`; `missing` then returns what is to be written."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._same = len(MAGIC) if read(0, len(MAGIC)) == MAGIC else 0
        """The bytes of the file, from its beginning, that are right."""
        self._others = bytearray(b"" if self._same else MAGIC)

    def add(self, block: bytes) -> None:
        """Take the next block as it stands in a transcript file."""
        if not self._others and self._read(self._same, len(block)) == block:
            self._same += len(block)
        else:
            self._others += block

    def missing(self) -> bytes | None:
        """Return the whole file as it must be, or None if it is so already."""
        if not self._others and not self._read(self._same, 1):
            return None
        return self._read(0, self._same) + self._others
