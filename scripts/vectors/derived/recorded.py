"""Recorded tables whose beginnings other files go on from, and blocks that everybody signs anew.

Responsible for signing; which blocks these are is said in the other files of this folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import PartingPlace, say
from p2p304.log.entry import Receipt, Unverified, link_of, sign_entry, sign_receipt
from p2p304.log.transcript import RawBlock, encode_last, read_blocks
from p2p304.table.agreement.terms import digest
from p2p304.wire.canonical import Value, encode
from scripts.vectors.transcripts.games.hard_games import cut_off
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.paths import PROTOCOL
from tests.support.table import simnet

SEEDS = range(64)
"""Those of the simulated tables; the keys of a table follow from its seed."""


@dataclass(frozen=True)
class Recorded:
    """A table of protocol/, with the keys of all players."""

    file: str
    data: bytes
    blocks: tuple[RawBlock, ...]
    keys: tuple[SigningKey, ...]

    def beginning(self, places: int) -> bytes:
        """The file up to this place."""
        return cut_off(self.data, places)

    def entry(
        self,
        at: int,
        change: Mapping[str, Value],
        kind: str = "",
        author: int | None = None,
        table: bytes = b"",
    ) -> Unverified:
        """The entry at this place with another body, as its author signs it: the recorded one with
        a change, or with ``kind`` the change alone. Past the end it follows the last entry."""
        last = self.blocks[at - 1].entry
        here = self.blocks[at].entry.entry if at < len(self.blocks) else last.entry
        body = dict(change) if kind else {**here.body, **change}
        by = here.author if author is None else author
        return sign_entry(
            self.keys[by],
            table or here.table,
            at,
            link_of(last.raw) if at else here.prev,
            by,
            kind or here.kind,
            body,
        )

    def receipt(self, entry: Unverified, player: int, claim: str | None = None) -> Receipt:
        said = entry.entry
        head = link_of(entry.raw)
        return sign_receipt(self.keys[player], said.table, said.seq, head, player, claim)

    def receipts(
        self, entry: Unverified, claims: Mapping[int, str] | None = None
    ) -> tuple[Receipt, ...]:
        """Everybody's receipts for an entry, in their order: of all who are present there."""
        author, count = entry.entry.author, len(self.keys)
        players = [(author + step) % count for step in range(1, count)]
        gone = self.absent_at(entry.entry.seq)
        return tuple(
            self.receipt(entry, player, (claims or {}).get(player))
            for player in players
            if player != gone
        )

    def block(self, entry: Unverified, claims: Mapping[int, str] | None = None) -> bytes:
        return raw_block(RawBlock(entry, self.receipts(entry, claims)))

    def parting(self) -> int | None:
        """The place of the parting, or None."""
        return next((n + 1 for n, block in enumerate(self.blocks) if block.parts is not None), None)

    def second_name(self) -> bytes:
        """The table's name from the place of the parting on."""
        at = self.parting()
        if at is None:
            raise LookupError("nobody has left this table")
        value = self.where(at, self.absent_at(at) or 0).to_value()
        return digest(b"p2p304 played out", encode(value))

    def where(self, at: int, absent: int) -> PartingPlace:
        """A parting at this place, as parts sign it."""
        table = self.blocks[0].entry.entry.table
        return PartingPlace(table, at, link_of(self.blocks[at - 1].entry.raw), absent)

    def absent_at(self, seq: int) -> int | None:
        at = self.parting()
        if at is None or seq < at:
            return None
        authors = {author for author, _ in self.blocks[at - 1].parts or ()}
        return next(player for player in range(len(self.keys)) if player not in authors)

    def parted(self, at: int, absent: int, bent: int | None = None, table: bytes = b"") -> bytes:
        """The block before place ``at`` with parts in place of receipts, one of them bent."""
        entry, where = self.blocks[at - 1].entry, self.where(at, absent)
        if table:
            where = replace(where, table=table)
        present = [player for player in range(len(self.keys)) if player != absent]
        parts = tuple((n, say(self.keys[n], "part", where, n).sig) for n in present)
        bent_parts = tuple((n, bytes(64) if n == bent else sig) for n, sig in parts)
        return encode_last(entry.raw, bent_parts)

    def places(self, kind: str) -> list[int]:
        return [n for n, block in enumerate(self.blocks) if block.entry.entry.kind == kind]


@cache
def recorded(file: str) -> Recorded:
    """Read a table of protocol/ and find its players' keys."""
    data = (PROTOCOL / file).read_bytes()
    blocks = tuple(read_blocks(data))
    terms = blocks[0].entry.entry.body["terms"]
    agreed = [player["key"] for player in terms["players"]]  # type: ignore[index, call-overload, union-attr]
    for seed in SEEDS:
        keys = simnet.signing_keys(seed, len(agreed))
        if [key.public for key in keys] == agreed:
            return Recorded(file, data, blocks, tuple(keys))
    raise LookupError(f"{file} is of no seed in {SEEDS}")
