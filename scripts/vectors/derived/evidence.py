"""Evidence over the beginnings of recorded tables: halves that are false in two ways, and what
convicts nobody (SPEC.md, "Evidence files")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from p2p304.log.absence_vote import say
from p2p304.log.entry import link_of, sign_receipt
from p2p304.table.evidence.evidence_file import parse_evidence_file
from p2p304.wire.canonical import decode, encode
from scripts.vectors.derived.log import CLAIMED_AT
from scripts.vectors.derived.other_draws import other_draws
from scripts.vectors.derived.recorded import recorded
from scripts.vectors.derived.row import EvidenceRow
from scripts.vectors.transcripts.signed_blocks import flipped
from tests.support.paths import PROTOCOL


def evidence() -> Iterator[EvidenceRow]:
    yield from _false_entries()
    yield from _claims()
    yield from _parts()
    yield from other_draws()


def _false_entries() -> Iterator[EvidenceRow]:
    """An entry over another's claim (S04) convicts nobody, whatever else is wrong with it."""
    table = recorded("transcripts/S04.304")
    at = len(table.blocks) - 1
    due = table.blocks[at].entry.entry.author
    claimant = next(r.author for r in table.blocks[at - 1].receipts if r.claim is not None)
    last = table.blocks[at - 1].entry.entry.author
    for author, kind, check, proven, comment in (
        (due, "", "E01", False, "a card over another's claim"),
        (due, "murmur", "E01", False, "a kind that does not exist, over another's claim"),
        (claimant, "cut", "W04", True, "a malformed entry of the claimant"),
        (last, "spoilt", "S01", True, "a call of the player who wrote the entry before"),
    ):
        said = table.blocks[at].entry if not kind else table.entry(at, {}, kind, author)
        yield EvidenceRow("false", table.file, at, said.raw, b"", check, proven, comment)
    called = recorded("transcripts/caps-in-time.304")
    at = next(n for n, block in enumerate(called.blocks) if any(r.claim for r in block.receipts))
    claimant = next(r.author for r in called.blocks[at].receipts if r.claim is not None)
    said = called.entry(at + 1, {}, "spoilt", claimant)
    comment = "another call than was claimed: a claim alone is no call of Caps, and costs nothing"
    yield EvidenceRow("false", called.file, at + 1, said.raw, b"", "S02", True, comment)
    drawn = recorded("transcripts/drawn-seats.304")
    at, claims = CLAIMED_AT, {0: "spoilt", 1: "caps"}
    block = drawn.block(drawn.blocks[at].entry, claims)
    said = drawn.entry(at + 1, {}, "spoilt", 0)
    yield EvidenceRow(
        "false",
        drawn.file,
        at,
        said.raw,
        b"",
        "E01",
        False,
        "a call of a player whose claim comes behind another's",
        block,
    )


def _claims() -> Iterator[EvidenceRow]:
    """Receipts with claims that are false in two ways."""
    table = recorded("transcripts/closed.304")
    at = table.places("cut")[0]
    answered = table.blocks[at].entry
    author, name = answered.entry.author, answered.entry.table
    head, other = link_of(answered.raw), bytes(32)
    witness = (author + 1) % 4
    for check, who, seq, told, signer, comment in (
        ("L08", witness, at, other, witness, "a claim for another entry at that place"),
        ("L09", author, at, head, author, "a claim of the entry's author"),
        ("L09", author, at, other, author, "a claim of the entry's author, for another entry"),
        ("L04", witness, at + 1, other, witness, "a claim for the next place"),
        ("L07", witness, at + 1, other, author, "the same, signed by another player"),
        ("L07", author, at, head, witness, "a claim of the author, signed by another player"),
        ("L02", 7, at, other, witness, "a claim of a player who does not sit here"),
    ):
        claimed = sign_receipt(table.keys[signer], name, seq, told, who, "caps").encode()
        yield EvidenceRow("claim", table.file, at, claimed, answered.raw, check, False, comment)
    claimed = sign_receipt(table.keys[witness], name, at, head, witness, "caps").encode()
    yield EvidenceRow(
        "claim", table.file, at, claimed, answered.raw, "S03", True, "a claim while the pack is cut"
    )
    bent = table.entry(at, {"at": 32})
    over = sign_receipt(table.keys[witness], name, at, link_of(bent.raw), witness, "caps").encode()
    yield EvidenceRow(
        "claim", table.file, at, over, bent.raw, "D06", False, "a claim on an entry that is refused"
    )


def _parts() -> Iterator[EvidenceRow]:
    """Two words in the wrong order, one or both of them not signed."""
    case = parse_evidence_file((PROTOCOL / "evidence" / "words.evidence").read_bytes())
    file, places = "words/context.304", len(recorded("words/context.304").blocks)
    lesser, greater = sorted((case.first, case.second))
    for first, second, check, comment in (
        (_unsigned(greater), lesser, "W03", "the greater first, which is not signed"),
        (_unsigned(lesser), greater, "E01", "the lesser first, which is not signed"),
        (lesser, _unsigned(greater), "E01", "the lesser first, the greater is not signed"),
        (greater, greater, "W03", "one word twice"),
    ):
        comment = f"ready and stay of one round: {comment}"
        yield EvidenceRow("part", file, places, first, second, check, False, comment)
    yield from _words_of_the_absent_player()


def _words_of_the_absent_player() -> Iterator[EvidenceRow]:
    """No reader takes a part by its absent player, or about a player who does not sit here; signed
    they convict all the same."""
    table = recorded("words/context.304")
    last = len(table.blocks) - 1
    entry = table.blocks[last].entry
    author = (entry.entry.author + 1) % len(table.keys)
    answer = table.receipt(entry, author)
    for absent, comment in ((author, "by its absent player"), (7, "about a player of no seat")):
        where = replace(table.where(last, 0), absent=absent)
        ready = tuple(table.keys[0].sign(b"") for _ in range(len(table.keys) - 1))
        word = say(table.keys[author], "part", where, author, 0, ready).encode()
        comment = f"a part {comment}, and its author's receipt for that place"
        yield EvidenceRow("part", table.file, last + 1, word, answer.encode(), "E06", True, comment)


def _unsigned(raw: bytes) -> bytes:
    """The word with a bent signature; the last byte, so that the order of the words stays."""
    value: Any = decode(raw)
    return encode({**value, "sig": flipped(value["sig"], -1)})
