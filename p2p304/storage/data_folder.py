"""The data folder: the identity, the players met, the journals and transcripts.

Responsible for files and their permissions (SPEC.md, "Files"). Every trouble is a DataFolderError
with one sentence for a person. It knows no network and no rule; how files are written safely is
files.py's.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TypeVar

import platformdirs

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.transcript import SUFFIX
from p2p304.rules.core.phrases import english
from p2p304.storage.early_leavers import EarlyLeavers
from p2p304.storage.files import (
    DataFolderError,
    append,
    read_file,
    take_lock,
    why,
    write_once,
    write_whole,
)
from p2p304.storage.game_files import Game, check_private
from p2p304.storage.json_files import DamagedLine
from p2p304.storage.known_players import Acquaintance, Players
from p2p304.storage.usual_home import usual_home
from p2p304.wire.names import NAME_FORM, is_name, name_from

__all__ = ["DataFolder", "DataFolderError", "name_from_login", "read_file"]

IDENTITY_LABEL = "p2p304-identity-1"
NEW_IDENTITY = english(
    "move it to another folder and restart. You get a new identity: other players do "
    "not know it yet, and it cannot resume your unfinished tables."
)
MAX_REPORTS = 64 * 1024
"""The most bytes of reports for the developers."""
_SEED = 32
_TAKEN = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""Error numbers for a lock that another process holds."""

T = TypeVar("T")


def downloads_folder() -> Path | None:
    """Return the folder of this person's downloads, or None if there is none."""
    folder = platformdirs.user_downloads_dir()
    return Path(folder) if os.path.isdir(folder) else None  # False also where it may not be seen


def name_from_login() -> str:
    """Return a nickname made from this person's login; empty if that makes none."""
    return name_from(os.environ.get("USER") or os.environ.get("USERNAME", ""))


