"""Tables that can be gone on with: what is left of them in the data folder.

Owns which journals are offered, where their players were reached last (``ID.peers.json``), and
forgetting a table that is over. What a journal says is table/comeback.py's, files are store.py's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from p2p304.files import StoreError, read_file, remove, write_whole
from p2p304.store import Game, Store
from p2p304.table.comeback import Memory, NotAJournal, remember

MOST_ADDRESSES = 4
"""Addresses of one player that are kept, the last first."""


@dataclass(slots=True)
class Book:
    """Where this node listened (``port``) and where the others were reached, by their keys."""

    port: int = 0
    peers: dict[bytes, list[tuple[str, int]]] = field(default_factory=dict)

    def note(self, key: bytes, host: str, port: int) -> bool:
        """Remember an address as the last; False if it was."""
        known = self.peers.setdefault(key, [])
        if known[:1] == [(host, port)] or not host or not port:
            return False
        others = [address for address in known if address != (host, port)]
        self.peers[key] = [(host, port), *others][:MOST_ADDRESSES]
        return True

    def encode(self) -> bytes:
        peers = {key.hex(): addresses for key, addresses in self.peers.items()}
        return json.dumps({"port": self.port, "peers": peers}, indent=1).encode()

    @classmethod
    def decode(cls, data: bytes) -> Book:
        """An address book that is spoilt is an empty one: it only says where to try."""
        try:
            value = json.loads(data)
            peers = {bytes.fromhex(key): [_address(item) for item in items]
                     for key, items in value["peers"].items()}  # fmt: skip
            return cls(int(value["port"]), peers)
        except (ValueError, KeyError, TypeError, AttributeError):
            return cls()


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A table that this player can come back to."""

    game: Game
    memory: Memory

    @property
    def table(self) -> str:
        return self.game.stem.name

    def describe(self, own: bytes) -> str:
        """One line: the table, with whom, how far."""
        here = self.memory.begin.list
        others = ", ".join(guest.nick for guest in here.guests if guest.key != own)
        return f"{here.name} with {others} ({len(self.memory.past)} moves so far, {self.table})"


def unfinished(store: Store) -> list[Unfinished]:
    """The tables that were begun and are not over, the newest first. Raises StoreError for a
    journal that is damaged."""
    own = store.identity().public
    found = []
    for game in store.games():
        if game.part("evidence").exists():
            continue
        memory = recall(game)
        if memory is not None and own in memory.begin.terms.keys:
            found.append(Unfinished(game, memory))
    return found


def never_begun(store: Store, but: Game | None) -> list[Game]:
    """Tables that were signed for and never began, because somebody left meanwhile."""
    return [game for game in store.games() if game != but and len(game.journal.records()) == 1]


def recall(game: Game) -> Memory | None:
    """What a table's journal says, or None if nothing was begun."""
    records = game.journal.records()
    if not records:
        return None
    try:
        return remember(records)
    except NotAJournal as error:
        raise StoreError(f"{game.journal.path} is damaged, {error}: restore it from a copy, "
                         "or move it away.") from error  # fmt: skip


def book(game: Game) -> Book:
    path = game.part("peers.json")
    return Book.decode(read_file(path)) if path.exists() else Book()


def keep_book(game: Game, addresses: Book) -> None:
    write_whole(game.part("peers.json"), addresses.encode())


def forget(games: Iterable[Game]) -> None:
    """Erase the secrets of tables that are over; their transcripts stay."""
    for game in games:
        for part in ("journal", "peers.json", "parting"):
            remove(game.part(part))


def _address(item: Any) -> tuple[str, int]:
    host, port = item
    if not isinstance(host, str) or not isinstance(port, int) or not 0 < port < 65536:
        raise ValueError("an address")
    return host, port
