"""Receipts at one node: when one is owed, what settles a place, and receipts that contradict."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2p304.log.entry import Receipt, parse_receipt, sign_receipt
from p2p304.table.exchange.error_boundary import REPORT
from p2p304.table.exchange.receipts import Receipts
from p2p304.table.gathering.exchange.begin_record import JOURNAL, TRANSCRIPT
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.state import events
from p2p304.table.transition.replica import Replica
from p2p304.wire.effects import Persist, Send
from p2p304.wire.framing import FrameKind
from tests.support.table.paused import acted, heard, paused, sent
from tests.support.table.simnet import Net


class Bid:
    """A bid that three others have seen, and whose receipts only they hold themselves."""

    def __init__(self) -> None:
        self.net, self.author = paused()
        self.raw = acted(self.author, self.net.now)
        self.here, self.one, self.two = (t for t in self.net.tables if t is not self.author)
        self.given = {}
        for table in (self.here, self.one, self.two):
            table.receive(self.author.me.key.public, FrameKind.ENTRY, self.raw, self.net.now)
            (self.given[table.me.player],) = sent(table, FrameKind.RECEIPT)
            table.events()
        self.seq = self.author.chain.next_seq - 1

    @property
    def receipts(self) -> Receipts:
        return self.here._receipts

    def receipt(self, table: TableMachine, head: bytes | None = None) -> Receipt:
        """This player's receipt, for the bid or for another entry."""
        chain = self.here.chain
        link = chain.entries[self.seq].link if head is None else head
        return sign_receipt(table.me.key, chain.table, self.seq, link, table.me.player, None)

    def give(self, receipt: Receipt | bytes, by: TableMachine) -> None:
        raw = receipt if isinstance(receipt, bytes) else receipt.encode()
        self.here.receive(by.me.key.public, FrameKind.RECEIPT, raw, self.net.now)

    def faults(self) -> list[str]:
        told = heard(self.here, events.Fault)
        return [event.finding.check for event in told if isinstance(event, events.Fault)]

    def sent(self) -> list[tuple[FrameKind, bytes]]:
        """What goes out to all; each message once."""
        found = [(e.kind, e.payload) for e in self.here.effects() if isinstance(e, Send)]
        return list(dict.fromkeys(found))


def test_a_receipt_is_owed_once_by_those_who_have_not_written_the_entry() -> None:
    bid = Bid()
    signed = bid.here.chain.entries[bid.seq]
    assert not bid.receipts.is_due(signed)  # given already
    assert not bid.author._receipts.is_due(signed)
    net, author = paused()
    raw = acted(author, net.now)
    other = next(t for t in net.tables if t is not author)
    other.waits.recover()
    other.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
    signed = other.chain.entries[-1]
    assert other._receipts.is_due(signed)
    other.replica.blocked_from = signed.entry.seq
    assert not other._receipts.is_due(signed)
    other.replica.blocked_from = signed.entry.seq + 1
    assert other._receipts.is_due(signed)


def test_a_place_is_settled_by_its_last_receipt_and_written_once() -> None:
    bid = Bid()
    bid.give(bid.given[bid.one.me.player], bid.one)
    assert bid.here.chain.missing() == (bid.two.me.player,)
    assert [e for e in bid.here.effects() if isinstance(e, Persist)] == []
    bid.give(bid.given[bid.two.me.player], bid.two)
    assert bid.here.chain.is_settled
    names = [e.name for e in bid.here.effects() if isinstance(e, Persist)]
    assert names.count(TRANSCRIPT) == 1
    bid.give(bid.given[bid.two.me.player], bid.two)
    names = [e.name for e in bid.here.effects() if isinstance(e, Persist)]
    assert names == [] and bid.faults() == []


def test_the_last_receipt_of_all_closes_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    for finished in (False, True):
        bid, settled = Bid(), 0
        monkeypatch.setattr(Replica, "is_finished", finished)
        settle = Replica.settle

        def count(replica: Replica, settle: Callable[[Replica], None] = settle) -> None:
            nonlocal settled
            settled += 1
            settle(replica)

        with monkeypatch.context() as patch:
            patch.setattr(Replica, "settle", count)
            for one in (bid.one, bid.two):
                bid.give(bid.given[one.me.player], one)
        assert settled == 1
        kinds = {kind for kind, _ in bid.sent()}
        assert (FrameKind.SYNC in kinds) == finished
        assert len(heard(bid.here, events.Closed)) == finished


