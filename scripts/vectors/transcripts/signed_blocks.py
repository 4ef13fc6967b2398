"""Blocks as the players of a table sign them: its agreement, an entry with all receipts, and one
false entry that everybody signs, as a table of four cheats would write it.
"""

from __future__ import annotations

from p2p304.crypto.signing import SigningKey
from p2p304.log.chain import Chain
from p2p304.log.entry import Unverified, link_of, sign_entry, sign_receipt
from p2p304.log.transcript import MAGIC, RawBlock, encode_block
from p2p304.table.agreement.terms import Terms, assent
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


def first_entry(terms: Terms, keys: list[SigningKey]) -> Unverified:
    """The agreement, with everybody's assent."""
    assents: list[Value] = [assent(key, terms.table) for key in keys]
    body: dict[str, Value] = {"terms": terms.to_value(), "assents": assents}
    return sign_entry(keys[0], terms.table, 0, bytes(32), 0, "agreement", body)


def first_block(terms: Terms, keys: list[SigningKey]) -> bytes:
    """Entry 0 with everybody's receipts."""
    return receipted(first_entry(terms, keys), terms, keys)


def receipted(entry: Unverified, terms: Terms, keys: list[SigningKey]) -> bytes:
    """The block of an entry with the receipts of all others, from the author's right."""
    head, said = link_of(entry.raw), entry.entry
    right = [(said.author + n) % len(keys) for n in range(1, len(keys))]
    signed = [sign_receipt(keys[n], terms.table, said.seq, head, n, None) for n in right]
    return raw_block(RawBlock(entry, tuple(signed)))


def first(blocks: list[RawBlock], kind: str) -> int:
    return next(n for n, block in enumerate(blocks) if block.entry.entry.kind == kind)


def flipped(value: Value, at: int = 0) -> bytes:
    data = bytearray(value if isinstance(value, bytes) else b"")
    data[at] ^= 1
    return bytes(data)
