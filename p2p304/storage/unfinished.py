"""Tables that can be resumed, from their files in the data folder.

Responsible for which journals are offered, where their players were reached last
(``ID.peers.json``), and for forgetting a table that is over. The meaning of a journal is
table/exchange/journal_records.py's; files are data_folder.py's.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError, read_file, write_whole
from p2p304.storage.game_files import Game
from p2p304.storage.json_files import dictionary, hexadecimal, pair, parse_json
from p2p304.table.exchange.journal_records import TableJournal, read_journal
from p2p304.table.gathering.exchange.begin_record import BeginRecord, NotAJournal
from p2p304.wire.forms import Malformed, exactly, many, number, text

MOST_ADDRESSES = 4
"""Addresses kept for one player, the last first."""
_ADDRESSES = many(pair(text(1, 255), number(1, 65535)), 0, MOST_ADDRESSES)
_BOOK = exactly({"port": number(0, 65535), "peers": dictionary(hexadecimal(32), _ADDRESSES)})


@dataclass(slots=True)
class AddressBook:
    """The port on which this node listened (``port``) and the last addresses of the others, by
    key."""

    port: int = 0
    peers: dict[bytes, tuple[tuple[str, int], ...]] = field(default_factory=dict)

    def note(self, key: bytes, host: str, port: int) -> bool:
        """Remember an address as the last; returns False if it was the last already."""
        known, last = self.peers.get(key, ()), (host, port)
        if known[:1] == (last,) or not host or not port:
            return False
        others = (address for address in known if address != last)
        self.peers[key] = (last, *others)[:MOST_ADDRESSES]
        return True

    def encode(self) -> bytes:
        peers = {key.hex(): addresses for key, addresses in self.peers.items()}
        return json.dumps({"port": self.port, "peers": peers}, indent=1).encode()

    @classmethod
    def decode(cls, data: bytes) -> AddressBook:
        """Decode; a damaged address book becomes an empty one, because it only says where to
        try."""
        try:
            return cls(**parse_json(_BOOK, data))
        except Malformed:
            return cls()


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A table that this player can resume: how it began, and how many moves its journal has."""

    game: Game
    _journal: TableJournal

    @property
    def begin(self) -> BeginRecord:
        return self._journal.begin

    @property
    def moves(self) -> int:
        return self._journal.moves

    @property
    def memory(self) -> TableJournal:
        """The journal. Its places are read from the file whenever they are needed, because they
        are as many as the table was long."""
        if not self.game.journal.path.exists():
            raise DataFolderError(
                "{file} is gone. Resume another table.", file=str(self.game.journal.path)
            )
        return self._journal

    @property
    def table(self) -> str:
        return self.game.stem.name


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A table whose journal cannot be read; the error says why and what to do."""

    game: Game
    why: DataFolderError

    @property
    def table(self) -> str:
        return self.game.stem.name


def unfinished_tables(store: DataFolder) -> list[Unfinished | Unreadable]:
    """List the tables that were begun and are not over, the newest first. A damaged journal hides
    no other table. Raises DataFolderError if the identity cannot be used. Writes nothing."""
    own = store.own_key()
    found: list[Unfinished | Unreadable] = []
    for game in store.games():
        if game.part("evidence").exists():
            continue
        try:
            memory = recall(game)
        except DataFolderError as error:
            found.append(Unreadable(game, error))
            continue
        if memory is not None and own in memory.begin.terms.keys:
            found.append(Unfinished(game, memory))
    return found


def resumable_tables(store: DataFolder) -> list[Unfinished]:
    """List those of them that this player can resume."""
    return [one for one in unfinished_tables(store) if isinstance(one, Unfinished)]


def never_begun(store: DataFolder, but: Game | None) -> list[Game]:
    """List tables that were signed for and never began, because a player left meanwhile."""
    found = []
    for game in store.games():
        with contextlib.suppress(DataFolderError):  # an unreadable journal is kept
            memory = recall(game) if game != but else None
            if memory is not None and not memory.moves:
                found.append(game)
    return found


def erase_idle_secrets(store: DataFolder, but: Game | None) -> None:
    """Erase the secrets that a stop left behind, of tables that cannot be resumed: stopped by
    evidence, or never signed."""
    for game in store.secret_games():
        begun = game.part("journal").exists() and not game.part("evidence").exists()
        if game != but and not begun:
            game.drop("secrets")


def recall(game: Game) -> TableJournal | None:
    """Read a table's journal; None if nothing was begun. Raises DataFolderError if it is damaged,
    or if other users can read it."""
    game.check_private()
    if next(iter(game.journal), None) is None:
        return None
    try:
        return read_journal(game.journal)
    except NotAJournal as error:
        raise DataFolderError(
            "{file} is not a usable journal ({why}). It was not changed. Give the table up with  "
            "p2p304 resume --forget --table  and the first digits of its number.",
            file=str(game.journal.path),
            why=str(error),
        ) from error


def book(game: Game) -> AddressBook:
    path = game.part("peers.json")
    return AddressBook.decode(read_file(path)) if path.exists() else AddressBook()


def keep_book(game: Game, addresses: AddressBook) -> None:
    write_whole(game.part("peers.json"), addresses.encode())


def forget(games: Iterable[Game]) -> None:
    """Erase the secrets of tables that are over; their transcripts stay."""
    for game in games:
        for part in ("secrets", "journal", "peers.json", "parting"):
            game.drop(part)
