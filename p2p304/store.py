"""What stays on disk: the identity, the players met, the transcripts.

Owns files and their permissions (SPEC.md, "Files"). Every trouble is a StoreError with one
sentence for a person. It knows no network and no rule.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import IO

import platformdirs

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.transcript import SUFFIX

HOME_VARIABLE = "P2P304_HOME"
_SEED = 32


class StoreError(Exception):
    """Something cannot be read or written; one sentence says what and what to do."""


@dataclass(frozen=True, slots=True)
class Met:
    """What is known of a nickname: True if this key was met before, and whether the nickname
    belongs to another key (then it is a stranger)."""

    known: bool
    stranger: bool


class Store:
    """The data folder (0700) of one player; only one node at a time uses it (`lock`)."""

    def __init__(self, home: Path | None = None) -> None:
        given = os.environ.get(HOME_VARIABLE)
        default = Path(given) if given else Path(platformdirs.user_data_dir("p2p304", False))
        self.home = home or default
        self._lock: IO[str] | None = None
        try:
            self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
            (self.home / "games").mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            raise StoreError(
                f"The data folder {self.home} cannot be used ({_why(error)}): "
                "choose another one with --home."
            ) from error

    def lock(self) -> None:
        """Take the folder for this process; raises StoreError if another node has it."""
        try:
            file = (self.home / "lock").open("w")
        except OSError as error:
            raise StoreError(
                f"The data folder {self.home} cannot be written to ({_why(error)}): "
                "choose another one with --home."
            ) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.close()
            raise StoreError(
                f"Another p2p304 uses the data folder {self.home}: close it, or choose another "
                "folder with --home."
            ) from error
        self._lock = file

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # Identity

    def identity(self) -> SigningKey:
        """The player's key, made at first use: 32 bytes in ``identity`` (mode 0600)."""
        path = self.home / "identity"
        if not path.exists():
            write_whole(path, Rng.system().bytes(_SEED))
        try:
            mode, seed = path.stat().st_mode & 0o777, path.read_bytes()
        except OSError as error:
            raise StoreError(f"The identity {path} cannot be read ({_why(error)}).") from error
        if mode & 0o077:
            raise StoreError(f"Others can read your identity: run  chmod 600 {path}")
        if len(seed) != _SEED:
            raise StoreError(f"{path} is not an identity: restore it, or move it away.")
        return SigningKey.from_seed(seed)

    def nick(self, wanted: str | None) -> str:
        """The nickname: the one given, which is remembered, or the last one, or the login."""
        path = self.home / "nick"
        if wanted is not None:
            write_whole(path, wanted.encode())
            return wanted
        try:
            return path.read_text().strip()
        except (OSError, UnicodeDecodeError):
            return os.environ.get("USER", "player").capitalize()[:32]

    # Players met

    def meet(self, nick: str, key: bytes) -> Met:
        """Remember a player; tells whether it was known, or uses another one's nickname."""
        path = self.home / "players.jsonl"
        rows = self._players(path)
        known = any(row["key"] == key.hex() for row in rows)
        stranger = not known and any(row["nick"] == nick for row in rows)
        if not known:
            row = {"key": key.hex(), "nick": nick, "met": date.today().isoformat()}
            self._append(path, (json.dumps(row, ensure_ascii=False) + "\n").encode(), True)
        return Met(known, stranger)

    def _players(self, path: Path) -> list[dict[str, str]]:
        if not path.exists():
            return []
        rows = []
        try:
            for line in path.read_text().splitlines():
                row = json.loads(line)
                if isinstance(row, dict) and isinstance(row.get("key"), str):
                    rows.append({"key": row["key"], "nick": str(row.get("nick", ""))})
        except (OSError, ValueError) as error:
            raise StoreError(f"{path} cannot be read: mend it, or move it away.") from error
        return rows

    # Games

    def game(self, table: str) -> Game:
        """The files of one table, named by its identifier's first digits."""
        return Game(self.home / "games" / table[:16])

    def _append(self, path: Path, data: bytes, sync: bool) -> None:
        append(path, data, sync)


@dataclass(frozen=True, slots=True)
class Game:
    """A table's files: ``STEM.304`` for strangers, ``STEM.journal`` for coming back."""

    stem: Path

    @property
    def transcript(self) -> Path:
        return self.stem.with_suffix(SUFFIX)

    def persist(self, name: str, data: bytes) -> None:
        """Append; synced, but for the transcript, which the journal can remake."""
        transcript = name == "transcript"
        append(self.transcript if transcript else self.stem.with_suffix(f".{name}"), data,
               sync=not transcript)  # fmt: skip


def append(path: Path, data: bytes, sync: bool) -> None:
    """Append to a private file, on disk when it returns if ``sync``; raises StoreError."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
            if sync:
                os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({_why(error)}): the game stops.") from error


def write_whole(path: Path, data: bytes) -> None:
    """Replace a private file at one stroke: never half of it is there; raises StoreError."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({_why(error)}).") from error


def read_file(path: Path) -> bytes:
    """A file's bytes; raises StoreError with one sentence."""
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise StoreError(f"There is no file {path}.") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({_why(error)}).") from error


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
