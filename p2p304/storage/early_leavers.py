"""Players who left a table before its first hand was over: the bytes of ``early_leavers.jsonl``.

Responsible for which players are noted and for how long (SPEC.md, "The draw" and "Files"). Opens no
files: data_folder.py does, and json_files.py knows JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from p2p304.storage.json_files import encode_lines, hexadecimal, moment, parse_lines
from p2p304.wire.forms import of, one_of, optional, record

CAUSES = ("left", "lost", "late", "parted", "fault")
"""The values of `LeaverCause` (rules/variants/absence.py), which few commands load."""
REMEMBERED = timedelta(hours=12)
"""How long a note counts: an evening."""


@dataclass(frozen=True, slots=True)
class Leaver:
    """A player's key and the table's identifier, when it was noted, and why (None: an earlier
    version did not say)."""

    key: bytes = of(hexadecimal(32))
    table: bytes = of(hexadecimal(32))
    when: datetime = of(moment())
    cause: str | None = optional(one_of(*CAUSES))


_LINE = record(Leaver)


@dataclass(slots=True)
class EarlyLeavers:
    """Notes in the order in which they were made."""

    rows: list[Leaver] = field(default_factory=list)

    @classmethod
    def from_bytes(cls, data: bytes) -> EarlyLeavers:
        """Parse the lines of the file; raises DamagedLine."""
        return cls(parse_lines(_LINE, data))

    def to_bytes(self) -> bytes:
        return encode_lines(_LINE, self.rows)

    def note(self, key: bytes, table: bytes, cause: str, now: datetime) -> None:
        """Note a player once for one table; expired notes are dropped."""
        self.rows = [row for row in self.rows if _is_current(row, now)]
        if not any((row.key, row.table) == (key, table) for row in self.rows):
            self.rows.append(Leaver(key, table, now.astimezone(UTC), cause))

    def forget(self, table: bytes) -> bool:
        """Drop the notes of a table whose first hand is over; returns whether there were any."""
        left = [row for row in self.rows if row.table != table]
        had = len(left) < len(self.rows)
        self.rows = left
        return had

    def causes(self, now: datetime) -> dict[bytes, str | None]:
        """Return the players whose notes have not expired, with the cause of the last note."""
        return {row.key: row.cause for row in self.rows if _is_current(row, now)}


def _is_current(row: Leaver, now: datetime) -> bool:
    """Whether a note has not expired. A note from the future, after a clock was set back, is
    current."""
    return now - row.when < REMEMBERED
