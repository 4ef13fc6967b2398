"""Files for protocol/several, and what is said of several of them together: two that contradict
each other, and tables that go on from one of two ends (SPEC.md, "Transcript files")."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from p2p304.log.entry import link_of, sign_receipt
from p2p304.log.transcript import MAGIC, RawBlock, read_blocks
from scripts.vectors.index import write_rows
from scripts.vectors.related_files.ends import FURTHER, ends, last_receipts
from scripts.vectors.related_files.rows import Found, differs, row
from scripts.vectors.transcripts.games.game_builders import SIX
from tests.support.cheats.games import calling
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.table.two_courses import course


def several(folder: Path) -> None:
    """Write the files, and in the index every row: the files in the order in which they are given,
    the status, the links and the contradictions, each with the file that it is told of."""
    folder.mkdir(exist_ok=True)
    rows = [*_courses(folder), *_claims(folder), *ends(folder), *last_receipts(folder)]
    write_rows(folder, rows)


def _write(folder: Path, name: str, blocks: Sequence[RawBlock]) -> None:
    (folder / f"{name}.304").write_bytes(MAGIC + b"".join(map(raw_block, blocks)))


def _courses(folder: Path) -> list[Found]:
    """Three courses of one table: everybody signs three different bids of one player."""
    games = [list(read_blocks(course(seed))) for seed in (0, 1, 4)]
    place = next(
        n
        for n, blocks in enumerate(zip(*games, strict=False))
        if len({block.entry.raw for block in blocks}) == len(games)
    )
    for name, blocks in zip(("one", "two", "three"), games, strict=True):
        _write(folder, name, blocks[: place + FURTHER])
    _write(folder, "beginning", games[0][:place])
    whole = (folder / "two.304").read_bytes()
    (folder / "bent.304").write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    author = games[0][place].entry.entry.author
    all_signed: Found = {"fork": author, "split": [(author + n) % 4 for n in (1, 2, 3)]}
    two = differs("two", "one", place, **all_signed)
    three = differs("three", "one", place, **all_signed)
    return [
        row("one two", "everybody signed two entries for one place", 1, two),
        row(
            "two one", "the same in the other order", 1, differs("one", "two", place, **all_signed)
        ),
        row("one two three", "each is compared with the first that it contradicts", 1, two, three),
        row("beginning one", "a file that is the beginning of another contradicts nothing", 0),
        row("beginning one two", "the second differs from the third alone", 1, two),
        row("one one", "a copy contradicts nothing", 0),
        row("one bent", "a file that is not sound is compared with nothing", 1),
    ]


def _claims(folder: Path) -> list[Found]:
    """A player claims Caps in its receipt to one player, and nothing in that to another."""
    net = calling(SIX, 0)
    net.run()
    blocks = list(read_blocks(net.transcripts[0]))
    place, said = next(
        (n, receipt)
        for n, block in enumerate(blocks)
        for receipt in block.receipts
        if receipt.claim is not None
    )
    key = net.tables[said.author].me.key
    head = link_of(blocks[place].entry.raw)
    silent = sign_receipt(key, said.table, place, head, said.author, None)
    receipts = tuple(silent if one is said else one for one in blocks[place].receipts)
    _write(folder, "claim", blocks[: place + 1])
    _write(folder, "silent", [*blocks[:place], RawBlock(blocks[place].entry, receipts)])
    return [
        row(
            "claim silent",
            "one player signed two receipts for one entry",
            1,
            differs("silent", "claim", place, split=[said.author]),
        )
    ]
