"""Transcript files (``.304``): settled entries with their receipts, the same bytes on every node.

Responsible for the file's bytes (SPEC.md, "Transcript files"); opening files is storage/files.py's.
A file is read block by block, and no more of it is held than the block in hand. `StoredBlocks`
knows where the blocks stand that have left memory, at 40 bytes each, and notices a file that is not
what this node wrote. Reading is handed in.

A file is the 8 bytes ``p2p304\\x00\\x01``, then a block for each entry: a 4-byte big-endian length,
then the canonical encoding of ``{entry: bytes, receipts: [{author, claim, sig}, …]}``. Where
players have parted from an absent player, the last block before that is ``{entry: bytes, parts:
[{author, sig}, …]}``: their signed parts replace the receipts.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Protocol

from p2p304.log.chain import Block, Chain, Parts
from p2p304.log.entry import (
    CLAIM_FORM,
    PLAYER_FORM,
    SIGNATURE_FORM,
    Receipt,
    Signed,
    Unverified,
    link_of,
    parse_entry,
)
from p2p304.log.faults import Refused
from p2p304.wire.canonical import Value, encode
from p2p304.wire.forms import Malformed, checked, exactly, many, octets

MAGIC = b"p2p304\x00\x01"
SUFFIX = ".304"
MAX_BLOCK = 128 * 1024
RECEIPTS_FORM = many(exactly({"author": PLAYER_FORM, "claim": CLAIM_FORM, "sig": SIGNATURE_FORM}))
"""Receipts for one entry: what the entry does not say."""
_PARTS_FORM = many(exactly({"author": PLAYER_FORM, "sig": SIGNATURE_FORM}))
_BLOCK = checked(
    exactly(
        {"entry": octets(), "receipts": RECEIPTS_FORM, "parts": _PARTS_FORM}, ("receipts", "parts")
    ),
    lambda fields: ("receipts" in fields) != ("parts" in fields),
    "it has neither receipts nor parts, or both",
)


class Unreadable(ValueError):
    """These bytes are not a transcript. That says nothing about the honesty of any player."""


class Source(Protocol):
    """What a transcript is read from: an open file, say. Fewer bytes than asked for are its end."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class RawBlock:
    """A block as read: well formed, but not verified. ``parts`` (players and their signatures) are
    None except in the last block before players have parted."""

    entry: Unverified
    receipts: tuple[Receipt, ...]
    parts: Parts | None = None


def transcript(chain: Chain, count: int) -> bytes:
    """Return the file of the first ``count`` places, all of which are settled."""
    return MAGIC + encoded_blocks(chain, 0, count)


def encoded_blocks(chain: Chain, first: int, end: int) -> bytes:
    """Return the settled blocks from place ``first`` to before ``end`` as they stand in the
    file."""
    kept = min(max(first, chain.first_kept), end)
    stored = chain.store.encoded(first, kept) if first < kept else b""
    return stored + b"".join(encode_block(chain.block(seq)) for seq in range(kept, end))


def encode_block(block: Block) -> bytes:
    """Return a settled block as it stands in a transcript file, with its length."""
    if block.parts is not None:
        return encode_last(block.signed.raw, block.parts)
    return _framed({"entry": block.signed.raw, "receipts": receipt_items(block.receipts)})


def encode_last(entry: bytes, parts: Parts) -> bytes:
    """Return the block of the last entry before all but one player have parted, with their
    signatures."""
    signed: list[Value] = [{"author": author, "sig": sig} for author, sig in parts]
    return _framed({"entry": entry, "parts": signed})


def receipt_items(receipts: Iterable[Receipt]) -> list[Value]:
    """Return what receipts for one entry say that the entry does not (`RECEIPTS_FORM`)."""
    return [{"author": r.author, "claim": r.claim, "sig": r.sig} for r in receipts]


def receipts_for(answered: Unverified, items: Iterable[dict[str, Any]]) -> tuple[Receipt, ...]:
    """Return the receipts for an entry, the inverse of `receipt_items`."""
    entry, head = answered.entry, link_of(answered.raw)
    return tuple(Receipt(entry.table, entry.seq, head, **item) for item in items)


def _framed(value: dict[str, Value]) -> bytes:
    body = encode(value)
    return len(body).to_bytes(4, "big") + body


def read_blocks(source: bytes | Source) -> Iterator[RawBlock]:
    """Yield the blocks of a transcript: of its bytes, or of a source that stands at its
    beginning; raises Unreadable at the first damaged byte."""
    file = BytesIO(source) if isinstance(source, bytes) else source
    if file.read(len(MAGIC)) != MAGIC:
        raise Unreadable("this is not a p2p304 transcript")
    at = len(MAGIC)
    while length := file.read(4):
        size = int.from_bytes(length, "big")
        # The bound stands before the reading: no length in a file makes us ask for more.
        body = file.read(size) if len(length) == 4 and size <= MAX_BLOCK else None
        if body is None or len(body) != size:
            raise Unreadable(f"the transcript breaks off or is damaged at byte {at}")
        yield _read_block(body, at)
        at += 4 + size


def _read_block(body: bytes, at: int) -> RawBlock:
    try:
        fields = _BLOCK.decode(body)
        entry = parse_entry(fields["entry"])
    except (Malformed, Refused) as error:
        raise Unreadable(f"the block at byte {at} is malformed: {error}") from error
    if "parts" in fields:
        return RawBlock(entry, (), tuple((part["author"], part["sig"]) for part in fields["parts"]))
    return RawBlock(entry, receipts_for(entry, fields["receipts"]))


Read = Callable[[int, int], bytes]
"""Returns so many bytes of the transcript file, from an offset on; fewer if it cannot."""
_DIGEST = 32


class BlocksLost(Exception):
    """The transcript file is not what this node has written. The node stops; the sentence says what
    to do."""


class StoredBlocks:
    """The stored blocks of one table, from place 0 on. A block may be added once it is in the
    file."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._ends = array("Q", [len(MAGIC)])
        """Where the first block begins, and where each block ends."""
        self._digests = bytearray()
        self._last: tuple[int, Block] | None = None
        """The block that was read last: mostly its receipts are wanted next."""

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, block: Block) -> None:
        """Take the next block."""
        raw = encode_block(block)
        self._ends.append(self._ends[-1] + len(raw))
        self._digests += _digest(raw)

    def block(self, seq: int) -> Block:
        """Return the block of a place; raises BlocksLost."""
        if self._last is None or self._last[0] != seq:
            (raw,) = read_blocks(MAGIC + self.encoded(seq, seq + 1))
            signed = Signed(raw.entry.entry, raw.entry.raw, link_of(raw.entry.raw))
            self._last = seq, Block(signed, raw.receipts, raw.parts)
        return self._last[1]

    def encoded(self, first: int, end: int) -> bytes:
        """Return the blocks from ``first`` to before ``end`` as they stand in the file; raises
        BlocksLost."""
        begin = self._ends[first]
        data = self._read(begin, self._ends[end] - begin)
        for seq in range(first, end):
            raw = data[self._ends[seq] - begin : self._ends[seq + 1] - begin]
            if _digest(raw) != self._digests[seq * _DIGEST : (seq + 1) * _DIGEST]:
                raise BlocksLost(
                    "The transcript of this table was changed, or it cannot be read. This program "
                    "stops. Resume the table, also if it is over: the file is then written again."
                )
        return data


def _digest(raw: bytes) -> bytes:
    return hashlib.sha256(raw).digest()