class DataFolder:
    """The data folder (0700) of one player; only one node at a time uses it (`lock`)."""

    def __init__(self, home: Path | None = None) -> None:
        """``home``: the folder; by default the usual one. It is made if it can be: what only reads
        works without, and `check_writable` says why the rest does not. Raises DataFolderError if
        there is a folder that cannot be read, or that other users can write to."""
        self.home = home or usual_home()
        self._lock: IO[str] | None = None
        self._games: dict[str, Game] = {}
        self._not_made: DataFolderError | None = None
        self._make()
        try:
            for folder in (self.home, self.home / "games"):
                os.listdir(folder)
        except FileNotFoundError:
            pass  # no games yet
        except OSError as error:
            raise self._unusable(error) from error

    def _make(self) -> None:
        try:
            self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
            (self.home / "games").mkdir(exist_ok=True, mode=0o700)
            open_to_others = sys.platform != "win32" and self.home.stat().st_mode & 0o022
            if open_to_others and (self.home / "identity").exists():
                raise DataFolderError(
                    "Other users of this computer can write to your data folder. Run  chmod 700 "
                    "{folder}",
                    folder=str(self.home),
                )
            if open_to_others:
                self.home.chmod(0o700)
        except OSError as error:
            self._not_made = self._unusable(error)

    def _unusable(self, error: OSError) -> DataFolderError:
        return DataFolderError(
            "The data folder {folder} cannot be used ({why}). Choose another one with --home.",
            folder=str(self.home),
            why=why(error),
        )

    def _unwritable(self, error: OSError) -> DataFolderError:
        return DataFolderError(
            "The data folder {folder} cannot be written to ({why}). Choose another one with "
            "--home.",
            folder=str(self.home),
            why=why(error),
        )

    def check_writable(self) -> None:
        """Raise DataFolderError if files cannot be made here."""
        self._check_made()
        try:
            tempfile.TemporaryFile(dir=self.home).close()
        except OSError as error:
            raise self._unwritable(error) from error

    def _check_made(self) -> None:
        if self._not_made is not None:
            raise self._not_made

    def lock(self) -> None:
        """Lock the folder for this process; raises DataFolderError if another node holds the lock.
        Does nothing if this object holds it already."""
        if self._lock is not None:
            return
        self._check_made()
        path = self.home / "lock"
        try:
            file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w")
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            take_lock(file)
        except OSError as error:
            file.close()
            if error.errno not in _TAKEN:
                raise DataFolderError(
                    "The file system of the data folder {folder} cannot lock files ({why}). Choose "
                    "a folder on another disk with --home.",
                    folder=str(self.home),
                    why=why(error),
                ) from error
            raise DataFolderError(
                "Another p2p304 is using the data folder {folder}. Close it, or choose another "
                "folder with --home.",
                folder=str(self.home),
            ) from error
        self._lock = file

    def close(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder's lock for a while, if this object does not hold it already."""
        held = self._lock is not None
        self.lock()
        try:
            yield
        finally:
            if not held:
                self.close()

    # Identity

    @property
    def has_identity(self) -> bool:
        """Whether the player's key was made."""
        return (self.home / "identity").exists()

    def identity(self) -> SigningKey:
        """Return the player's key, made at first use: ``identity`` (mode 0600), one line of a label
        and 64 hex digits, the Ed25519 seed."""
        path = self.home / "identity"
        if not self.has_identity:
            self._check_made()
            line = f"{IDENTITY_LABEL} {Rng.system().bytes(_SEED).hex()}\n"
            write_once(path, line.encode())
        if path.is_symlink() or not path.is_file():
            raise DataFolderError(
                "{file} is not a regular file: {remedy}", file=str(path), remedy=NEW_IDENTITY
            )
        data = read_file(path)
        check_private(path, english("your identity"))
        # Strictly: anything but the one line is refused, and the refusal quotes nothing.
        found = re.fullmatch(f"{IDENTITY_LABEL} ([0-9a-f]{{{2 * _SEED}}})\n".encode(), data)
        if found is None:
            raise DataFolderError(
                "{file} does not contain a valid identity: {remedy}",
                file=str(path),
                remedy=NEW_IDENTITY,
            )
        return SigningKey.from_seed(bytes.fromhex(found[1].decode()))

    def own_key(self) -> bytes | None:
        """Return the player's public key; None if the player has none yet: none is made."""
        return self.identity().public if self.has_identity else None

    def nick(self, wanted: str | None) -> str:
        """Return the nickname: the one given, which is remembered, or the last one, or the login
        name. Raises DataFolderError, and remembers nothing, if the one given is no name."""
        if wanted is not None:
            if not is_name(wanted):
                raise DataFolderError("You cannot use this nickname: {form}", form=NAME_FORM)
            self._check_made()
            write_whole(self.home / "nick", wanted.encode() + b"\n")
            return wanted
        other = f"Player {self.identity().public.hex()[:4]}"
        return self.last_nick or name_from_login() or other

    @property
    def last_nick(self) -> str | None:
        """The nickname that was chosen last; None if there is none, or if it is no name."""
        path = self.home / "nick"
        if not path.exists():
            return None
        try:
            name = read_file(path).decode().removesuffix("\n")
        except UnicodeDecodeError:
            return None
        return name if is_name(name) else None

    # Players met

    def meet(self, nick: str, key: bytes, now: datetime | None = None) -> Acquaintance:
        """Remember a player; returns whether the player was known, or uses another player's
        nickname. ``now`` is for tests."""
        players = self.players()
        met = players.meet(nick, key, now or datetime.now(UTC))
        write_whole(self._players_file, players.to_bytes())
        return met

    def look(self, nick: str, key: bytes) -> Acquaintance:
        """Return what is known of a player, without a note of it."""
        return self.players().look(nick, key)

    def players(self) -> Players:
        """Return all players met; raises DataFolderError if the file is damaged."""
        return _read_lines(self._players_file, Players.from_bytes)

    def note_unfinished(self, keys: Iterable[bytes], table: bytes) -> None:
        """Remember, by key, the players who left this table unfinished."""
        players = self.players()
        for key in keys:
            players.note_unfinished(key, table)
        write_whole(self._players_file, players.to_bytes())

    def forget_unfinished(self, table: bytes) -> None:
        """Forget them: this table was finished after all."""
        players = self.players()
        if players.forget_unfinished(table):
            write_whole(self._players_file, players.to_bytes())

    @property
    def _players_file(self) -> Path:
        return self.home / "players.jsonl"

    # Players who left early

    def note_leaver(
        self, key: bytes, table: bytes, cause: str, now: datetime | None = None
    ) -> None:
        """Remember that a player left this table before its first hand was over."""
        notes = self._leavers()
        notes.note(key, table, cause, now or datetime.now(UTC))
        write_whole(self._leavers_file, notes.to_bytes())

    def forget_leavers(self, table: bytes) -> None:
        """Forget them: the first hand of this table is over, so nobody has left before it."""
        notes = self._leavers()
        if notes.forget(table):
            write_whole(self._leavers_file, notes.to_bytes())

    def early_leavers(self, now: datetime | None = None) -> dict[bytes, str | None]:
        """Return the keys of players noted lately, and why."""
        return self._leavers().causes(now or datetime.now(UTC))

    @property
    def _leavers_file(self) -> Path:
        return self.home / "early_leavers.jsonl"

    def _leavers(self) -> EarlyLeavers:
        return _read_lines(self._leavers_file, EarlyLeavers.from_bytes)

    # Reports

    def keep_report(self, data: bytes) -> None:
        """Append a report for the developers to ``reports.txt``, unless that is full: messages of
        peers must not fill a disk."""
        path = self.home / "reports.txt"
        size = path.stat().st_size if path.exists() else 0
        if size + len(data) <= MAX_REPORTS:
            append(path, data, sync=False)

    # Games

    def game(self, table: str) -> Game:
        """Return the files of one table, named by its identifier's first digits. Nothing is read or
        written yet."""
        stem = table[:16]
        if stem not in self._games:
            self._games[stem] = Game(self.home / "games" / stem, self.locked)
        return self._games[stem]

    @property
    def has_played(self) -> bool:
        """Whether a table has begun here."""
        return any((self.home / "games").glob(f"*{SUFFIX}"))

    def secret_games(self) -> list[Game]:
        """Return every table of which secrets are kept."""
        return [self.game(path.stem) for path in (self.home / "games").glob("*.secrets")]

    def games(self) -> list[Game]:
        """Return every table that has a journal, damaged or not, the newest first."""
        journals = list((self.home / "games").glob("*.journal"))
        journals.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        return [self.game(path.stem) for path in journals]


def _read_lines(path: Path, parse: Callable[[bytes], T]) -> T:
    """Read a file of lines, which may be absent; raises DataFolderError if it is damaged."""
    try:
        return parse(read_file(path) if path.exists() else b"")
    except DamagedLine as error:
        raise DataFolderError(
            "{file}, line {n}, is damaged ({why}). Correct that line, or move the file to another "
            "folder.",
            file=str(path),
            n=error.number,
            why=error.why,
        ) from error
