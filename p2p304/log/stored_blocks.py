"""Settled blocks that have left memory, and are read from the transcript file when needed.

Responsible for where each block stands in the file, and for noticing that the file is not what this
node wrote. A block costs 40 bytes of memory. The bytes of a block are transcript.py's; when it
leaves memory is table/node/table_machine.py's. Reading is handed in, so there is no I/O here.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable

from p2p304.log.chain import Block
from p2p304.log.entry import Signed, link_of
from p2p304.log.transcript import MAGIC, encode_block, read_blocks

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
