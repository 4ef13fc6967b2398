"""Transcript files: blocks there and back, where a file breaks off, and every malformed block."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.log.chain import Chain
from p2p304.log.entry import sign_entry
from p2p304.log.transcript import MAGIC, Unreadable, encode_block, encode_last, read_blocks
from p2p304.log.transcript import transcript as file_of
from p2p304.wire.canonical import Value, encode
from tests.support.short_log import KEYS, TABLE, entry, grown, settle

ENTRY = entry(2).raw
RECEIPT: dict[str, Value] = {"author": 1, "claim": None, "sig": b"s" * 64}
PART: dict[str, Value] = {"author": 1, "sig": b"s" * 64}


def two_entries() -> Chain:
    chain = grown({1: "caps"})
    chain.append(chain.authenticate(entry(1, 1, chain.head)))
    settle(chain)
    return chain


def framed(value: Value) -> bytes:
    body = encode(value)
    return MAGIC + len(body).to_bytes(4, "big") + body


def malformed(value: Value) -> None:
    with pytest.raises(Unreadable):
        list(read_blocks(framed(value)))


def test_a_transcript_holds_the_settled_places_in_order() -> None:
    chain = two_entries()
    blocks = list(read_blocks(file_of(chain, 2)))
    assert [block.entry.raw for block in blocks] == [signed.raw for signed in chain.entries]
    assert [block.receipts for block in blocks] == [
        chain.block(0).receipts,
        chain.block(1).receipts,
    ]
    assert [block.parts for block in blocks] == [None, None]
    assert file_of(chain, 1) == MAGIC + encode_block(chain.block(0))
    assert file_of(chain, 0) == MAGIC == b"p2p304\x00\x01"


def test_a_block_of_parts_round_trips() -> None:
    parts = ((0, b"a" * 64), (7, b"b" * 64))
    block = replace(grown().block(0), receipts=(), parts=parts)
    assert encode_block(block) == encode_last(block.signed.raw, parts)
    (read,) = read_blocks(MAGIC + encode_block(block))
    assert (read.entry.raw, read.receipts, read.parts) == (block.signed.raw, (), parts)


def test_a_file_that_breaks_off_is_unreadable_after_its_whole_blocks() -> None:
    chain = two_entries()
    data = file_of(chain, 2)
    whole = {len(file_of(chain, count)): count for count in range(3)}
    for end in range(len(data)):
        blocks = read_blocks(data[:end])
        if end in whole:
            assert len(list(blocks)) == whole[end]
            continue
        match = "breaks off or is damaged at byte" if end > 8 else "not a p2p304 transcript"
        with pytest.raises(Unreadable, match=match):
            list(blocks)


@pytest.mark.parametrize("rest", [b"\x00", b"\x00" * 3, b"\xff" * 4, b"\x00\x00\x00\x01"])
def test_bytes_after_the_last_block_are_found_at_their_place(rest: bytes) -> None:
    data = file_of(grown(), 1)
    with pytest.raises(Unreadable, match=f"breaks off or is damaged at byte {len(data)}$"):
        list(read_blocks(data + rest))


def test_a_block_may_have_128_kib_and_no_more() -> None:
    def block(padding: int) -> bytes:
        long = sign_entry(KEYS[0], TABLE, 0, bytes(32), 0, "say", {"x": bytes(padding)})
        return framed({"entry": long.raw, "receipts": []})

    fits = 100_000 + len(MAGIC) + 4 + 128 * 1024 - len(block(100_000))
    assert len(block(fits)) == len(MAGIC) + 4 + 131_072
    assert len(list(read_blocks(block(fits)))) == 1
    with pytest.raises(Unreadable, match="damaged at byte 8"):
        list(read_blocks(block(fits + 1)))


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"entry": ENTRY},
        {"entry": ENTRY, "receipts": [], "parts": []},
        {"entry": ENTRY, "receipts": [], "more": []},
        {"entry": ENTRY, "receipts": None},
        {"entry": ENTRY, "receipts": {}},
        {"entry": ENTRY, "parts": None},
        {"entry": None, "receipts": []},
        {"entry": "x", "receipts": []},
        {"entry": b"", "receipts": []},
    ],
)
def test_a_malformed_block_is_unreadable(value: Value) -> None:
    malformed(value)


def test_a_block_with_no_receipts_or_parts_is_read() -> None:
    (block,) = read_blocks(framed({"entry": ENTRY, "receipts": []}))
    assert (block.receipts, block.parts) == ((), None)
    (block,) = read_blocks(framed({"entry": ENTRY, "parts": []}))
    assert (block.receipts, block.parts) == ((), ())


@pytest.mark.parametrize(
    "receipt",
    [
        None,
        [],
        {},
        {**RECEIPT, "author": 8},
        {**RECEIPT, "author": -1},
        {**RECEIPT, "claim": "more"},
        {**RECEIPT, "sig": b"s" * 63},
        {**RECEIPT, "more": 1},
        {"author": 1, "sig": b"s" * 64},
    ],
)
def test_a_malformed_receipt_is_unreadable(receipt: Value) -> None:
    malformed({"entry": ENTRY, "receipts": [receipt]})


@pytest.mark.parametrize("author", [0, 7])
def test_receipts_and_parts_of_every_player_are_read(author: int) -> None:
    (block,) = read_blocks(framed({"entry": ENTRY, "receipts": [{**RECEIPT, "author": author}]}))
    assert [(each.author, each.claim, each.sig) for each in block.receipts] == [
        (author, None, b"s" * 64)
    ]
    (block,) = read_blocks(framed({"entry": ENTRY, "parts": [{**PART, "author": author}]}))
    assert block.parts == ((author, b"s" * 64),)


@pytest.mark.parametrize(
    "part",
    [
        None,
        [],
        {},
        {**PART, "author": 8},
        {**PART, "author": -1},
        {**PART, "author": True},
        {**PART, "author": None},
        {**PART, "sig": b"s" * 63},
        {**PART, "sig": b"s" * 65},
        {**PART, "sig": "s" * 64},
        {**PART, "claim": None},
        {"author": 1},
    ],
)
def test_a_malformed_part_is_unreadable(part: Value) -> None:
    malformed({"entry": ENTRY, "parts": [part]})
