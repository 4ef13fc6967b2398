"""Blocks whose receipts or parts are false in two ways, claims that meet at one place, and entries
after the end of a table (SPEC.md, "Entries and receipts", "Order of checks")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from p2p304.log.transcript import RawBlock
from scripts.vectors.derived.recorded import recorded
from scripts.vectors.derived.row import Row
from tests.support.hostile.damaged_transcripts import raw_block

LOG_AT = 6
"""A place of good.304 before there is a hand to claim in."""
CLAIMED_AT = 36
"""The place of drawn-seats.304 at which player 2 plays its first card."""


def log() -> Iterator[Row]:
    yield from _receipts()
    yield from _two_claims()
    yield from _over_claims()
    yield from _parts()
    yield from _after_the_end()


def _receipts() -> Iterator[Row]:
    table = recorded("transcripts/good.304")
    block = table.blocks[LOG_AT]
    entry, (one, two, three) = block.entry, block.receipts
    own = table.receipt(entry, entry.entry.author)
    claimed = table.receipt(entry, one.author, "caps")
    twice = table.receipt(entry, two.author, "caps")
    for check, receipts, comment in (
        ("L06", (two, one), "turned round, and one missing"),
        ("L06", (one, one), "one twice, and two missing"),
        ("L06", (claimed, two), "a claim that is not open, and one missing"),
        ("L12", (two, claimed, three), "turned round, one with a claim that is not open"),
        ("L10", (one, two, twice, own), "one with another claim, and then the author's own"),
        ("L09", (one, two, own, twice), "the author's own, and then one with another claim"),
        ("S03", (claimed, table.receipt(entry, two.author, "spoilt"), three), "two false claims"),
    ):
        rest = raw_block(RawBlock(entry, receipts))
        yield Row(table.file, LOG_AT, rest, check, f"receipts: {comment}")


def _two_claims() -> Iterator[Row]:
    """In drawn-seats.304 the players sit 3, 0, 2, 1. On the entry of player 2 the claim of player 1
    comes before that of player 0; by the numbers of players it would come behind."""
    table = recorded("transcripts/drawn-seats.304")
    at = CLAIMED_AT
    entry = table.blocks[at].entry

    def row(claims: Mapping[int, str], author: int, kind: str, check: str | None) -> Row:
        said = table.entry(at + 1, {}, kind, author)
        told = ", ".join(f"player {n} {claim}" for n, claim in sorted(claims.items()))
        return Row(
            table.file,
            at,
            table.block(entry, claims) + table.block(said),
            check,
            f"claims of {told}; then {kind} of player {author}",
        )

    spoilt_first, caps_first = {1: "spoilt", 0: "caps"}, {1: "caps", 0: "spoilt"}
    yield row({1: "spoilt", 0: "spoilt"}, 1, "spoilt", None)
    yield row({1: "spoilt", 0: "spoilt"}, 0, "spoilt", "S04")
    yield row(spoilt_first, 1, "spoilt", None)
    yield row(caps_first, 0, "spoilt", "S04")
    yield row(caps_first, 1, "spoilt", "S02")
    yield row({1: "caps", 3: "spoilt"}, 3, "spoilt", "S04")


def _over_claims() -> Iterator[Row]:
    """Who writes over another's claim: S04 before the form of the body, and before the turn."""
    table = recorded("transcripts/S04.304")
    at = len(table.blocks) - 1
    author = table.blocks[at].entry.entry.author
    claimant = next(r.author for r in table.blocks[at - 1].receipts if r.claim is not None)
    other = next(n for n in range(4) if n not in (author, claimant))
    last = table.blocks[at - 1].entry.entry.author
    for by, kind, check, comment in (
        (author, "murmur", "S04", "a kind that does not exist, by the player whose turn it was"),
        (author, "spoilt", "S04", "the kind that is claimed, by the player whose turn it was"),
        (other, "murmur", "W04", "a kind that does not exist, by a player whose turn it was not"),
        (other, "spoilt", "S01", "the kind that is claimed, by a player who did not claim"),
        (last, "spoilt", "S01", "the same by the author of the entry before"),
        (claimant, "caps", "W04", "another kind than is claimed, by the claimant, malformed"),
        (claimant, "ask", "W04", "a kind of other rules, by the claimant, malformed"),
    ):
        said = table.entry(at, {}, kind, by)
        yield Row.of_entry(table, said, check, f"over a claim: {comment}")


def _parts() -> Iterator[Row]:
    waits = recorded("transcripts/E03.304")
    at, absent = len(waits.blocks), 2
    for check, bent, comment in (
        ("L03", 0, "the first part is not signed, and the rules are to wait"),
        ("E03", 1, "the rules are to wait, and the second part is not signed"),
    ):
        yield Row(waits.file, at - 1, waits.parted(at, absent, bent), check, f"parts: {comment}")
    twice = recorded("transcripts/parted-twice.304")
    at = len(twice.blocks)
    gone = twice.absent_at(at - 1)
    if gone is None:
        raise LookupError("nobody has left this table")
    second_name = twice.blocks[-1].entry.entry.table
    for check, rest, comment in (
        ("L03", twice.parted(at, gone, (gone + 1) % 4), "a part that is not signed"),
        ("L03", twice.parted(at, gone, table=second_name), "under the second name of the table"),
        ("E03", twice.parted(at, (gone + 1) % 4), "without another player"),
    ):
        yield Row(twice.file, at - 1, rest, check, f"players part a second time: {comment}")


def _after_the_end() -> Iterator[Row]:
    """Entries after the last one, under either name that the table has had."""
    for file, comment in (
        ("good", "played to its end"),
        ("lost", "ended with away=replace, a hand lost"),
        ("ended", "ended with away=playout before a hand had begun"),
        ("parted-at-the-end", "parted after the entry that ends it, with away=replace"),
        ("parted-at-the-end-playout", "the same with away=playout"),
        ("played-out", "played out to its end"),
    ):
        table = recorded(f"transcripts/{file}.304")
        at = len(table.blocks)
        parting, name = table.parting(), table.blocks[0].entry.entry.table
        names = [(name, "S01" if parting is None else "L01")]
        if parting is not None:
            names.append((table.second_name(), "S01"))
        absent = table.absent_at(at)
        for author in [0] if absent is None else [(absent + 1) % 4, absent]:
            for number, (known_as, check) in enumerate(names):
                said = table.entry(at, {"word": "pass"}, "say", author, known_as)
                who = "the absent player" if author == absent else "a player"
                which = ("first", "second")[number]
                told = f"after a table {comment}: an entry of {who}, under its {which} name"
                yield Row.of_entry(table, said, check, told)
