"""Players who left a table before its first hand was over: the bytes of ``early_leavers.jsonl``.

Responsible for which players are noted and for how long (SPEC.md, "The draw" and "Files"). Opens no
files; data_folder.py does.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

REMEMBERED = timedelta(hours=12)
"""How long a note counts: an evening."""
_HEX = frozenset("0123456789abcdef")


class NotALeaversFile(ValueError):
    """These lines were not written by this program; the message says which line."""


@dataclass(frozen=True, slots=True)
class Leaver:
    """A player's key and the table's identifier (64 hex digits each), and when it was noted."""

    key: str
    table: str
    when: datetime


@dataclass(slots=True)
class EarlyLeavers:
    """Notes in the order in which they were made."""

    rows: list[Leaver] = field(default_factory=list)

    @classmethod
    def from_bytes(cls, data: bytes) -> EarlyLeavers:
        """Parse one JSON object per line; raises NotALeaversFile."""
        lines = enumerate(data.split(b"\n"), start=1)
        return cls([_row(line, number) for number, line in lines if line.strip()])

    def to_bytes(self) -> bytes:
        lines = (
            {"key": row.key, "table": row.table, "when": row.when.isoformat()} for row in self.rows
        )
        return "".join(json.dumps(line) + "\n" for line in lines).encode()

    def note(self, key: bytes, table: bytes, now: datetime) -> None:
        """Note a player once for one table; expired notes are dropped."""
        self.rows = [row for row in self.rows if _is_current(row, now)]
        if not any((row.key, row.table) == (key.hex(), table.hex()) for row in self.rows):
            self.rows.append(Leaver(key.hex(), table.hex(), now.astimezone(UTC)))

    def forget(self, table: bytes) -> bool:
        """Drop the notes of a table whose first hand is over; returns whether there were any."""
        left = [row for row in self.rows if row.table != table.hex()]
        had = len(left) < len(self.rows)
        self.rows = left
        return had

    def keys(self, now: datetime) -> frozenset[bytes]:
        """Return the players whose notes have not expired."""
        return frozenset(bytes.fromhex(row.key) for row in self.rows if _is_current(row, now))


def _is_current(row: Leaver, now: datetime) -> bool:
    """Whether a note has not expired. A note from the future, after a clock was set back, is
    current."""
    return now - row.when < REMEMBERED


def _row(line: bytes, number: int) -> Leaver:
    try:
        value = json.loads(line)
        key, table, when = (value[name] for name in ("key", "table", "when"))
        noted = datetime.fromisoformat(when)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise NotALeaversFile(f"line {number}, is damaged") from error
    for digits in (key, table):
        if not isinstance(digits, str) or len(digits) != 64 or not _HEX.issuperset(digits):
            raise NotALeaversFile(f"line {number}, is damaged")
    if noted.tzinfo is None:
        raise NotALeaversFile(f"line {number}, is damaged")
    return Leaver(key, table, noted)
