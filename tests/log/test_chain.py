"""The chain: what may be appended, who must have seen it, and how it goes on without a player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p304.log.chain import Chain, Without, claims_on
from p2p304.log.entry import NO_LINK, Unverified, sign_entry, sign_receipt
from tests.support.short_log import KEYS, PLAYERS, TABLE, entry, grown, receipt, refused, settle


def test_entries_in_place_are_accepted_once_all_have_receipted() -> None:
    chain = grown()
    assert chain.is_settled
    after = chain.authenticate(entry(1, 1, chain.head))
    chain.append(after)
    assert chain.missing() == (2, 3, 0)
    refused("L06", lambda: chain.append(after))


FALSE: dict[str, Callable[[Chain], Unverified]] = {
    "L02": lambda c: Unverified(replace(entry().entry, author=7, seq=1), b""),
    "L03": lambda c: Unverified(replace(entry(1, 1, c.head).entry, kind="cut"), b""),
    "L04": lambda c: entry(1, 2, c.head),
    "L05": lambda c: entry(1, 1, bytes(32)),
}


@pytest.mark.parametrize("check", FALSE)
def test_a_false_entry_is_refused_and_nobody_is_blamed(check: str) -> None:
    chain = grown()
    error = refused(check, lambda: chain.authenticate(FALSE[check](chain)))
    assert error.finding.player is None
    assert chain.next_seq == 1


def test_an_entry_of_another_table_is_refused() -> None:
    strange = sign_entry(KEYS[0], b"u" * 32, 0, NO_LINK, 0, "say", {})
    refused("L01", lambda: Chain(TABLE, PLAYERS).authenticate(strange))


def test_false_receipts_are_refused() -> None:
    chain = grown()
    good = receipt(chain, 1)
    refused("L07", lambda: chain.authenticate_receipt(replace(good, author=2)))
    refused("L01", lambda: chain.authenticate_receipt(replace(good, table=bytes(32))))
    refused(
        "L04",
        lambda: chain.authenticate_receipt(sign_receipt(KEYS[1], TABLE, 5, chain.head, 1, None)),
    )
    refused("L09", lambda: chain.authenticate_receipt(receipt(chain, 0)))
    blind = sign_receipt(KEYS[1], TABLE, 0, bytes(32), 1, None)
    refused("L08", lambda: chain.add_receipt(blind))
    refused("L10", lambda: chain.add_receipt(receipt(chain, 1, "caps")))


def test_the_first_claim_by_seats_takes_the_floor() -> None:
    block = grown({1: "caps", 3: "spoilt"}).block(0)
    assert claims_on(block, (3, 2, 1)) == ((3, "spoilt"), (1, "caps"))
    assert claims_on(grown().block(0), (1, 2, 3)) == ()


def test_an_author_must_sit_here() -> None:
    """Player 4 has signed truly, and four players sit here."""
    chain = grown()
    refused("L02", lambda: chain.authenticate(entry(4, 1, chain.head)))
    refused("L02", lambda: chain.authenticate_receipt(receipt(chain, 4)))
    chain.authenticate(entry(3, 1, chain.head))


def test_a_receipt_is_for_a_place_that_is_reached() -> None:
    chain = grown()
    next_place = sign_receipt(KEYS[1], TABLE, 1, chain.head, 1, None)
    refused("L04", lambda: chain.authenticate_receipt(next_place))
    chain.authenticate_receipt(receipt(chain, 1))


def test_a_place_is_taken_once() -> None:
    chain = grown()
    refused("L04", lambda: chain.authenticate(entry()))
    assert chain.authenticate(entry(1, 1, chain.head)).link != chain.head


def test_receipts_are_kept_once_and_told_by_player() -> None:
    chain = grown()
    chain.append(chain.authenticate(entry(1, 1, chain.head)))
    assert (chain.is_settled, chain.next_seq) == (False, 2)
    given = receipt(chain, 3)
    assert chain.receipt_of(1, 3) is None
    assert chain.add_receipt(given)
    assert not chain.add_receipt(given)
    assert chain.receipt_of(1, 3) == given
    assert chain.receipts_at(1) == (given,)
    assert chain.missing() == (2, 0)
    settle(chain)
    assert [each.author for each in chain.block(1).receipts] == [2, 3, 0]
    assert [each.author for each in chain.block(0).receipts] == [1, 2, 3]


def test_an_empty_chain_waits_for_nobody() -> None:
    chain = Chain(TABLE, PLAYERS)
    assert chain.is_settled
    assert (chain.next_seq, chain.head, chain.tables) == (0, NO_LINK, (TABLE,))


NEW_NAME = b"n" * 32
PARTS = ((0, b"a" * 64), (1, b"b" * 64), (3, b"c" * 64))


def parted() -> Chain:
    """Two settled entries, a third without receipts, and all have parted from player 2 before
    the third."""
    chain = grown()
    chain.append(chain.authenticate(entry(1, 1, chain.head)))
    settle(chain)
    chain.append(chain.authenticate(entry(3, 2, chain.head)))
    chain.continue_without(Without(2, 2, PARTS, NEW_NAME))
    return chain


def renamed(chain: Chain, author: int) -> Unverified:
    return sign_entry(KEYS[author], NEW_NAME, chain.next_seq, chain.head, author, "say", {})


def test_parting_takes_back_what_came_later_and_renames_the_table() -> None:
    chain = parted()
    assert (chain.next_seq, chain.is_settled) == (2, True)
    assert chain.tables == (TABLE, NEW_NAME)
    assert [chain.table_at(seq) for seq in range(4)] == [TABLE, TABLE, NEW_NAME, NEW_NAME]
    refused("L01", lambda: chain.authenticate(entry(1, 2, chain.head)))
    chain.authenticate(renamed(chain, 1))


def test_the_parts_stand_in_place_of_the_last_receipts() -> None:
    chain = parted()
    chain.append(chain.authenticate(renamed(chain, 1)))
    assert (chain.block(0).parts, len(chain.block(0).receipts)) == (None, 3)
    assert (chain.block(1).parts, chain.block(1).receipts) == (PARTS, ())
    assert chain.missing() == (3, 0)
    assert not chain.is_settled


def test_the_player_who_is_parted_from_receipts_nothing_any_more() -> None:
    chain = parted()
    chain.append(chain.authenticate(renamed(chain, 1)))
    assert [chain.witnesses(seq) for seq in range(3)] == [(1, 2, 3), (2, 3, 0), (3, 0)]
    theirs = sign_receipt(KEYS[2], NEW_NAME, 2, chain.head, 2, None)
    refused("L09", lambda: chain.authenticate_receipt(theirs))
    for author in (3, 0):
        given = sign_receipt(KEYS[author], NEW_NAME, 2, chain.head, author, None)
        chain.authenticate_receipt(given)
        assert chain.add_receipt(given)
    assert chain.is_settled
    assert [each.author for each in chain.block(2).receipts] == [3, 0]


def test_a_receipt_for_a_place_before_the_parting_is_not_news() -> None:
    chain = grown()
    chain.append(chain.authenticate(entry(1, 1, chain.head)))
    late = receipt(chain, 3)
    chain.continue_without(Without(2, 2, PARTS, NEW_NAME))
    assert not chain.add_receipt(late)
    assert chain.receipt_of(1, 3) == late
