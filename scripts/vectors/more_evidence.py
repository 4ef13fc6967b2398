"""Evidence files that two programs could judge differently, made from those that table.py makes:
halves that are malformed, in another order, or of another place; two faults in one file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from p2p304.log.entry import sign_receipt
from p2p304.log.transcript import read_blocks
from p2p304.table.evidence.evidence_file import EvidenceFile, parse_evidence_file
from p2p304.wire.canonical import decode, encode
from scripts.vectors.forged import flipped
from tests.support.table import simnet

Vector = tuple[bytes, str, str | None, str]
CLAIM_SEED = 3
"""The seed of the game in claim.evidence, whose keys sign here."""


def more_evidence(made: dict[str, Vector]) -> dict[str, Vector]:
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
        **_claims(files["claim"]),
        **_boxes(files["box"]),
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
    other = sign_receipt(key, earlier.table, earlier.seq, earlier.head, earlier.author, "caps")
    return {
        "claim-bent": (replace(file, first=_bent(file.first)), "L07", "a receipt that is bent"),
        "claim-earlier": (
            replace(file, first=earlier.encode()),
            "E01",
            "a receipt of an earlier place, as the log has it",
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
