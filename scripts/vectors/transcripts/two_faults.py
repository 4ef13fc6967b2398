"""Transcripts on which programs could name different checks: two faults at one place, and faults of
form that make a file unreadable."""

from __future__ import annotations

from p2p304.log.entry import Unverified, sign_entry, sign_receipt
from p2p304.log.transcript import MAGIC, RawBlock
from scripts.vectors.index import Vector
from scripts.vectors.transcripts.signed_blocks import SEED, first, flipped, forged
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.table import simnet

AT = 6
LONG_MAP = b"\xde\x00\x08"
"""A map of eight pairs, with its count in two bytes more than it needs."""


def two_faults(blocks: list[RawBlock]) -> dict[str, Vector]:
    """File name to bytes, verdict, check and comment."""
    start = MAGIC + b"".join(map(raw_block, blocks[:AT]))
    block, keys = blocks[AT], simnet.signing_keys(SEED, 4)
    entry, (one, two, three) = block.entry.entry, block.receipts
    other = keys[(entry.author + 1) % 4]
    late = sign_entry(other, entry.table, AT + 1, entry.prev, entry.author, entry.kind, entry.body)
    ninth = sign_entry(other, entry.table, AT, entry.prev, 8, entry.kind, entry.body)
    longer = Unverified(entry, LONG_MAP + block.entry.raw[1:])
    bent = type(one)(one.table, one.seq, one.head, one.author, one.claim, flipped(one.sig))
    shuffle, play = first(blocks, "shuffle"), first(blocks, "play")
    deck = blocks[shuffle].entry.entry.body["deck"]
    proof = blocks[play].entry.entry.body["proof"]
    doubled = [*deck[1:], deck[1]] if isinstance(deck, list) else []
    agreed, (first_, *more) = blocks[0].entry, blocks[0].receipts
    claimed = sign_receipt(keys[first_.author], first_.table, 0, first_.head, first_.author, "caps")
    files = {
        "claim-at-0": (
            MAGIC + raw_block(RawBlock(agreed, (claimed, *more))),
            "S03",
            "a claim on a receipt for the agreement: its author is named",
        ),
        "receipts-at-0": (
            MAGIC + raw_block(RawBlock(agreed, (first_, claimed, *more))),
            "L10",
            "two receipts of one player for the agreement: likewise",
        ),
        "longer-entry": (
            start + raw_block(RawBlock(longer, block.receipts)),
            None,
            "an entry that is not canonical",
        ),
        "ninth-author": (
            start + raw_block(RawBlock(ninth, block.receipts)),
            None,
            "an entry of player 8",
        ),
        "signature-and-place": (
            start + raw_block(RawBlock(late, block.receipts)),
            "L03",
            "another player's signature, and the next place",
        ),
        "form-and-kind": (
            forged(blocks, shuffle, {"x": 1}, "cut"),
            "W04",
            "a malformed body, of a kind that is not due",
        ),
        "key-and-deck": (
            forged(blocks, shuffle, {"deck": doubled, "key": bytes(32)}),
            "D01",
            "the identity as a key, and a card twice",
        ),
        "card-and-proof": (
            forged(blocks, play, {"card": "6S", "proof": flipped(proof)}),
            "P06",
            "a card of no pack, and a bent proof",
        ),
        "receipt-bent-and-missing": (
            start + raw_block(RawBlock(block.entry, (bent, two))),
            "L07",
            "one receipt bent, another one missing",
        ),
        "receipt-twice": (
            start + raw_block(RawBlock(block.entry, (one, two, three, three))),
            "L12",
            "a receipt twice",
        ),
    }
    return {
        f"{name}.304": (data, "unreadable" if check is None else "not sound", check, comment)
        for name, (data, check, comment) in files.items()
    }
