"""Files of protocol/several that end in different ways, and tables that go on from one of two ends
(SPEC.md, "Transcript files" and "A seat taken over")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import PART, PartingPlace, say
from p2p304.log.entry import link_of, sign_entry
from p2p304.log.transcript import MAGIC, encode_block, encode_last, read_blocks, transcript
from p2p304.table.transition.successor import Ending, ending
from scripts.vectors.related_files.continued import end_of, left_by, terms
from scripts.vectors.related_files.rows import Found, differs, link, row
from scripts.vectors.transcripts.signed_blocks import first_block
from tests.support.edwards import SignsAnew
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.table import simnet
from tests.support.table.two_courses import ENDS, parted_at_the_end, two_ends

FURTHER = 2
"""Entries of a file from the place on at which it differs."""


def ends(folder: Path) -> list[Found]:
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
    _sign_anew(folder, net, place)
    two_parts = differs("without-3", "without-2", place, parted=[0, 1])
    return [
        *_signed_anew(place, net.tables[0].chain.entry(place).entry.author, [0, 1, 2]),
        row("without-2 without-3", "two players signed two different ends", 1, two_parts),
        row(
            "without-2 played-on",
            "three players signed that they go on without the fourth, and went on with it",
            1,
            differs("played-on", "without-2", place, played_on=[0, 1, 3]),
        ),
        row(
            "without-2-before-3 played-on-by-3",
            "the same, where the last of them writes the next entry: they are named in their order",
            1,
            differs("played-on-by-3", "without-2-before-3", at - 1, played_on=[0, 1, 3]),
        ),
        row(
            "without-2 without-3-later",
            "the same, and two of them signed another end one entry later",
            1,
            differs(
                "without-3-later",
                "without-2",
                place,
                parted=[0, 1],
                played_on=[last.entry.entry.author],
            ),
        ),
        row(
            "played-on without-2",
            "the same in the other order",
            1,
            differs("without-2", "played-on", place, played_on=[0, 1, 3]),
        ),
        row(
            "without-2 left-behind",
            "the absent player's file ends with receipts where the others part",
            0,
        ),
        row("left-behind without-3", "the same with another end, in the other order", 0),
        row(
            "without-2 without-3 goes-on",
            "it goes on from the second of two ends, and fits it",
            1,
            link("goes-on", "holds"),
            two_parts,
        ),
        row(
            "goes-on without-2",
            "the end that it names is not there, and it does not fit the other",
            1,
            link("goes-on", "broken"),
        ),
        row(
            "goes-on with-newcomer without-3",
            "two tables go on from one end, and stand before it",
            0,
            link("goes-on", "holds"),
            link("with-newcomer", "holds"),
        ),
        row(
            "goes-on played-on",
            "no end of the earlier table is there",
            0,
            link("goes-on", "unknown"),
        ),
    ]


def _sign_anew(folder: Path, net: simnet.Net, place: int) -> None:
    """Write without-3 with another signature of one part, and a table whose last entry its author
    signs a second time before all but player 3 part."""
    *start, last = read_blocks((folder / "without-3.304").read_bytes())
    keys, chain = [table.me.key for table in net.tables], net.tables[0].chain
    where = PartingPlace(chain.table, place + 1, link_of(last.entry.raw), 3)
    anew = say(SignsAnew.of(keys[0]), PART, where, 0).sig
    parts = ((0, anew), *(last.parts or ())[1:])
    begun = MAGIC + b"".join(map(raw_block, start))
    (folder / "without-3-anew.304").write_bytes(begun + encode_last(last.entry.raw, parts))
    old = last.entry.entry
    author, fields = SignsAnew.of(keys[old.author]), (old.table, old.seq, old.prev, old.author)
    entry = sign_entry(author, *fields, old.kind, old.body)
    there = replace(where, head=link_of(entry.raw))
    parted = tuple((n, say(keys[n], PART, there, n).sig) for n in range(3))
    (folder / "entry-anew-without-3.304").write_bytes(begun + encode_last(entry.raw, parted))


def _signed_anew(place: int, author: int, on: Sequence[int]) -> list[Found]:
    both: Found = {"fork": author, "played_on": on}
    return [
        row(
            "without-3 without-3-anew goes-on",
            "one part of an end signed a second time: the same end, from which a table goes on",
            0,
            link("goes-on", "holds"),
        ),
        row(
            "without-3-anew goes-on",
            "the end with the other signature alone",
            0,
            link("goes-on", "holds"),
        ),
        row(
            "played-on entry-anew-without-3",
            "an entry signed a second time, after which players part who went on from the first",
            1,
            differs("entry-anew-without-3", "played-on", place, **both),
        ),
        row(
            "entry-anew-without-3 played-on",
            "the same in the other order",
            1,
            differs("played-on", "entry-anew-without-3", place, **both),
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


def last_receipts(folder: Path) -> list[Found]:
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
    two_parts = differs("unreceipted-by-2", "unreceipted-by-1", last, parted=[0, 3])
    return [
        row(
            "finished unreceipted-by-1",
            "the others part after the entry that ends the table: both files have that entry",
            0,
        ),
        row("unreceipted-by-1 finished", "the same in the other order", 0),
        row(
            "finished unreceipted-by-1 unreceipted-by-2",
            "two players signed two different ends after the entry that ends the table",
            1,
            two_parts,
        ),
        row(
            "unreceipted-by-1 beyond-the-end",
            "no table goes on from one that was played to its end",
            1,
            link("beyond-the-end", "broken"),
        ),
    ]


def _with_a_hand_left(transcript: bytes) -> Ending:
    """How a table would have ended at this end if one hand more had been agreed."""
    state, without = end_of(transcript)
    agreed = replace(state.terms, hands=state.hands_played + 1)
    left = ending(replace(state, terms=agreed), without.absent, without.table)
    if left is None:
        raise LookupError("this table does not go on")
    return left
