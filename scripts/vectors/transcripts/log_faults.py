"""Transcripts with an entry or a receipt that does not belong where it stands (SPEC.md, "Entries
and receipts")."""

from __future__ import annotations

from typing import Any

from p2p304.log.entry import link_of, parse_entry, sign_entry, sign_receipt
from p2p304.log.transcript import MAGIC, RawBlock
from scripts.vectors.index import Vector
from scripts.vectors.transcripts.signed_blocks import SEED
from tests.support.cheats.receipts import over_a_claim
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.table import simnet


def log_faults(blocks: list[RawBlock]) -> dict[str, Vector]:
    """Blocks that do not belong where they stand."""
    keys = simnet.signing_keys(SEED, 4)
    at = 6
    start = MAGIC + b"".join(map(raw_block, blocks[:at]))
    entry = blocks[at].entry.entry
    author = keys[entry.author]

    def block(
        table: bytes = entry.table,
        prev: bytes = entry.prev,
        who: int = entry.author,
        key: Any = author,
    ) -> RawBlock:
        false = sign_entry(key, table, at, prev, who, entry.kind, entry.body)
        return RawBlock(false, ())

    claiming = [
        sign_receipt(keys[r.author], r.table, r.seq, r.head, r.author, "caps")
        for r in blocks[at].receipts
    ]
    own = sign_receipt(author, entry.table, at, blocks[at].receipts[0].head, entry.author, None)
    twice = (*blocks[at].receipts, claiming[1])
    lies = {
        "L01": (block(table=bytes(32)), "an entry of another table"),
        "L02": (block(who=7), "an entry by a fifth player"),
        "L03": (block(key=keys[(entry.author + 1) % 4]), "signed by another player"),
        "L05": (block(prev=bytes(32)), "it follows another entry"),
        "L09": (RawBlock(blocks[at].entry, (own,)), "a receipt for its author's own entry"),
        "L10": (RawBlock(blocks[at].entry, twice), "two receipts of one player, one with a claim"),
        "S03": (RawBlock(blocks[at].entry, tuple(claiming)), "a claim before there is a hand"),
    }
    return {
        f"{check}.304": (start + raw_block(false), "not sound", check, f"log: {comment}")
        for check, (false, comment) in lies.items()
    }


def entry_over_claim() -> Vector:
    """Who plays although another's claim has taken the floor, and everybody receipts it."""
    ignored = over_a_claim()
    chain, tables = ignored.net.tables[0].chain, ignored.net.tables
    blocks = [
        RawBlock(parse_entry(chain.entries[seq].raw), chain.block(seq).receipts)
        for seq in range(chain.next_seq)
    ]
    entry, head = parse_entry(ignored.entry), link_of(ignored.entry)
    receipts = tuple(
        sign_receipt(tables[n].me.key, chain.table, chain.next_seq, head, n, None)
        for n in ((ignored.player + step) % 4 for step in range(1, 4))
    )
    data = MAGIC + b"".join(map(raw_block, [*blocks, RawBlock(entry, receipts)]))
    return data, "not sound", "S04", "log: played over another's claim; nobody is named"
