"""What is kept of messages that come too soon: little of each peer, and nothing by which one peer
displaces what another sent."""

from __future__ import annotations

from dataclasses import replace

from p2p304.log.entry import Receipt, sign_receipt
from p2p304.table.exchange.lookahead import MAX_AHEAD, LookaheadBuffer
from p2p304.wire.framing import FrameKind
from tests.support.short_log import KEYS, PLAYERS, TABLE, entry

AUTHOR, LIAR, STRANGER = PLAYERS[1], PLAYERS[2], KEYS[4].public
NEXT = 5
"""The next place of the log."""


def receipt(author: int = 1, seq: int = NEXT, head: bytes = bytes(32)) -> Receipt:
    return sign_receipt(KEYS[author], TABLE, seq, head, author, None)


def kept_entry(seq: int) -> bool:
    buffer = LookaheadBuffer(PLAYERS)
    buffer.keep_entry(AUTHOR, entry(1, seq), NEXT)
    return len(buffer) == 1


def test_entries_and_receipts_are_kept_for_the_next_place_and_the_one_after() -> None:
    assert [kept_entry(seq) for seq in (NEXT, NEXT + 1, NEXT + 2, NEXT + 3)] == [True] * 2 + [
        False
    ] * 2
    buffer = LookaheadBuffer(PLAYERS)
    for seq in (NEXT, NEXT + 1, NEXT + 2):
        buffer.keep_receipt(AUTHOR, receipt(seq=seq), NEXT)
    assert [len(buffer.receipts_for(seq)) for seq in (NEXT, NEXT + 1, NEXT + 2)] == [1, 1, 0]
    assert len(buffer) == 0


def test_each_peer_has_room_of_its_own_and_fills_no_other() -> None:
    buffer = LookaheadBuffer(PLAYERS)
    flood = [entry(1, NEXT, word=str(n)) for n in range(9)]
    for one in flood:
        for _ in range(3):
            buffer.keep_entry(LIAR, one, NEXT)
    true = entry(1, NEXT)
    buffer.keep_entry(AUTHOR, true, NEXT)
    assert buffer.entries_for(NEXT) == [(AUTHOR, true), *((LIAR, one) for one in flood[:MAX_AHEAD])]
    assert buffer.entries_for(NEXT) == []


def test_the_same_receipt_is_kept_once_and_few_of_one_player() -> None:
    buffer = LookaheadBuffer(PLAYERS)
    flood = [receipt(head=bytes([n]) * 32) for n in range(9)]
    for one in (*flood[:1] * 3, *flood):
        buffer.keep_receipt(LIAR, one, NEXT)
    buffer.keep_receipt(AUTHOR, flood[8], NEXT)
    buffer.keep_receipt(LIAR, receipt(3), NEXT)
    taken = buffer.receipts_for(NEXT)
    assert taken[0] == (AUTHOR, flood[8]), "an author's own word comes first"
    assert [one for peer, one in taken if peer == LIAR] == [*flood[:MAX_AHEAD], receipt(3)]
    assert buffer.receipts_for(NEXT) == [] and len(buffer) == 0


def test_what_is_kept_for_places_that_are_past_is_dropped() -> None:
    buffer = LookaheadBuffer(PLAYERS)
    for seq in (NEXT, NEXT + 1):
        buffer.keep_entry(AUTHOR, entry(1, seq), NEXT)
        buffer.keep_receipt(AUTHOR, receipt(seq=seq), NEXT)
    assert len(buffer) == 4
    assert buffer.receipts_for(NEXT + 1) == [(AUTHOR, receipt(seq=NEXT + 1))]
    assert len(buffer) == 0
    buffer.keep_entry(AUTHOR, entry(1, NEXT + 1), NEXT)
    assert buffer.receipts_for(NEXT) == []
    assert [one for _, one in buffer.entries_for(NEXT + 1)] == [entry(1, NEXT + 1)]


def test_a_peer_is_given_what_it_has_signed_itself_whoever_passed_it_on() -> None:
    buffer = LookaheadBuffer(PLAYERS)
    own, seen = entry(1, NEXT), receipt(1, NEXT + 1)
    buffer.keep_entry(LIAR, own, NEXT)
    buffer.keep_entry(AUTHOR, own, NEXT)
    buffer.keep_receipt(LIAR, seen, NEXT)
    forged = entry(1, NEXT + 1).entry
    false = replace(entry(1, NEXT + 1), entry=replace(forged, sig=bytes(64)))
    buffer.keep_entry(LIAR, false, NEXT)
    buffer.keep_receipt(LIAR, replace(receipt(1, NEXT), sig=bytes(64)), NEXT)
    expected = [(FrameKind.ENTRY, own.raw), (FrameKind.RECEIPT, seen.encode())]
    assert buffer.written_by(AUTHOR, TABLE) == expected
    assert buffer.written_by(LIAR, TABLE) == []
    assert buffer.written_by(STRANGER, TABLE) == []
    assert buffer.written_by(AUTHOR, b"u" * 32) == [], "words of another table"


def test_a_player_who_does_not_sit_here_has_no_word_of_its_own() -> None:
    buffer = LookaheadBuffer(PLAYERS[:1])
    one, other = receipt(1), receipt(0)
    buffer.keep_receipt(AUTHOR, one, NEXT)
    buffer.keep_receipt(PLAYERS[0], other, NEXT)
    assert buffer.written_by(AUTHOR, TABLE) == []
    assert buffer.receipts_for(NEXT) == [(PLAYERS[0], other), (AUTHOR, one)]
