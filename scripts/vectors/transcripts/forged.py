"""Transcripts with one false entry, as a table of four cheats would write them."""

from __future__ import annotations

from p2p304.log.chain import Chain
from p2p304.log.entry import sign_entry, sign_receipt
from p2p304.log.transcript import MAGIC, RawBlock, encode_block
from p2p304.wire.canonical import Value
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.table import simnet

SEED = 2


def forged(
    blocks: list[RawBlock], at: int, change: dict[str, Value], kind: str = "", seed: int = SEED
) -> bytes:
    """The transcript up to place ``at``, where the author signs another body, which everybody
    receipts: as a table of four cheats would write it. The players' keys come from ``seed``."""
    keys = simnet.signing_keys(seed, 4)
    entry = blocks[at].entry.entry
    body = {**entry.body, **change} if not kind else change
    false = sign_entry(
        keys[entry.author], entry.table, at, entry.prev, entry.author, kind or entry.kind, body
    )
    chain = Chain(entry.table, tuple(key.public for key in keys))
    for before in blocks[:at]:
        chain.append(chain.authenticate(before.entry))
        for receipt in before.receipts:
            chain.add_receipt(receipt)
    chain.append(chain.authenticate(false))
    for player in range(4):
        if player != entry.author:
            chain.add_receipt(sign_receipt(keys[player], entry.table, at, chain.head, player, None))
    return MAGIC + b"".join([*map(raw_block, blocks[:at]), encode_block(chain.block(at))])


def first(blocks: list[RawBlock], kind: str) -> int:
    return next(n for n, block in enumerate(blocks) if block.entry.entry.kind == kind)


def flipped(value: Value, at: int = 0) -> bytes:
    data = bytearray(value if isinstance(value, bytes) else b"")
    data[at] ^= 1
    return bytes(data)
