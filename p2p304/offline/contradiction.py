"""Sound transcripts of one table that contradict each other, among those audited together.

Responsible for the first place at which they differ, and for the players who signed both sides of
it. Each transcript's own verdict is audit.py's, and which continues which continuation.py's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from p2p304.log.transcript import RawBlock, Unreadable, read_blocks
from p2p304.offline.archives.file_reader import PIECE, FileReader
from p2p304.offline.audited import Audited
from p2p304.rules.core.phrases import Phrase, say
from p2p304.storage.files import DataFolderError
from p2p304.wire.names import shown


@dataclass(frozen=True, slots=True)
class Contradiction:
    """``path`` and ``other`` differ from ``place`` on; ``fork`` is the player who signed two
    entries for it, or None, ``split`` are those who signed two receipts, ``parted`` those who
    signed two different ends of the table, and ``played_on`` those who signed a part and the next
    entry or a receipt for it (L11, L10, E07 and E06)."""

    path: Path
    other: Path
    table: str
    place: int
    fork: str | None
    split: tuple[str, ...]
    parted: tuple[str, ...]
    played_on: tuple[str, ...]

    @property
    def sentence(self) -> Phrase:
        said = []
        if self.fork is not None:
            said.append(say("{who} signed two entries (L11)", who=self.fork))
        if self.split:
            said.append(say("{who} signed two receipts (L10)", who=", ".join(self.split)))
        if self.parted:
            who = ", ".join(self.parted)
            said.append(say("{who} signed two different ends of the table (E07)", who=who))
        if self.played_on:
            who = ", ".join(self.played_on)
            said.append(
                say("{who} signed to go on without a player, and went on with them (E06)", who=who)
            )
        told = say("nobody's signatures contradict each other")
        if said:
            told = said[0] if len(said) == 1 else say("{one}; {two}", one=said[0], two=said[1])
        return say(
            "{file} and {other} are of the same table and contradict each other at entry {n}: "
            "{told}",
            file=shown(self.path.name),
            other=shown(self.other.name),
            n=self.place,
            told=told,
        )


def contradictions(audited: Iterable[Audited]) -> Iterator[Contradiction]:
    """Yield, for every sound transcript, the first one before it that it contradicts. Raises
    DataFolderError if a file cannot be read again."""
    tables: dict[str, list[Audited]] = {}
    for each in audited:
        report = each.report
        if report is None or not report.sound or not report.players:
            continue
        for other in tables.setdefault(report.table, []):
            same = each.digest and each.digest == other.digest
            blocks = None if same else _difference(other.path, each.path)
            if blocks is not None:
                yield _told(each.path, other.path, report.table, report.players, *blocks)
                break
        tables[report.table].append(each)


def _difference(one: Path, two: Path) -> tuple[RawBlock, RawBlock, RawBlock | None] | None:
    """Return the first blocks that differ, each as its file has it, and, where players parted after
    it in one file alone, the next block of the other, if there is one; None if the files agree as
    far as both go.
    Other signatures under the same words are no difference, and neither are the parts of those who
    stayed after the last entry in the absent player's file."""
    if _begin_alike(one, two):
        return None
    with FileReader(one) as first, FileReader(two) as second:
        left, right = read_blocks(first), read_blocks(second)
        try:
            pairs = zip(left, right, strict=False)
            found = next(((a, b) for a, b in pairs if _stated(a) != _stated(b)), None)
            if found is None:
                return None
            one_parted = (found[0].parts is None) != (found[1].parts is None)
            later = next(left if found[0].parts is None else right, None) if one_parted else None
            is_same = one_parted and found[0].entry.raw == found[1].entry.raw
            return None if is_same and later is None else (*found, later)
        except Unreadable as error:  # both were sound when they were audited
            raise DataFolderError(
                "{one} or {two} has changed during the audit. Start the audit again.",
                one=str(one),
                two=str(two),
            ) from error


def _begin_alike(one: Path, two: Path) -> bool:
    """Whether one file is the beginning of the other."""
    with FileReader(one) as first, FileReader(two) as second:
        while True:
            a, b = first.read(PIECE), second.read(PIECE)
            shorter = min(len(a), len(b))
            if a[:shorter] != b[:shorter]:
                return False
            if shorter < PIECE:
                return True


def _stated(block: RawBlock) -> object:
    """Return what a block says: its entry, each receipt's claim, the authors of its parts."""
    parts = None if block.parts is None else tuple(author for author, _ in block.parts)
    return block.entry.raw, tuple((r.author, r.claim) for r in block.receipts), parts


def _told(
    path: Path,
    other: Path,
    table: str,
    players: Sequence[str],
    one: RawBlock,
    two: RawBlock,
    later: RawBlock | None,
) -> Contradiction:
    first, second = one.entry.entry, two.entry.entry
    signed_two = one.entry.raw != two.entry.raw and first.author == second.author
    receipts = {receipt.author: (receipt.head, receipt.claim) for receipt in one.receipts}
    split = tuple(
        players[receipt.author]
        for receipt in two.receipts
        if receipts.get(receipt.author, (receipt.head, receipt.claim))
        != (receipt.head, receipt.claim)
    )
    fork = players[first.author] if signed_two else None
    # The parts in two blocks exclude each other: they name another entry or absent player.
    ends = [_authors(block.parts) for block in (one, two)]
    parted, played_on = ends[0] & ends[1], set[int]()
    if later is not None:
        left = ends[0] | ends[1]
        parted = left & _authors(later.parts)
        signed = {receipt.author for receipt in later.receipts} | {later.entry.entry.author}
        played_on = left & signed
    named = (tuple(players[n] for n in sorted(found)) for found in (parted, played_on))
    return Contradiction(path, other, table, first.seq, fork, split, *named)


def _authors(parts: Sequence[tuple[int, bytes]] | None) -> set[int]:
    return {author for author, _ in parts or ()}
