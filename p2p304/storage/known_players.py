"""The players met: which key used which nickname, first and last.

Responsible for the bytes of ``players.jsonl`` (SPEC.md, "Files") and for the owner of a nickname:
the key that used it first. Opens no files and knows no network; data_folder.py reads and writes the
file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from p2p304.wire.names import are_alike

MOST_UNFINISHED = 100
"""Tables noted for one player; older ones are forgotten."""
_TABLE = 16


class NotAPlayersFile(ValueError):
    """These lines were not written by this program; the message says which line."""


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
    """One key under one nickname, and when (ISO 8601, UTC, to the second)."""

    key: str
    nick: str
    first: str
    last: str
    unfinished: tuple[str, ...] = ()
    """Identifiers (16 hex digits) of tables that this key has left unfinished."""


@dataclass(slots=True)
class Players:
    """Rows in the order of first meeting. If a person removes a row, in any editor, the nickname
    goes to the next key that used it."""

    rows: list[KnownPlayer] = field(default_factory=list)

    @classmethod
    def from_bytes(cls, data: bytes) -> Players:
        """Parse one JSON object per line; raises NotAPlayersFile."""
        rows = []
        for number, line in enumerate(data.split(b"\n"), start=1):
            if line.strip():
                rows.append(_row(line, number))
        return cls(rows)

    def to_bytes(self) -> bytes:
        """Encode the lines of the file, with readable nicknames."""
        lines = (
            {
                "fingerprint": " ".join(row.key[i : i + 4] for i in range(0, 16, 4)),
                "nick": row.nick,
                "first_met": row.first,
                "last_met": row.last,
                "key": row.key,
                **({"unfinished": list(row.unfinished)} if row.unfinished else {}),
            }
            for row in self.rows
        )
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()

    def look(self, nick: str, key: bytes) -> Acquaintance:
        """Return what is known, without a note of it."""
        known = any(row.key == key.hex() for row in self.rows)
        owner = next((row.key for row in self.rows if are_alike(row.nick, nick)), key.hex())
        left = {table for row in self.rows if row.key == key.hex() for table in row.unfinished}
        return Acquaintance(known, owner != key.hex(), len(left))

    def note_unfinished(self, key: bytes, table: bytes) -> None:
        """Note once that a known player has left this table unfinished."""
        index = next((n for n, row in enumerate(self.rows) if row.key == key.hex()), None)
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
            if row.key == key.hex() and row.nick == nick:
                self.rows[index] = replace(row, last=when)
                break
        else:
            self.rows.append(KnownPlayer(key.hex(), nick, when, when))
        return met


def _row(line: bytes, number: int) -> KnownPlayer:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise NotAPlayersFile(f"line {number}, is damaged") from error
    names = {"fingerprint", "nick", "first_met", "last_met", "key"}
    if not isinstance(value, dict) or set(value) - {"unfinished"} != names:
        raise NotAPlayersFile(f"line {number}, has unexpected fields")
    tables = value.get("unfinished", [])
    marks = isinstance(tables, list) and all(isinstance(mark, str) for mark in tables)
    if not marks or not all(isinstance(value[name], str) for name in names):
        raise NotAPlayersFile(f"line {number}, is damaged")
    key = value["key"]
    if len(key) != 64 or any(digit not in "0123456789abcdef" for digit in key):
        raise NotAPlayersFile(f"line {number}, has no key")
    return KnownPlayer(key, value["nick"], value["first_met"], value["last_met"], tuple(tables))
