"""Evidence over the beginnings of recorded tables: halves that are false in two ways, and what
convicts nobody (SPEC.md, "Evidence files")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from p2p304.log.entry import link_of, sign_receipt
from p2p304.table.evidence.evidence_file import EvidenceFile, parse_evidence_file
from p2p304.wire.canonical import decode, encode
from scripts.vectors import index
from scripts.vectors.derived.log import CLAIMED_AT
from scripts.vectors.derived.recorded import recorded
from scripts.vectors.forged import flipped
from tests.support.paths import PROTOCOL


@dataclass(frozen=True)
class EvidenceRow:
    """Two halves over the first ``places`` blocks of a recorded table, and the check that convicts
    (``proven``) or refuses them."""

    kind: str
    file: str
    places: int
    first: bytes
    second: bytes
    check: str
    proven: bool
    comment: str
    rest: bytes = b""
    """Blocks that follow those of the recorded table."""

    @property
    def evidence(self) -> bytes:
        log = recorded(self.file).beginning(self.places) + self.rest
        return EvidenceFile(self.kind, self.first, self.second, log).encode()

    def told(self) -> dict[str, Any]:
        expect = "proven" if self.proven else "nothing"
        told = index.row(self.file, (self.evidence, expect, self.check, self.comment))
        del told["file"]
        first, second = self.first.hex(), self.second.hex()
        log = {"from": self.file, "places": self.places, "rest": self.rest.hex()}
        return {**log, "kind": self.kind, "first": first, "second": second, **told}


def evidence() -> Iterator[EvidenceRow]:
    yield from _false_entries()
    yield from _claims()
    yield from _parts()


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


def _unsigned(raw: bytes) -> bytes:
    """The word with a bent signature; the last byte, so that the order of the words stays."""
    value: Any = decode(raw)
    return encode({**value, "sig": flipped(value["sig"], -1)})
