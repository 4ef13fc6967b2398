"""What a member holds for one list: which pledges and signatures count, and what is false."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.table.agreement.terms import assent
from p2p304.table.gathering.exchange.begin_record import BeginRecord
from p2p304.table.gathering.exchange.messages import Guest, ListHoldings, Pledge, Seated
from p2p304.table.gathering.pledges import ListSignatures
from tests.support.table.gathering_bus import CHOSEN, NICKS

KEYS = [SigningKey.from_seed(bytes([n + 1]) * 32) for n in range(4)]
ME, OTHER = KEYS[0].public, KEYS[1].public
GUESTS = tuple(Guest(key.public, NICKS[n], "", 0, 3 - n) for n, key in enumerate(KEYS))
LIST = Seated(bytes(16), "Friday", CHOSEN, 1, GUESTS)


def pledge(number: int, word: int = 0) -> Pledge:
    return Pledge.make(KEYS[number], LIST.digest, bytes([number, word]) * 16)


def holding(*pledged: int) -> ListSignatures:
    """What the first member holds after it was shown these members' pledges."""
    here = ListSignatures(LIST, ME)
    if 0 in pledged:
        here.pledge(KEYS[0], bytes([0, 0]) * 16)
    here.take(OTHER, held(*(n for n in pledged if n)))
    return here


def held(*pledged: int, word: int = 0, lacks: tuple[int, ...] = ()) -> ListHoldings:
    pledges = tuple(pledge(n, word) if n in pledged else None for n in range(4))
    return ListHoldings(LIST.digest, pledges, b"", (None,) * 4, lacks)


def signed(here: ListSignatures, *signers: int) -> ListHoldings:
    assert here.terms is not None
    table = here.terms.table
    assents = tuple(assent(KEYS[n], table) if n in signers else None for n in range(4))
    return replace(held(0, 1, 2, 3), table=table, assents=assents)


def test_the_terms_follow_once_all_have_pledged_in_the_order_of_the_seats() -> None:
    assert holding(0, 1, 2).terms is None
    here = holding(0, 1, 2, 3)
    assert here.begin == BeginRecord(LIST, tuple(pledge(n) for n in range(4)))
    assert here.terms is not None
    assert here.terms.keys == tuple(key.public for key in reversed(KEYS))
    assert here.terms is here.terms  # made once


def test_the_signatures_are_complete_once_all_have_signed_in_the_order_of_the_terms() -> None:
    here = holding(0, 1, 2, 3)
    here.sign(KEYS[0])
    here.take(OTHER, signed(here, 1, 2))
    assert here.signatures is None
    here.take(OTHER, signed(here, 3))
    assert here.terms is not None
    assert here.signatures == tuple(assent(key, here.terms.table) for key in reversed(KEYS))


def test_nothing_is_signed_before_all_have_pledged() -> None:
    here = holding(0, 1, 2)
    here.sign(KEYS[0])
    assert not here.assents and here.message([]).table == b""


def test_a_message_shows_all_that_is_held_and_which_links_are_missing() -> None:
    here = holding(0, 1)
    said = here.message({ME, KEYS[3].public})
    assert said.pledges == (pledge(0), pledge(1), None, None) and said.lacks == (1, 2)
    assert said.list == LIST.digest and said.assents == (None,) * 4 and said.table == b""
    here = holding(0, 1, 2, 3)
    here.sign(KEYS[0])
    assert here.terms is not None
    said = here.message({key.public for key in KEYS})
    assert said.table == here.terms.table and said.lacks == ()
    assert said.assents == (assent(KEYS[0], here.terms.table), None, None, None)


def test_a_member_lacks_links_to_others_and_not_to_itself() -> None:
    here = ListSignatures(LIST, ME)
    here.take(OTHER, held(lacks=(1, 2)))
    assert here.lacks == {OTHER: frozenset({KEYS[2].public})}


def test_the_first_pledge_counts_and_a_second_one_contradicts_it() -> None:
    here = holding(0, 2)
    here.take(OTHER, held(2))
    assert here.contradicted == {}
    here.take(OTHER, held(2, word=1))
    assert here.is_contradicted and set(here.contradicted) == {KEYS[2].public}
    assert here.pledges[KEYS[2].public] == pledge(2) and not here.false
    here.take(OTHER, held(2, word=2))
    assert here.pledges[KEYS[2].public] == pledge(2)


