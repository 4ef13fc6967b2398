"""Settled places that have left memory: the log answers as if they had stayed."""

from __future__ import annotations

import pytest

from p2p304.log.chain import Chain, Without
from p2p304.log.entry import sign_entry, sign_receipt
from p2p304.log.transcript import BlocksLost, StoredBlocks, encoded_blocks, transcript
from tests.support.short_log import KEYS, PLAYERS, TABLE, entry, receipt, refused, settle

PLACES = 7


def grown(places: int = PLACES) -> Chain:
    chain = Chain(TABLE, PLAYERS)
    for seq in range(places):
        chain.append(chain.authenticate(entry(seq % 4, seq, chain.head, f"word {seq}")))
        settle(chain, {(seq + 1) % 4: "caps"} if seq == 2 else {})
    return chain


class File:
    """A transcript file, and how often it was read."""

    def __init__(self, data: bytes) -> None:
        self.data, self.reads = data, 0

    def read(self, offset: int, size: int) -> bytes:
        self.reads += 1
        return self.data[offset : offset + size]


def forgetful(before: int) -> tuple[Chain, File]:
    """The same log, of which the places before this one have left memory."""
    chain, file = grown(), File(transcript(grown(), PLACES))
    chain.store = StoredBlocks(file.read)
    chain.forget(before)
    return chain, file


@pytest.mark.parametrize("before", [0, 1, 3, PLACES - 2])
def test_every_place_is_as_it_was(before: int) -> None:
    chain, _ = forgetful(before)
    whole = grown()
    assert chain.first_kept == PLACES - len(chain._entries) == before
    assert (chain.next_seq, chain.head, chain.is_settled) == (PLACES, whole.head, True)
    assert list(chain.entries) == list(whole.entries)
    assert chain.entries[-PLACES:3] == whole.entries[:3] and whole.entries[0] in chain.entries
    for seq in range(PLACES):
        assert chain.block(seq) == whole.block(seq)
        assert sorted(r.author for r in chain.receipts_at(seq)) == list(set(range(4)) - {seq % 4})
        assert [chain.receipt_of(seq, n) for n in range(5)] == [
            whole.receipt_of(seq, n) for n in range(5)
        ]
        assert chain.witnesses(seq) == whole.witnesses(seq)
    for first in range(PLACES):
        for end in range(first, PLACES + 1):
            assert encoded_blocks(chain, first, end) == encoded_blocks(whole, first, end)
    assert transcript(chain, PLACES) == transcript(whole, PLACES)


def test_a_place_is_read_once_for_all_that_is_asked_of_it() -> None:
    chain, file = forgetful(3)
    assert file.reads == 0
    assert chain.entry(2).entry.seq == 2 and chain.receipt_of(2, 1) in chain.receipts_at(2)
    assert len(chain.witnesses(2)) == 3 and file.reads == 1
    assert chain.entry(3).entry.seq == 3 and file.reads == 1


def test_a_second_signature_for_a_forgotten_place_is_found() -> None:
    chain, _ = forgetful(5)
    kept = chain.receipt_of(1, 0)
    assert kept is not None and not chain.add_receipt(kept)
    other = sign_receipt(KEYS[0], TABLE, 1, kept.head, 0, "caps")
    chain.authenticate_receipt(other)
    assert refused("L10", lambda: chain.add_receipt(other)).finding.player == 0
    strange = sign_receipt(KEYS[0], TABLE, 1, bytes(32), 0, None)
    refused("L08", lambda: chain.add_receipt(strange))
    own = sign_receipt(KEYS[1], TABLE, 1, kept.head, 1, None)
    refused("L09", lambda: chain.authenticate_receipt(own))


def test_only_settled_places_leave_memory_and_the_last_two_stay() -> None:
    for before in (PLACES - 1, PLACES, PLACES + 5):
        assert forgetful(before)[0].first_kept == PLACES - 2
    chain, _ = forgetful(-3)
    assert chain.first_kept == 0
    chain.forget(4)
    chain.forget(2)
    assert chain.first_kept == 4
    chain.append(chain.authenticate(entry(PLACES % 4, PLACES, chain.head)))
    chain.forget(PLACES)
    assert chain.first_kept == PLACES - 1
    assert transcript(chain, PLACES) == transcript(grown(), PLACES)


def test_a_log_goes_on_after_places_have_left_memory() -> None:
    chain, file = forgetful(PLACES)
    chain.append(chain.authenticate(entry(PLACES % 4, PLACES, chain.head, "new")))
    first, *others = chain.missing()
    chain.add_receipt(receipt(chain, first))
    assert chain.missing() == tuple(others)
    settle(chain)
    chain.forget(chain.next_seq)
    whole = transcript(chain, PLACES + 1)
    assert whole.startswith(file.data) and len(whole) > len(file.data)
    assert (chain.first_kept, file.reads) == (PLACES - 1, 1)


def test_the_last_place_of_a_parting_stays_because_receipts_may_still_come() -> None:
    """It has the signatures of the parting instead of all receipts."""
    chain, _ = forgetful(2)
    parts = tuple((author, bytes([author]) * 64) for author in (0, 1, 3))
    chain.continue_without(Without(PLACES - 1, 2, parts, b"u" * 32))
    for seq in range(PLACES - 1, PLACES + 4):
        author = (0, 1, 3)[seq % 3]
        signed = sign_entry(KEYS[author], b"u" * 32, seq, chain.head, author, "say", {})
        chain.append(chain.authenticate(signed))
        for witness in chain.missing():
            given = sign_receipt(KEYS[witness], b"u" * 32, seq, chain.head, witness, None)
            chain.add_receipt(given)
        chain.forget(seq)
    assert (chain.first_kept, chain.next_seq) == (PLACES - 2, PLACES + 4)
    assert chain.block(PLACES - 2).parts == parts


def test_a_file_that_was_changed_is_noticed() -> None:
    chain, file = forgetful(5)
    whole = transcript(chain, PLACES)
    for at in range(8, len(encoded_blocks(chain, 0, 5)) + 8):
        file.data = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
        with pytest.raises(BlocksLost, match="was changed, or it cannot be read"):
            transcript(chain, PLACES)
    for cut in (0, 8, 100):
        file.data = whole[:cut]
        with pytest.raises(BlocksLost):
            chain.entry(4)
    file.data = whole
    assert chain.entry(4) == grown().entry(4)


def test_without_a_store_what_has_left_memory_is_gone() -> None:
    chain = grown()
    chain.forget(4)
    for asked in (chain.entry, chain.block, chain.witnesses, chain.receipts_at):
        with pytest.raises(LookupError):
            asked(3)
    with pytest.raises(LookupError):
        transcript(chain, 2)
    assert chain.block(4) == grown().block(4)
