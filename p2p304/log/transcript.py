"""Transcript files (``.304``): settled entries with their receipts, the same bytes on every node.

Responsible for the file's bytes (SPEC.md, "Transcript files"); opening files is storage/files.py's.
A file is the 8 bytes ``p2p304\\x00\\x01``, then a block for each entry: a 4-byte big-endian length,
then the canonical encoding of ``{entry: bytes, receipts: [{author, claim, sig}, …]}``. Where
players have parted from an absent player, the last block before that is ``{entry: bytes, parts:
[{author, sig}, …]}``: their signed parts replace the receipts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from p2p304.log.chain import Block, Chain, Parts
from p2p304.log.entry import (
    MAX_PLAYERS,
    SIGNATURE,
    Receipt,
    Unverified,
    link_of,
    parse_entry,
    parse_receipt,
)
from p2p304.log.faults import Refused
from p2p304.wire.canonical import NotCanonical, Value, decode, encode

MAGIC = b"p2p304\x00\x01"
SUFFIX = ".304"
MAX_BLOCK = 128 * 1024


class Unreadable(ValueError):
    """These bytes are not a transcript. That says nothing about the honesty of any player."""


@dataclass(frozen=True, slots=True)
class RawBlock:
    """A block as read: well formed, but not verified. ``parts`` (players and their signatures) are
    None except in the last block before players have parted."""

    entry: Unverified
    receipts: tuple[Receipt, ...]
    parts: Parts | None = None


def transcript(chain: Chain, count: int) -> bytes:
    """Return the file of the first ``count`` places, all of which are settled."""
    return MAGIC + b"".join(encode_block(chain.block(seq)) for seq in range(count))


def encode_block(block: Block) -> bytes:
    """Return a settled block as it stands in a transcript file, with its length."""
    if block.parts is not None:
        return encode_last(block.signed.raw, block.parts)
    return _framed(
        {
            "entry": block.signed.raw,
            "receipts": [
                {"author": r.author, "claim": r.claim, "sig": r.sig} for r in block.receipts
            ],
        }
    )


def encode_last(entry: bytes, parts: Parts) -> bytes:
    """Return the block of the last entry before all but one player have parted, with their
    signatures."""
    signed: list[Value] = [{"author": author, "sig": sig} for author, sig in parts]
    return _framed({"entry": entry, "parts": signed})


def _framed(value: dict[str, Value]) -> bytes:
    body = encode(value)
    return len(body).to_bytes(4, "big") + body


def read_blocks(data: bytes) -> Iterator[RawBlock]:
    """Yield the blocks of a transcript file's bytes; raises Unreadable at the first damaged
    byte."""
    if not data.startswith(MAGIC):
        raise Unreadable("this is not a p2p304 transcript")
    at = len(MAGIC)
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        body = data[at + 4 : at + 4 + size]
        if len(data) < at + 4 or size > MAX_BLOCK or len(body) != size:
            raise Unreadable(f"the transcript breaks off or is damaged at byte {at}")
        yield _read_block(body, at)
        at += 4 + size


def _read_block(body: bytes, at: int) -> RawBlock:
    try:
        value = decode(body)
        names = set(value) if isinstance(value, dict) else set()
        if not isinstance(value, dict) or names not in ({"entry", "receipts"}, {"entry", "parts"}):
            raise Unreadable(f"the block at byte {at} is malformed")
        raw, items = value["entry"], value.get("receipts", value.get("parts"))
        if not isinstance(raw, bytes) or not isinstance(items, list):
            raise Unreadable(f"the block at byte {at} is malformed")
        entry = parse_entry(raw)
        if "parts" in value:
            return RawBlock(entry, (), tuple(_read_part(item) for item in items))
        return RawBlock(entry, tuple(_read_receipt(item, entry, link_of(raw)) for item in items))
    except (NotCanonical, Refused) as error:
        raise Unreadable(f"the block at byte {at} is malformed: {error}") from error


def _read_part(item: object) -> tuple[int, bytes]:
    if not isinstance(item, dict) or set(item) != {"author", "sig"}:
        raise Unreadable("a part is malformed")
    author, sig = item["author"], item["sig"]
    number = isinstance(author, int) and not isinstance(author, bool)
    if not number or not 0 <= author < MAX_PLAYERS:
        raise Unreadable("a part is of no player")
    if not isinstance(sig, bytes) or len(sig) != SIGNATURE:
        raise Unreadable("a part's signature is not of its size")
    return author, sig


def _read_receipt(item: object, entry: Unverified, head: bytes) -> Receipt:
    if not isinstance(item, dict):
        raise Unreadable("a receipt is no map")
    return parse_receipt(
        encode({**item, "head": head, "seq": entry.entry.seq, "table": entry.entry.table})
    )
