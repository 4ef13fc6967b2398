"""Evidence files that two programs could judge differently, made from those of evidence_files.py:
halves that are malformed, in another order, or of another place; two faults in one file; and files
of a table whose hand is played out without a player."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from p2p304.log.entry import sign_receipt
from p2p304.log.evidence import of_split
from p2p304.log.transcript import MAGIC, encode_block, read_blocks
from p2p304.table.evidence.evidence_file import EvidenceFile, of_contradiction, parse_evidence_file
from p2p304.wire.canonical import decode, encode
from scripts.vectors.index import Vector
from scripts.vectors.transcripts.signed_blocks import flipped
from tests.support.edwards import SignsAnew
from tests.support.hostile import false_words, word_rows
from tests.support.hostile.false_boxes import (
    AboutInAnotherOrder,
    AboutSomethingElse,
    with_false_box,
)
from tests.support.table import simnet

CLAIM_SEED = 3
"""The seed of the game in claim.evidence, whose keys sign here."""


def edge_cases(made: dict[str, Vector]) -> dict[str, Vector]:
    """File name to bytes, verdict, check and comment; ``made`` are the files made before."""
    files = {name: parse_evidence_file(made[f"{name}.evidence"][0]) for name in _FROM}
    false, part, words = (files[name] for name in ("false", "part", "words"))
    nothing: dict[str, tuple[EvidenceFile, str, str]] = {
        "no-entry": (replace(false, first=b""), "W01", "its first half is no entry"),
        "no-entry-and-log": (
            replace(files["log"], first=b""),
            "L07",
            "its first half is no entry, and its log is bent",
        ),
        "part-garbage": (replace(part, second=b"\xc1"), "W03", "a part, and bytes of no value"),
        "part-no-word": (replace(part, second=encode({"t": "part"})), "W07", "a part, and no word"),
        "part-no-receipt": (
            replace(part, second=encode({"claim": None})),
            "W02",
            "a part, and a map with a claim that is no receipt",
        ),
        "part-no-entry": (replace(part, second=encode({})), "W01", "a part, and an empty map"),
        "part-elsewhere": (
            replace(part, first=_changed(part.first, table=bytes(32))),
            "E01",
            "a part of another table",
        ),
        "part-bent": (
            replace(part, second=_bent(part.second)),
            "E01",
            "a part, and a receipt for a later place that its author has not signed",
        ),
        "words-turned": (
            replace(words, first=words.second, second=words.first),
            "W03",
            "ready and stay of one round, the greater bytes first",
        ),
        "words-turned-elsewhere": (
            replace(words, first=_changed(words.second, table=bytes(32)), second=words.first),
            "E01",
            "the greater bytes first, and these are a word of another table",
        ),
        "words-turned-bent": (
            replace(words, first=words.second, second=_bent(words.first)),
            "W03",
            "the greater bytes first, and the others are not signed",
        ),
        **_claims(files["claim"]),
        **_boxes(files["box"]),
        **_after_a_parting(),
    }
    fork = files["fork"]
    turned = replace(fork, first=fork.second, second=fork.first).encode()
    return {
        "cut-head.evidence": (
            made["false.evidence"][0][:60],
            "nothing",
            "W03",
            "it ends within its head",
        ),
        "fork-turned.evidence": (turned, "proven", "L11", "a fork, the greater bytes first"),
        **{
            f"{name}.evidence": (file.encode(), "nothing", check, comment)
            for name, (file, check, comment) in nothing.items()
        },
        **_boxes_about_something_else(),
        **_splits_around_a_parting(),
    }


_FROM = ("false", "log", "part", "words", "claim", "box", "fork")


def _changed(raw: bytes, **fields: Any) -> bytes:
    value: Any = decode(raw)
    return encode({**value, **fields})


def _bent(raw: bytes) -> bytes:
    value: Any = decode(raw)
    return _changed(raw, sig=flipped(value["sig"]))


def _claims(file: EvidenceFile) -> dict[str, tuple[EvidenceFile, str, str]]:
    """Receipts that prove nothing: a bent one, and two of one player for an earlier place."""
    *_, last = read_blocks(file.transcript)
    earlier = last.receipts[0]
    key = simnet.signing_keys(CLAIM_SEED, 4)[earlier.author]
    place = (earlier.table, earlier.seq, earlier.head, earlier.author)
    other = sign_receipt(key, *place, "caps")
    anew = sign_receipt(SignsAnew.of(key), *place, earlier.claim)
    return {
        "claim-bent": (replace(file, first=_bent(file.first)), "L07", "a receipt that is bent"),
        "claim-earlier": (
            replace(file, first=earlier.encode()),
            "E01",
            "a receipt of an earlier place, as the log has it",
        ),
        "claim-earlier-anew": (
            replace(file, first=anew.encode()),
            "E01",
            "the same receipt with a second signature",
        ),
        "claim-twice": (
            replace(file, first=other.encode()),
            "L10",
            "a second receipt of an earlier place: as a split it would convict",
        ),
    }


def _boxes(file: EvidenceFile) -> dict[str, tuple[EvidenceFile, str, str]]:
    """What opens a false box, with one field changed."""

    def opened(**fields: Any) -> EvidenceFile:
        return replace(file, second=_changed(file.second, **fields))

    return {
        "box-short-proof": (opened(proof=b""), "E01", "no proof opens the box"),
        "box-high-seat": (opened(seat=2**64 - 1), "E01", "a seat that no table has"),
        "box-below-seats": (opened(seat=-1), "W03", "seat -1"),
        "box-identity": (opened(point=bytes(32)), "W03", "the identity as a point"),
        "box-no-map": (replace(file, second=b"\xc0"), "W03", "nil opens the box"),
        "box-no-entry": (replace(file, first=b"\xc0"), "W01", "the box is in no entry"),
        "box-nothing": (replace(file, first=b"", second=b""), "W01", "neither half is there"),
    }


def _boxes_about_something_else() -> dict[str, Vector]:
    """Boxes with the published share, which their receiver opens to another one."""
    kinds = {"box-about": AboutSomethingElse, "box-about-turned": AboutInAnotherOrder}
    comments = ("for 64 bytes 00", "for its point and then the key; K comes first")
    made: dict[str, Vector] = {}
    for (name, kind), comment in zip(kinds.items(), comments, strict=True):
        outcome, _ = with_false_box(kind)
        file = outcome.net.evidence[outcome.honest[0]]
        made[f"{name}.evidence"] = (file, "proven", "D13", f"a share sealed {comment}")
    return made


def _after_a_parting() -> dict[str, tuple[EvidenceFile, str, str]]:
    """An honest part and what its author signed under the second name of the table; receipts of the
    player who is gone."""
    net = word_rows.parted_game()
    chain, at = net.tables[0].chain, word_rows.parting(net)
    gone, (*_, late) = at.absent, word_rows.present(net)
    blocks = [encode_block(chain.block(seq)) for seq in range(chain.next_seq)]
    answered = at.seq + 3

    def receipt(author: int, seq: int, table: bytes, claim: str | None = None) -> bytes:
        key, head = net.tables[author].me.key, chain.entry(seq).link
        return sign_receipt(key, table, seq, head, author, claim).encode()

    def shown(first: bytes) -> EvidenceFile:
        start = MAGIC + b"".join(blocks[:answered])
        return EvidenceFile("claim", first, chain.entry(answered).raw, start)

    first, second = chain.tables
    receipted = next(seq for seq in range(10, at.seq) if chain.receipt_of(seq, gone))
    part = false_words.word(net, "part", at, late).encode()
    on = EvidenceFile("part", part, receipt(late, at.seq, second), MAGIC + b"".join(blocks))
    return {
        "part-and-on": (on, "E01", "an honest part, and what follows under the second name"),
        "gone-claims": (
            shown(receipt(gone, answered, second, "caps")),
            "L09",
            "a claim of the player who is gone, after the parting",
        ),
        "gone-claims-first-name": (
            shown(receipt(gone, answered, first, "caps")),
            "L01",
            "the same under the first name of the table",
        ),
        "gone-claims-last": (
            shown(receipt(gone, at.seq - 1, first, "caps")),
            "E01",
            "its claim on the entry before the parting, whose block has parts",
        ),
        "gone-claims-earlier": (
            shown(receipt(gone, receipted, first, "caps")),
            "L10",
            "its claim at an earlier place, where the log has its receipt without",
        ),
        "gone-receipts-earlier": (
            shown(receipt(gone, receipted, first)),
            "E01",
            "its receipt of an earlier place, as the log has it",
        ),
    }


def _splits_around_a_parting() -> dict[str, Vector]:
    """Two receipts of one player for one place, under either name of the table."""
    net = word_rows.parted_game()
    chain, at = net.tables[0].chain, word_rows.parting(net)
    (*_, late) = word_rows.present(net)
    made: dict[str, Vector] = {}
    places = (at.seq - 1, at.seq)
    for name, table, seq in zip(("first", "second"), chain.tables, places, strict=True):
        split = [
            sign_receipt(net.tables[late].me.key, table, seq, head, late, None).encode()
            for head in (chain.entry(seq).link, bytes(32))
        ]
        file = of_contradiction(chain, of_split(*split)).encode()
        comment = f"two receipts for one place, under the {name} name of a parted table"
        made[f"split-{name}-name.evidence"] = (file, "proven", "L10", comment)
    return made