def test_a_receipt_that_is_not_signed_is_refused() -> None:
    bid = Bid()
    receipt = bid.receipt(bid.one)
    bid.give(
        Receipt(receipt.table, receipt.seq, receipt.head, receipt.author, None, bytes(64)), bid.one
    )
    assert bid.faults() and not bid.here.chain.receipt_of(bid.seq, bid.one.me.player)


def test_a_receipt_for_another_entry_is_shown_to_all_with_the_entry_here() -> None:
    bid = Bid()
    other = bid.receipt(bid.one, bytes(32))
    bid.give(other, bid.one)
    shown = [(FrameKind.ENTRY, bid.raw), (FrameKind.RECEIPT, other.encode())]
    assert bid.sent() == shown and bid.faults() == ["L08"]
    assert bid.here.chain.receipt_of(bid.seq, bid.one.me.player) is None
    bid.give(other, bid.two)
    assert bid.sent() == []  # told once
    bid.receipts.repeat()
    assert bid.sent() == shown
    assert bid.receipts.contradicting_of(bid.one.me.player) == [shown[1]]
    assert bid.receipts.contradicting_of(bid.two.me.player) == []
    more = bid.receipt(bid.two, bytes(32))
    bid.give(more, bid.two)
    assert bid.sent() == [shown[0], (FrameKind.RECEIPT, more.encode())]
    bid.receipts.repeat()
    assert bid.sent() == [*shown, (FrameKind.RECEIPT, more.encode())]


@pytest.mark.parametrize("first", ["true", "false"])
def test_two_different_receipts_of_one_player_stop_the_table(first: str) -> None:
    bid = Bid()
    pair = [bid.receipt(bid.one), bid.receipt(bid.one, bytes(32))]
    for receipt in pair if first == "true" else pair[::-1]:
        bid.give(receipt, bid.one)
    assert bid.here.stopped is not None
    assert bid.here.stopped.finding.player == bid.one.me.player
    assert bid.here.stopped.finding.check == "L10"


def test_contradictions_are_repeated_for_the_last_place_and_kept_for_the_one_before() -> None:
    bid = Bid()
    receipts = bid.receipts
    other = bid.receipt(bid.one, bytes(32))
    bid.give(other, bid.one)
    older = [
        sign_receipt(
            bid.two.me.key, other.table, bid.seq - back, bytes(32), bid.two.me.player, None
        )
        for back in (1, 2)
    ]
    kept = {(each.seq, each.author): each for each in (other, *older)}
    receipts._contradicting = dict(kept)
    bid.sent()
    receipts.repeat()
    assert bid.sent() == [(FrameKind.ENTRY, bid.raw), (FrameKind.RECEIPT, other.encode())]
    late = bid.receipt(bid.two, bytes([1]) * 32)
    bid.give(late, bid.two)
    assert set(receipts._contradicting.values()) == {other, older[0], late}


def test_a_receipt_with_a_claim_is_passed_on_and_one_without_is_not() -> None:
    bid = Bid()
    chain = bid.here.chain
    link = chain.entries[bid.seq].link
    claim = sign_receipt(bid.one.me.key, chain.table, bid.seq, link, bid.one.me.player, "caps")
    bid.here.replica.judge_claim = lambda receipt: None  # type: ignore[method-assign]
    bid.give(claim, bid.one)
    assert bid.sent() == [(FrameKind.RECEIPT, claim.encode())]
    bid.give(bid.receipt(bid.two), bid.two)
    assert (FrameKind.RECEIPT, bid.receipt(bid.two).encode()) not in bid.sent()


def test_a_claim_that_is_not_open_convicts_its_author() -> None:
    bid = Bid()
    chain = bid.here.chain
    link = chain.entries[bid.seq].link
    false = sign_receipt(bid.one.me.key, chain.table, bid.seq, link, bid.one.me.player, "caps")
    bid.give(false, bid.one)
    assert bid.here.stopped is not None and bid.here.stopped.finding.check == "S03"
    assert chain.receipt_of(bid.seq, bid.one.me.player) is None


