"""The transcript of a resumed table is written again where it is not what the journal says."""

from __future__ import annotations

import pytest

from p2p304.log.transcript import MAGIC
from p2p304.table.exchange.journal_replay import RestoredTranscript

BLOCKS = (b"first block", b"second", b"the third block", b"x")
WHOLE = MAGIC + b"".join(BLOCKS)


def missing(file: bytes, blocks: tuple[bytes, ...] = BLOCKS) -> bytes | None:
    restored = RestoredTranscript(lambda at, size: file[at : at + size])
    for block in blocks:
        restored.add(block)
    return restored.missing()


def test_a_file_that_holds_all_is_left_alone() -> None:
    assert missing(WHOLE) is None and missing(MAGIC, ()) is None


@pytest.mark.parametrize("at", range(len(WHOLE)))
def test_a_file_that_is_cut_or_damaged_anywhere_is_written_anew(at: int) -> None:
    assert missing(WHOLE[:at]) == WHOLE
    assert missing(WHOLE[:at] + bytes([WHOLE[at] ^ 1]) + WHOLE[at + 1 :]) == WHOLE


def test_a_file_that_holds_more_is_written_anew() -> None:
    """A block that was settled here and is in no journal any more, say."""
    assert missing(WHOLE + b"more") == WHOLE
    assert missing(WHOLE, BLOCKS[:2]) == MAGIC + b"".join(BLOCKS[:2])
    assert missing(WHOLE, ()) == MAGIC
