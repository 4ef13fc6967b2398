"""A journal is read as it was written, or not at all: nothing is played on from one with a gap."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from p2p304.log.absence_vote import PART, PartingPlace, say
from p2p304.log.entry import parse_entry
from p2p304.log.faults import Refused
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.certificate import Certificate
from p2p304.table.exchange.journal_records import PlaceRecord, read_journal
from p2p304.table.exchange.journal_replay import replay_journal
from p2p304.table.gathering.exchange.begin_record import NotAJournal
from p2p304.table.state.events import PlayingOut, PublicEvent, Seated
from p2p304.table.transition.replica import Replica
from p2p304.wire.canonical import Value, decode, encode
from tests.support.table.crashes import World
from tests.support.table.paused import paused


@cache
def records() -> tuple[bytes, ...]:
    world = World()
    world.run(0.05)
    return tuple(world.disks[1].latest())


def fields(record: bytes) -> dict[str, Value]:
    value = decode(record)
    assert isinstance(value, dict)
    return value


def refused(*lie: bytes) -> None:
    with pytest.raises(NotAJournal):
        read_journal(lie)


def test_a_journal_has_every_place_with_the_receipts_for_the_one_before() -> None:
    begin, *places = records()
    journal = read_journal(records())
    assert len(journal.past) > 6
    assert [place.encode() for place in journal.past] == places
    for seq, place in enumerate(journal.past):
        entry = parse_entry(place.entry).entry
        assert entry.seq == seq and entry.table == journal.begin.terms.table
        assert (place.receipt is None) == (entry.author == 1)
        assert len(place.before) == (3 if seq else 0)
        assert all(receipt.seq == seq - 1 for receipt in place.before)
    assert read_journal([begin]).past == ()


@pytest.mark.parametrize("least", [0, 2])
def test_a_second_record_for_the_last_place_replaces_the_first(least: int) -> None:
    begin, *places = records()
    given = [n for n, place in enumerate(places) if fields(place)["receipt"] is not None]
    seq = next(n for n in given if n >= least)
    without = encode({**fields(places[seq]), "receipt": None})
    read = read_journal([begin, *places[:seq], without, *places[seq:]])
    assert [place.encode() for place in read.past] == places
    assert read_journal([begin, *places[:seq], without]).past[seq].receipt is None


def test_another_entry_for_the_last_place_replaces_the_first_under_another_name_alone() -> None:
    begin, *places = records()
    last = fields(places[2])
    raw = last["entry"]
    assert isinstance(raw, bytes)
    entry = fields(raw)
    refused(begin, *places[:3], encode({**last, "entry": encode({**entry, "sig": bytes(64)})}))
    other = encode({**entry, "table": bytes(32)})
    read = read_journal([begin, *places[:3], encode({**last, "entry": other})])
    assert [place.entry for place in read.past][2:] == [other]


def test_a_journal_with_a_gap_or_another_form_is_none() -> None:
    begin, *places = records()
    refused()
    refused(*places)
    refused(begin, *places[1:])
    refused(begin, *places[:3], *places[4:])
    refused(begin, *places[:3], places[1])
    refused(begin, begin)
    good = fields(places[2])
    before = fields(places[3])["before"]
    refused(begin, encode({**fields(places[0]), "before": before}), *places[1:])
    lies: list[dict[str, Value]] = [
        {**good, "t": "begin"},
        {**good, "entry": b""},
        {**good, "before": None},
        {**good, "more": 1},
        {name: value for name, value in good.items() if name != "receipt"},
    ]
    for lie in lies:
        refused(begin, *places[:2], encode(lie))
    refused(begin, *places[:2], b"\xff")


def test_a_journal_leads_to_the_log_that_was_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = read_journal(records())
    replica, settled = Replica(journal.begin.terms), []
    monkeypatch.setattr(Replica, "settle", lambda here: settled.append(here.chain.next_seq))
    happened, hand = replay_journal(replica, journal.past, tuple)
    chain, state = replica.chain, replica.state
    assert state is not None and hand == state.number
    assert [one.raw for one in chain.entries] == [place.entry for place in journal.past]
    for seq, place in enumerate(journal.past):
        own = chain.receipt_of(seq, 1)
        assert (None if own is None else own.encode()) == place.receipt
        if seq:
            assert chain.block(seq - 1).receipts == place.before
    assert any(isinstance(event, Seated) for event in happened)
    assert settled == list(range(len(journal.past) + 1))  # the last receipt may be the own one


def test_a_journal_that_holds_a_false_receipt_or_entry_is_not_taken_up() -> None:
    journal = read_journal(records())
    *sound, last = journal.past
    forged = replace(last, before=(replace(last.before[0], sig=bytes(64)), *last.before[1:]))
    other = replace(last, entry=sound[-1].entry)
    for lie in (forged, other):
        with pytest.raises(Refused):
            replay_journal(Replica(journal.begin.terms), (*sound, lie), tuple)


def test_a_hand_that_is_played_out_goes_on_under_another_name_of_the_table() -> None:
    net, table = paused(rules=preset("pagat").override({"away": "playout"}))
    absent, seq = table.me.player, table.chain.next_seq
    where = PartingPlace(table.chain.table, seq, table.chain.head, absent)
    others = [(n, one) for n, one in enumerate(net.tables) if n != absent]
    certificate = Certificate(tuple(say(one.me.key, PART, where, n) for n, one in others))
    net.agree(absent, seq)
    net.run(until=lambda: all(one.chain.next_seq > seq + 2 for _, one in others))
    number, here = others[0]
    chain, replica, called = here.chain, Replica(here.terms), 0

    def part() -> tuple[PublicEvent, ...]:
        nonlocal called
        called += 1
        return replica.apply_certificate(certificate) or ()

    past = []
    for place, signed in enumerate(chain.entries):
        own = chain.receipt_of(place, number)
        before = chain.block(place - 1).receipts if place else ()
        past.append(PlaceRecord(signed.raw, None if own is None else own.encode(), before))
    happened, _ = replay_journal(replica, past, part)
    assert called == 1 and replica.chain.head == chain.head and replica.is_playing_out
    assert sum(isinstance(event, PlayingOut) for event in happened) == 1