@pytest.mark.parametrize("has_signed", [False, True])
def test_the_second_pledge_is_shown_alone_unless_this_member_has_signed(has_signed: bool) -> None:
    here = holding(0, 1, 2, 3)
    if has_signed:
        here.sign(KEYS[0])
    before = here.message(())
    here.take(OTHER, held(2, word=1))
    if has_signed:
        assert here.message(()) == before
    else:
        pledges = (*before.pledges[:2], pledge(2, 1), before.pledges[3])
        shown = ListHoldings(LIST.digest, pledges, b"", (None,) * 4, before.lacks)
        assert here.message(()) == shown
        here.take(OTHER, held(0, word=1))
        assert here.message(()) == shown, "its own pledge is the one that it made"


@pytest.mark.parametrize("sig", [None, bytes(64)])
def test_each_member_is_shown_the_pledge_of_two_that_it_does_not_show(sig: bytes | None) -> None:
    """Also where it shows the same pledge with another signature."""
    here, third = holding(0, 1, 2, 3), KEYS[3].public
    here.take(OTHER, held(2, word=1))
    shown = pledge(2, 1) if sig is None else replace(pledge(2, 1), sig=sig)
    here.take(OTHER, replace(held(), pledges=(None, None, shown, None)))
    here.take(third, held(2))
    assert [here.message((), key).pledges[2] for key in (OTHER, third, None)] == [
        pledge(2),
        pledge(2, 1),
        pledge(2, 1),
    ]
    here.take(OTHER, held(2))
    assert here.message((), OTHER).pledges[2] == pledge(2, 1), "what it has shown last counts"


@pytest.mark.parametrize("has_signed", [False, True])
def test_signatures_count_after_a_second_pledge_only_where_this_member_has_signed(
    has_signed: bool,
) -> None:
    here = holding(0, 1, 2, 3)
    if has_signed:
        here.sign(KEYS[0])
    here.take(OTHER, held(2, word=1))
    here.take(OTHER, signed(here, 0, 1, 2, 3))
    assert here.is_contradicted and (here.signatures is not None) == has_signed
    another = replace(held(0, 1, 2, 3), table=bytes(32))
    here.take(OTHER, another)  # honest: it was shown the other pledge first
    assert not here.false


def test_a_pledge_that_is_held_is_passed_over_whatever_its_signature() -> None:
    here = holding(0, 2)
    here.take(OTHER, replace(held(), pledges=(None, None, replace(pledge(2), sig=bytes(64)), None)))
    assert not here.contradicted and not here.false
    assert here.pledges[KEYS[2].public] == pledge(2)


@pytest.mark.parametrize("mine", [False, True])
def test_another_pledge_in_this_members_own_name_contradicts_also_where_it_has_none(
    mine: bool,
) -> None:
    here = holding(*((0,) if mine else ()))
    here.take(OTHER, held(0, word=1))
    assert set(here.contradicted) == {ME} and (ME in here.pledges) == mine


def false(here: ListSignatures, message: ListHoldings, why: str) -> None:
    with pytest.raises(Refused, match=f"W20.*{why}"):
        here.take(OTHER, message)
    assert here.false == {OTHER}


def test_what_its_author_has_not_signed_is_the_fault_of_the_one_that_passes_it_on() -> None:
    forged = Pledge(bytes(32), pledge(2).sig)
    message = replace(held(), pledges=(None, None, forged, None))
    false(holding(0), message, "pledge that its author has not signed")
    false(holding(0, 2), message, "pledge that its author has not signed")


def test_a_message_of_another_length_fits_no_list() -> None:
    short = ListHoldings(LIST.digest, (None,) * 3, b"", (None,) * 3, ())
    false(holding(0), short, "does not match the list")


def test_a_table_that_the_pledges_do_not_define_is_false() -> None:
    here = holding(0, 1, 2, 3)
    false(here, replace(signed(here), table=bytes(32)), "not the one that its pledges define")


def test_a_wrong_signature_is_false_and_one_that_is_held_is_not_looked_at_again() -> None:
    here = holding(0, 1, 2, 3)
    wrong = replace(signed(here), assents=(None, None, bytes(64), None))
    false(here, wrong, "wrong signature")
    assert not here.assents
    here = holding(0, 1, 2, 3)
    here.take(OTHER, signed(here, 2))
    kept = dict(here.assents)
    here.take(OTHER, wrong)
    assert here.assents == kept and not here.false


def test_signatures_wait_until_the_pledges_are_here_and_agree() -> None:
    here, whole = holding(0, 1, 2), holding(0, 1, 2, 3)
    message = replace(signed(whole, 1), pledges=(None,) * 4)
    here.take(OTHER, message)
    assert not here.assents and not here.false
    here = holding(0, 1, 2, 3)
    here.take(OTHER, held(3, word=1))
    here.take(OTHER, signed(here, 1))
    assert not here.assents
