"""Files for protocol/several, and what is said of several of them together: two that contradict
each other, and tables that go on from one of two ends (SPEC.md, "Transcript files")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from p2p304.crypto.signing import SigningKey
from p2p304.log.entry import link_of, sign_receipt
from p2p304.log.transcript import MAGIC, RawBlock, encode_block, read_blocks, transcript
from p2p304.table.transition.replay import Replay
from p2p304.table.transition.successor import Ending, ending
from scripts.vectors.index import write_rows
from scripts.vectors.related_files.continued import left_by, terms
from scripts.vectors.transcripts.games.game_builders import SIX
from scripts.vectors.transcripts.signed_blocks import first_block
from tests.support.cheats.games import calling
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.table import simnet
from tests.support.table.two_courses import ENDS, course, parted_at_the_end, two_ends

Found = dict[str, Any]
FURTHER = 2
"""Entries of a file from the place on at which it differs."""


def several(folder: Path) -> None:
    """Write the files, and in the index every row: the files in the order in which they are given,
    the status, the links and the contradictions, each with the file that it is told of."""
    folder.mkdir(exist_ok=True)
    rows = [*_courses(folder), *_claims(folder), *_ends(folder), *_last_receipts(folder)]
    write_rows(folder, rows)


def _row(files: str, comment: str, status: int, *told: Found) -> Found:
    links = [one for one in told if "link" in one]
    found = [one for one in told if "other" in one]
    names = [f"{name}.304" for name in files.split()]
    return {
        "files": names,
        "comment": comment,
        "status": status,
        "continues": links,
        "contradicts": found,
    }


def _link(file: str, link: str) -> Found:
    return {"file": f"{file}.304", "link": link}


def _differs(
    file: str,
    other: str,
    place: int,
    fork: int | None = None,
    split: Sequence[int] = (),
    parted: Sequence[int] = (),
    played_on: Sequence[int] = (),
) -> Found:
    return {
        "file": f"{file}.304",
        "other": f"{other}.304",
        "place": place,
        "fork": fork,
        "split": list(split),
        "parted": list(parted),
        "played_on": list(played_on),
    }


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
    two = _differs("two", "one", place, **all_signed)
    three = _differs("three", "one", place, **all_signed)
    return [
        _row("one two", "everybody signed two entries for one place", 1, two),
        _row(
            "two one", "the same in the other order", 1, _differs("one", "two", place, **all_signed)
        ),
        _row("one two three", "each is compared with the first that it contradicts", 1, two, three),
        _row("beginning one", "a file that is the beginning of another contradicts nothing", 0),
        _row("beginning one two", "the second differs from the third alone", 1, two),
        _row("one one", "a copy contradicts nothing", 0),
        _row("one bent", "a file that is not sound is compared with nothing", 1),
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
        _row(
            "claim silent",
            "one player signed two receipts for one entry",
            1,
            _differs("silent", "claim", place, split=[said.author]),
        )
    ]


def _ends(folder: Path) -> list[Found]:
    """A table that was ended without one player and without another, or was not ended; and tables
    that go on from the second end."""
    first, second = (
        path.rename(folder / f"without-{n}.304") for n, path in enumerate(two_ends(folder), start=2)
    )
    place = len(list(read_blocks(first.read_bytes()))) - 1
    net = simnet.make(1, 2, ENDS)
    net.come_to(place + FURTHER)
    played = [encode_block(net.tables[0].chain.block(n)) for n in range(place + FURTHER)]
    (folder / "played-on.304").write_bytes(MAGIC + b"".join(played))
    (folder / "left-behind.304").write_bytes(MAGIC + b"".join(played[: place + 1]))
    later = simnet.make(1, 2, ENDS)
    later.part(3, place + FURTHER)
    ended_later = transcript(later.tables[0].chain, place + FURTHER)
    (folder / "without-3-later.304").write_bytes(ended_later)
    *_, last = read_blocks(ended_later)
    at = _parted_before(3, folder)
    left = left_by(second.read_bytes())
    keys = {table.me.key.public: table.me.key for table in net.tables}
    stay = [keys[key] for key in left.keys]
    newcomer = list(stay)
    newcomer[left.empty] = SigningKey.from_seed(bytes(32))
    for name, people in (("goes-on", stay), ("with-newcomer", newcomer)):
        (folder / f"{name}.304").write_bytes(MAGIC + first_block(terms(left, people, {}), people))
    two_parts = _differs("without-3", "without-2", place, parted=[0, 1])
    return [
        _row("without-2 without-3", "two players signed two different ends", 1, two_parts),
        _row(
            "without-2 played-on",
            "three players signed that they go on without the fourth, and went on with it",
            1,
            _differs("played-on", "without-2", place, played_on=[0, 1, 3]),
        ),
        _row(
            "without-2-before-3 played-on-by-3",
            "the same, where the last of them writes the next entry: they are named in their order",
            1,
            _differs("played-on-by-3", "without-2-before-3", at - 1, played_on=[0, 1, 3]),
        ),
        _row(
            "without-2 without-3-later",
            "the same, and two of them signed another end one entry later",
            1,
            _differs(
                "without-3-later",
                "without-2",
                place,
                parted=[0, 1],
                played_on=[last.entry.entry.author],
            ),
        ),
        _row(
            "played-on without-2",
            "the same in the other order",
            1,
            _differs("without-2", "played-on", place, played_on=[0, 1, 3]),
        ),
        _row(
            "without-2 left-behind",
            "the absent player's file ends with receipts where the others part",
            0,
        ),
        _row("left-behind without-3", "the same with another end, in the other order", 0),
        _row(
            "without-2 without-3 goes-on",
            "it goes on from the second of two ends, and fits it",
            1,
            _link("goes-on", "holds"),
            two_parts,
        ),
        _row(
            "goes-on without-2",
            "the end that it names is not there, and it does not fit the other",
            1,
            _link("goes-on", "broken"),
        ),
        _row(
            "goes-on with-newcomer without-3",
            "two tables go on from one end, and stand before it",
            0,
            _link("goes-on", "holds"),
            _link("with-newcomer", "holds"),
        ),
        _row(
            "goes-on played-on",
            "no end of the earlier table is there",
            0,
            _link("goes-on", "unknown"),
        ),
    ]


def _parted_before(author: int, folder: Path) -> int:
    """Write a table that ended without player 2 before an entry of this player, and one in which
    all went on; return the place of that entry."""
    net = simnet.make(1, 2, ENDS)
    net.come_to(60)
    chain = net.tables[0].chain
    at = next(seq for seq in range(22, 59) if chain.entry(seq).entry.author == author)
    (folder / f"played-on-by-{author}.304").write_bytes(transcript(chain, at + 1))
    parting = simnet.make(1, 2, ENDS)
    parting.part(2, at)
    ended = transcript(parting.tables[0].chain, at)
    (folder / f"without-2-before-{author}.304").write_bytes(ended)
    return at


def _last_receipts(folder: Path) -> list[Found]:
    """A table that was played to its end, as the receipts of all say, and as the parts of those say
    who lack a receipt for its last entry."""
    net = simnet.make(1, 1, ENDS)
    net.run()
    (folder / "finished.304").write_bytes(net.transcripts[0])
    for absent in (1, 2):
        parted = parted_at_the_end(net, absent)
        (folder / f"unreceipted-by-{absent}.304").write_bytes(parted)
    ended = (folder / "unreceipted-by-1.304").read_bytes()
    left = _with_a_hand_left(ended)
    keys = {table.me.key.public: table.me.key for table in net.tables}
    stay = [keys[key] for key in left.keys]
    # None is left, as the earlier table's agreement says.
    beyond = first_block(terms(left, stay, {"hands": 0}), stay)
    (folder / "beyond-the-end.304").write_bytes(MAGIC + beyond)
    last = net.tables[0].chain.next_seq - 1
    two_parts = _differs("unreceipted-by-2", "unreceipted-by-1", last, parted=[0, 3])
    return [
        _row(
            "finished unreceipted-by-1",
            "the others part after the entry that ends the table: both files have that entry",
            0,
        ),
        _row("unreceipted-by-1 finished", "the same in the other order", 0),
        _row(
            "finished unreceipted-by-1 unreceipted-by-2",
            "two players signed two different ends after the entry that ends the table",
            1,
            two_parts,
        ),
        _row(
            "unreceipted-by-1 beyond-the-end",
            "no table goes on from one that was played to its end",
            1,
            _link("beyond-the-end", "broken"),
        ),
    ]


def _with_a_hand_left(transcript: bytes) -> Ending:
    """How a table would have ended at this end if one hand more had been agreed."""
    replay = Replay(transcript)
    state = [replayed.state for replayed in replay][-1]
    without = None if replay.chain is None else replay.chain.without
    if without is None or replay.chain is None:
        raise LookupError("nobody has left this table")
    agreed = replace(state.terms, hands=state.hands_played + 1)
    block = encode_block(replay.chain.block(without.seq - 1))
    left = ending(replace(state, terms=agreed), without.absent, block)
    if left is None:
        raise LookupError("this table does not go on")
    return left
