"""The way of an entry at one node: early, twice, forked, foreign, and what follows from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.log.entry import Signed, Unverified, parse_entry, parse_receipt, sign_entry
from p2p304.log.faults import Refused
from p2p304.rules.core import actions as acts
from p2p304.rules.play.view import legal
from p2p304.rules.state.hand import Phase
from p2p304.table.exchange.journal_records import PlaceRecord
from p2p304.table.gathering.exchange.begin_record import JOURNAL
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.state import events
from p2p304.table.transition.replica import Replica
from p2p304.wire.effects import Persist, Send
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet
from tests.support.table.paused import acted, copied, heard, paused, plain_choice, sent, written
from tests.support.table.simnet import Net


def bid() -> tuple[Net, TableMachine, TableMachine, bytes]:
    """A table, the machine of the player who has bid, another machine, and the bid."""
    net, author = paused()
    entry = acted(author, net.now)
    other = net.tables[(author.me.player + 1) % 4]
    other.effects()
    other.events()
    return net, author, other, entry


def give(net: Net, table: TableMachine, author: TableMachine, raw: bytes) -> None:
    table.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)


def faults(table: TableMachine) -> list[str]:
    return [e.finding.check for e in heard(table, events.Fault) if isinstance(e, events.Fault)]


def test_a_true_entry_is_written_down_before_its_receipt_is_sent() -> None:
    net, author, other, raw = bid()
    seq = other.chain.next_seq
    give(net, other, author, raw)
    assert other.chain.next_seq == seq + 1
    effects = [e for e in other.effects() if isinstance(e, Persist | Send)]
    (record,) = [e for e in effects if isinstance(e, Persist) and e.name == JOURNAL]
    receipts = [e for e in effects if isinstance(e, Send) and e.kind is FrameKind.RECEIPT]
    assert effects.index(record) < effects.index(receipts[0])
    (payload,) = {e.payload for e in receipts}
    receipt = parse_receipt(payload)
    assert (receipt.seq, receipt.author) == (seq, other.me.player)
    before = other.chain.block(seq - 1).receipts
    assert record.data == PlaceRecord(raw, payload, before).encode()


def test_the_author_writes_its_entry_down_before_it_is_sent_and_gives_no_receipt() -> None:
    net, author = paused()
    author.effects()
    author.act(legal(author.view)[0], net.now)
    kinds = [e.name if isinstance(e, Persist) else e.kind for e in author.effects() if e]  # type: ignore[union-attr]
    assert kinds[0] == JOURNAL and set(kinds[1:]) == {FrameKind.ENTRY}


def test_an_entry_that_is_here_already_changes_nothing() -> None:
    net, author, other, raw = bid()
    give(net, other, author, raw)
    other.effects()
    other.events()
    give(net, other, author, raw)
    assert other.effects() == [] and other.events() == [] and other.stopped is None


def test_an_entry_for_a_blocked_place_is_not_taken() -> None:
    net, author, other, raw = bid()
    seq = other.chain.next_seq
    other.replica.blocked_from = seq
    give(net, other, author, raw)
    assert other.chain.next_seq == seq and other.effects() == [] and faults(other) == []


def second(net: Net, author: TableMachine, raw: bytes) -> bytes:
    """Another entry of the same player for the same place."""
    entry = parse_entry(raw).entry
    other = replace(entry, body={"amount": 999})
    signed = sign_entry(
        author.me.key, entry.table, entry.seq, entry.prev, entry.author, entry.kind, other.body
    )
    assert isinstance(signed, Unverified) and signed.raw != raw
    return signed.raw


def test_two_entries_of_one_player_for_a_place_stop_the_table() -> None:
    net, author, other, raw = bid()
    give(net, other, author, raw)
    other.events()
    give(net, other, author, second(net, author, raw))
    assert other.stopped is not None and other.stopped.finding.player == author.me.player
    assert sent(other, FrameKind.EVIDENCE)


@pytest.mark.parametrize("how", ["another author", "another table", "no player", "not signed"])
def test_an_old_entry_that_proves_nothing_against_the_author_stops_nothing(how: str) -> None:
    net, author, other, raw = bid()
    give(net, other, author, raw)
    other.events()
    entry, third = parse_entry(raw).entry, net.tables[(author.me.player + 2) % 4]
    key, table, player = author.me.key, entry.table, author.me.player
    match how:
        case "another author":
            key, player = third.me.key, third.me.player
        case "another table":
            table = bytes(32)
        case "no player":
            player = 7
        case "not signed":
            key = third.me.key
    false = sign_entry(key, table, entry.seq, entry.prev, player, entry.kind, {"amount": 999})
    give(net, other, author, false.raw)
    assert other.stopped is None
    told = {"no player": ["L02"], "not signed": ["L03"]}.get(how, [])
    assert [check[0] for check in faults(other)] == [check[0] for check in told]


def test_an_entry_that_came_early_is_taken_in_its_turn() -> None:
    """A fast player answers before a slow link has brought the entry that it answers."""
    net, author, slow, raw = bid()
    others = [t for t in net.tables if t not in (author, slow)]
    for table in others:
        give(net, table, author, raw)
    receipts = {table.me.player: sent(table, FrameKind.RECEIPT) for table in others}
    next_one = net.tables[slow.replica.due.player if slow.replica.due else 0]
    assert next_one is author
    seq = slow.chain.next_seq
    for table in others:
        for receipt in receipts[table.me.player]:
            slow.receive(table.me.key.public, FrameKind.RECEIPT, receipt, net.now)
    assert slow.chain.next_seq == seq  # the entry itself is missing
    give(net, slow, author, raw)
    assert slow.chain.next_seq == seq + 1 and slow.chain.is_settled


def test_an_entry_for_the_next_place_waits_until_this_one_is_settled() -> None:
    net, author, _, raw = bid()
    ahead = copied(net)
    quick = ahead.tables[author.me.player]
    for table in ahead.tables:
        if table is not quick:
            table.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
    for one in ahead.tables:
        for receipt in sent(one, FrameKind.RECEIPT):
            for table in ahead.tables:
                if table is not one:
                    table.receive(one.me.key.public, FrameKind.RECEIPT, receipt, net.now)
    due = ahead.tables[0].replica.due
    assert due is not None and quick.chain.is_settled
    answer = acted(ahead.tables[due.player], net.now)
    target = next(t for t in net.tables if t.me.player not in (author.me.player, due.player))
    answerer = net.tables[due.player]
    give(net, target, author, raw)
    seq = target.chain.next_seq
    give(net, target, answerer, answer)
    assert target.chain.next_seq == seq
    for one in ahead.tables:
        given = one.chain.receipt_of(seq - 1, one.me.player)
        if given is not None and one.me.player != target.me.player:
            target.receive(one.me.key.public, FrameKind.RECEIPT, given.encode(), net.now)
    assert target.chain.next_seq == seq + 1


def test_a_restarted_node_writes_an_entry_down_and_gives_its_receipt_later() -> None:
    net, author, other, raw = bid()
    other.waits.recover()
    give(net, other, author, raw)
    effects = other.effects()
    assert [e.data for e in effects if isinstance(e, Persist) and e.name == JOURNAL] == [
        PlaceRecord(raw, None, other.chain.block(other.chain.next_seq - 2).receipts).encode()
    ]
    assert not [e for e in effects if isinstance(e, Send) and e.kind is FrameKind.RECEIPT]


@pytest.mark.parametrize("guilty", [False, True])
def test_a_refused_entry_stops_the_table_where_its_author_is_guilty(
    guilty: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    net, author, other, raw = bid()
    player = author.me.player if guilty else None

    def refuse(replica: Replica, signed: Signed) -> None:
        raise Refused("D17", "it cannot be judged", player)

    monkeypatch.setattr(Replica, "judge", refuse)
    seq = other.chain.next_seq
    give(net, other, author, raw)
    assert (other.stopped is not None) == guilty and other.chain.next_seq == seq
    assert faults(other) == ["D17"]


def test_progress_ends_the_wait_for_the_author() -> None:
    net, author, other, raw = bid()
    assert other.waits.awaited == (author.me.key.public,)
    other.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now + 7)
    assert other.waits.since == net.now + 7
    assert other._draw._waited[author.me.key.public] > 6.9
    assert author.me.key.public not in other.waits.awaited


def test_own_cards_are_shown_when_a_batch_is_dealt_and_at_no_other_entry() -> None:
    net, author, other, raw = bid()
    give(net, other, author, raw)
    assert heard(other, events.HandSeen) == []
    net, author = paused(Phase.TRUMP4)
    told = [sum(isinstance(e, events.HandSeen) for e in each) for each in net.told]
    assert told == [1, 1, 1, 1]


def test_the_trump_maker_alone_is_shown_what_it_inspected() -> None:
    for seed in range(1, 9):
        net = simnet.make_closed(seed)
        net.run()
        seen = {
            event.view.seat
            for told in net.told
            for event in told
            if isinstance(event, events.HandSeen)
            for _, other, _ in event.view.known
            if other != event.view.seat
        }
        if seen:
            (seat,) = seen
            acted = [e for e in net.told[0] if isinstance(e, events.Acted)]
            assert {e.hand.maker for e in acted if isinstance(e.action, acts.Announce)} == {seat}
            return
    raise LookupError("nobody inspects cards in these hands")


def test_an_own_entry_is_journalled_without_a_receipt() -> None:
    net, author = paused()
    author.effects()
    raw = acted(copied(net).tables[author.me.player], net.now)
    author.act(plain_choice(author.view), net.now)
    (record,) = written(author, JOURNAL)
    before = author.chain.block(author.chain.next_seq - 2).receipts
    assert record == PlaceRecord(raw, None, before).encode()
