"""The steps from a complete list to the agreement, as one member takes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from p2p304.log.faults import Refused
from p2p304.table.gathering.consent import MOST_SIGNED, Consent
from p2p304.table.gathering.exchange.begin_record import (
    JOURNAL,
    BeginRecord,
    NotAJournal,
    read_begin,
)
from p2p304.table.gathering.exchange.messages import ListHoldings, lobby_bytes
from p2p304.table.player.keyring import SECRETS
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.wire.canonical import encode
from p2p304.wire.effects import Outbox, Persist
from p2p304.wire.forms import mapping
from tests.table.gathering.test_pledges import KEYS, LIST, ME, OTHER, held, pledge

NONCE = bytes([5]) * 32


def begun() -> tuple[Consent, Outbox[Event]]:
    """The first member, with the complete list, after its pledge."""
    out = Outbox[Event]()
    consent = Consent(KEYS[0], out)
    consent.set_list(LIST)
    consent.pledge(lambda: NONCE)
    return consent, out


def faults(out: Outbox[Event]) -> list[tuple[str, bytes | None]]:
    return [(e.finding.check, e.peer) for e in out.events() if isinstance(e, events.Fault)]


def test_a_member_pledges_once_for_a_list() -> None:
    consent, _ = begun()
    assert consent.current is not None
    first = consent.current.pledges[ME]
    consent.pledge(lambda: bytes(32))
    assert consent.current.pledges == {ME: first}
    Consent(KEYS[0], Outbox[Event]()).pledge(lambda: NONCE)  # nothing without a list


def test_a_member_signs_once_all_have_pledged_and_writes_first() -> None:
    Consent(KEYS[0], Outbox[Event]()).sign(bytes(32))  # nothing without a list
    consent, out = begun()
    consent.sign(bytes(32))
    assert consent.terms_to_sign() is None and out.effects() == []
    assert consent.take(OTHER, held(1, 2, 3))
    terms = consent.terms_to_sign()
    assert terms is not None and (consent.signed, consent.has_signed) == (None, False)
    consent.sign(bytes(32))
    assert (consent.signed, consent.has_signed) == (terms, True)
    assert consent.terms_to_sign() is None
    written = [effect for effect in out.effects() if isinstance(effect, Persist)]
    assert [effect.name for effect in written] == [SECRETS, JOURNAL]
    begin = read_begin(written[1].data)
    assert begin.list == LIST and begin.terms == terms


def test_a_contradicted_list_is_not_signed_and_its_author_named_once() -> None:
    consent, out = begun()
    consent.take(OTHER, held(1, 2, 3))
    for word in (1, 2):
        consent.take(OTHER, held(2, word=word))
    assert consent.terms_to_sign() is None
    assert faults(out) == [("W22", None)]


def test_a_false_message_is_told_with_its_sender() -> None:
    consent, out = begun()
    forged = replace(pledge(2), pledge=bytes(32))
    consent.take(OTHER, replace(held(), pledges=(None, None, forged, None)))
    assert faults(out) == [("W20", OTHER)]


def test_nobody_but_members_is_heard() -> None:
    consent, out = begun()
    assert consent.take(bytes(32), held(1))
    assert consent.current is not None and set(consent.current.pledges) == {ME}
    assert faults(out) == []


def test_what_came_before_its_list_is_taken_with_the_list() -> None:
    consent = Consent(KEYS[0], Outbox[Event]())
    assert not consent.take(OTHER, held(1)) and consent.has_shown_unknown_list(OTHER)
    consent.set_list(LIST)
    assert consent.current is not None and set(consent.current.pledges) == {OTHER}
    assert not consent.has_shown_unknown_list(OTHER)


def test_of_another_list_nothing_is_kept_unless_it_was_signed() -> None:
    consent, _ = begun()
    later = replace(LIST, number=1)
    consent.set_list(later)
    assert consent.current is not None and not consent.current.pledges
    consent.set_list(LIST)
    assert not consent.current.pledges
    consent.pledge(lambda: NONCE)
    consent.take(OTHER, held(1, 2, 3))
    consent.sign(bytes(32))
    consent.set_list(later)
    assert not consent.has_signed and consent.guests == {key.public for key in KEYS}
    assert len(consent.parts) == 3
    consent.set_list(LIST)
    assert consent.has_signed


def test_the_same_list_with_new_addresses_keeps_what_is_held() -> None:
    consent, _ = begun()
    moved = replace(LIST, guests=tuple(replace(g, host="new", port=7) for g in LIST.guests))
    before = consent.current
    consent.set_list(moved)
    assert consent.current is before and before is not None and before.list is moved


def test_an_agreement_needs_all_signatures_also_under_an_earlier_list() -> None:
    consent, _ = begun()
    consent.take(OTHER, held(1, 2, 3))
    assert consent.current is not None
    consent.sign(bytes(32))
    signed = consent.current
    assert consent.agreement() is None and signed.terms is not None
    for key in KEYS[1:]:
        signed.sign(key)
    consent.set_list(replace(LIST, number=1))
    assert consent.message([]) != signed.message([ME])
    agreement = consent.agreement()
    assert agreement is not None and agreement.assents == signed.signatures
    assert consent.agreed is signed and consent.message([]) == signed.message([ME])
    consent.take(OTHER, held(2, word=9))
    assert not signed.contradicted  # nothing counts after the agreement


def test_a_member_signs_a_few_lists_and_no_more() -> None:
    consent, _ = begun()
    for number in range(MOST_SIGNED):
        assert not consent.has_signed_enough
        consent.set_list(replace(LIST, number=number))
        assert consent.current is not None
        for key in KEYS:
            consent.current.pledge(key, NONCE)
        consent.sign(bytes(32))
    assert consent.has_signed_enough


def test_a_member_that_comes_back_has_signed() -> None:
    pledges = tuple(pledge(number) for number in range(4))
    consent = Consent(KEYS[0], Outbox[Event]())
    consent.resume(BeginRecord(LIST, pledges), None)
    assert consent.has_signed and consent.signed == BeginRecord(LIST, pledges).terms
    assert consent.current is not None and consent.current.begin == BeginRecord(LIST, pledges)
    consent.set_list(replace(LIST, number=1))
    assert consent.take(OTHER, held())  # its list is remembered


def test_a_journal_begins_with_a_list_and_a_pledge_of_each_guest() -> None:
    begin = BeginRecord(LIST, tuple(pledge(number) for number in range(4)))
    value: dict[str, Any] = dict(mapping().decode(begin.encode()))
    assert read_begin(begin.encode()) == begin and value["v"] == 2
    message = lobby_bytes(ListHoldings(bytes(32), (), b"", (), ()))
    for wrong in (
        {**value, "v": 1},
        {**value, "v": 3},
        {**value, "list": message},
        {**value, "list": b"\xc1"},
        {**value, "pledges": value["pledges"][:3]},
    ):
        try:
            read_begin(encode(wrong))
        except NotAJournal as error:
            assert isinstance(error.__cause__, ValueError | Refused)
        else:
            raise AssertionError(wrong)