def early() -> tuple[Net, TableMachine, TableMachine, TableMachine, bytes]:
    """A machine that has not seen the bid, and two others."""
    net, author = paused()
    raw = acted(author, net.now)
    here, one, two = (t for t in net.tables if t is not author)
    here.effects()
    here.events()
    one.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
    return net, here, one, two, raw


def test_receipts_that_came_before_the_entry_are_taken_with_it_and_false_ones_told() -> None:
    net, here, one, two, raw = early()
    receipt = parse_receipt(sent(one, FrameKind.RECEIPT)[0])
    here.receive(one.me.key.public, FrameKind.RECEIPT, receipt.encode(), net.now)
    false = Receipt(receipt.table, receipt.seq, receipt.head, two.me.player, None, bytes(64))
    here.receive(two.me.key.public, FrameKind.RECEIPT, false.encode(), net.now)
    assert heard(here, events.Fault) == []
    author = net.tables[here.replica.due.player] if here.replica.due else here
    here.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
    assert here.chain.receipt_of(receipt.seq, one.me.player) == receipt
    assert len(heard(here, events.Fault)) == 1 and here.stopped is None


def test_a_bug_at_a_receipt_that_came_early_is_reported_as_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(receipts: Receipts, receipt: Receipt) -> None:
        raise ZeroDivisionError

    net, here, one, _, raw = early()
    receipt = sent(one, FrameKind.RECEIPT)[0]
    here.receive(one.me.key.public, FrameKind.RECEIPT, receipt, net.now)
    monkeypatch.setattr(Receipts, "_take", fails)
    author = net.tables[here.replica.due.player] if here.replica.due else here
    here.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
    (report,) = [e for e in here.effects() if isinstance(e, Persist) and e.name == REPORT]
    assert b"while handling RECEIPT" in report.data
    assert here.chain.entries[-1].raw == raw


def test_an_own_receipt_from_elsewhere_is_journalled() -> None:
    net, here, _, _, raw = early()
    author = net.tables[here.replica.due.player] if here.replica.due else here
    here.waits.recover()
    here.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
    here.effects()
    own = here._receipts.make(here.chain.entries[-1])
    here.receive(author.me.key.public, FrameKind.RECEIPT, own.encode(), net.now)
    (record,) = [e for e in here.effects() if isinstance(e, Persist) and e.name == JOURNAL]
    assert own.encode() in record.data
    here.waits.recovery = None
    assert heard(here, events.SignedElsewhere) == []


def test_an_own_receipt_that_this_node_has_not_given_is_told() -> None:
    net, here, _, _, raw = early()
    author = net.tables[here.replica.due.player] if here.replica.due else here
    here.waits.recover()
    here.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
    here.waits.recovery = None
    own = here._receipts.make(here.chain.entries[-1])
    here.receive(author.me.key.public, FrameKind.RECEIPT, own.encode(), net.now)
    assert len(heard(here, events.SignedElsewhere)) == 1


def test_nothing_is_released_where_nothing_is_held() -> None:
    bid = Bid()
    assert not bid.receipts.release() and bid.sent() == []
    signed = bid.here.chain.entries[bid.seq]
    bid.here._pending_claim._held = signed
    assert not bid.receipts.release()  # the receipt was given already
    net, here, _, _, raw = early()
    author = net.tables[here.replica.due.player] if here.replica.due else here
    here.waits.recover()
    here.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
    here.waits.recovery = None
    here._pending_claim._held = here.chain.entries[-1]
    here.effects()
    assert here._receipts.release() and sent(here, FrameKind.RECEIPT)


def test_an_own_receipt_that_is_the_last_one_settles_the_place() -> None:
    net, here, one, two, raw = early()
    author = net.tables[here.replica.due.player] if here.replica.due else here
    here.waits.recover()
    two.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
    here.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
    for other in (one, two):
        receipt = other.chain.receipt_of(here.chain.next_seq - 1, other.me.player)
        assert receipt is not None
        here.receive(other.me.key.public, FrameKind.RECEIPT, receipt.encode(), net.now)
    here.effects()
    here._receipts.give(here.chain.entries[-1])
    assert [e.name for e in here.effects() if isinstance(e, Persist)] == [JOURNAL, TRANSCRIPT]
