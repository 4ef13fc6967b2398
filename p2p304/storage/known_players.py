"""The players met: which key used which nickname, first and last.

Responsible for the bytes of ``players.jsonl`` (SPEC.md, "Files") and for the owner of a nickname:
the key that used it first. Opens no files and knows no network; data_folder.py reads and writes the
file, and json_files.py knows JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from p2p304.storage.json_files import encode_lines, hexadecimal, parse_lines
from p2p304.wire.forms import many, of, optional, record, string
from p2p304.wire.names import are_alike

MOST_UNFINISHED = 100
"""Tables noted for one player; older ones are forgotten."""
_TABLE = 16


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """What is known of a player: whether this key was met before, under any nickname, and whether
    the nickname belongs to another key (then the player is a stranger)."""

    known: bool
    stranger: bool
    unfinished: int = 0
    """Tables that this key has left unfinished."""


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """One key under one nickname, and when (ISO 8601, UTC, to the second). The fingerprint, four
    groups of the key's first digits, is for people alone."""

    fingerprint: str = of(string())
    nick: str = of(string())
    first: str = of(string(), "first_met")
    last: str = of(string(), "last_met")
    key: bytes = of(hexadecimal(32))
    unfinished: tuple[str, ...] = optional(many(string()), ())
    """Identifiers (16 hex digits) of tables that this key has left unfinished."""


_LINE = record(KnownPlayer)


@dataclass(slots=True)
class Players:
    """Rows in the order of first meeting. If a person removes a row, in any editor, the nickname
    goes to the next key that used it."""

    rows: list[KnownPlayer] = field(default_factory=list)

    @classmethod
    def from_bytes(cls, data: bytes) -> Players:
        """Parse the lines of the file; raises DamagedLine."""
        return cls(parse_lines(_LINE, data))

    def to_bytes(self) -> bytes:
        """Encode the lines of the file, with readable nicknames."""
        return encode_lines(_LINE, self.rows)

    def look(self, nick: str, key: bytes) -> Acquaintance:
        """Return what is known, without a note of it."""
        known = any(row.key == key for row in self.rows)
        owner = next((row.key for row in self.rows if are_alike(row.nick, nick)), key)
        left = {table for row in self.rows if row.key == key for table in row.unfinished}
        return Acquaintance(known, owner != key, len(left))

    def note_unfinished(self, key: bytes, table: bytes) -> None:
        """Note once that a known player has left this table unfinished."""
        index = next((n for n, row in enumerate(self.rows) if row.key == key), None)
        mark = table.hex()[:_TABLE]
        if index is not None and mark not in self.rows[index].unfinished:
            tables = (*self.rows[index].unfinished, mark)[-MOST_UNFINISHED:]
            self.rows[index] = replace(self.rows[index], unfinished=tables)

    def forget_unfinished(self, table: bytes) -> bool:
        """Forget that: the table was finished after all. Returns whether anything was noted."""
        mark, before = table.hex()[:_TABLE], list(self.rows)
        for index, row in enumerate(self.rows):
            if mark in row.unfinished:
                left = tuple(one for one in row.unfinished if one != mark)
                self.rows[index] = replace(row, unfinished=left)
        return self.rows != before

    def meet(self, nick: str, key: bytes, now: datetime) -> Acquaintance:
        """Note a meeting; returns what was known before it."""
        when = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        met = self.look(nick, key)
        for index, row in enumerate(self.rows):
            if row.key == key and row.nick == nick:
                self.rows[index] = replace(row, last=when)
                break
        else:
            self.rows.append(KnownPlayer(key[:8].hex(" ", 2), nick, when, when, key))
        return met
