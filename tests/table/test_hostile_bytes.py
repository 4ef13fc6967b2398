"""Whatever bytes a member sends, a table takes them or refuses them by number: it never raises,
and what is refused leaves no trace."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from p2p304.log.entry import sign_entry, sign_receipt
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.state import events
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet

KINDS = (FrameKind.ENTRY, FrameKind.RECEIPT, FrameKind.SYNC, FrameKind.EVIDENCE)


@cache
def game() -> simnet.Net:
    """A table in the middle of a hand, waiting for a player who does not choose."""
    net = simnet.make(2)
    net.run(until=lambda: net.tables[0].chain.next_seq > 30)
    for table in net.tables:
        table.effects()
        table.events()
    return net


def face(table: TableMachine) -> tuple[object, bytes, int]:
    return table.state, table.chain.head, table.chain.next_seq


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(KINDS), st.binary(max_size=300), st.integers(1, 3))
def test_random_bytes_change_nothing(kind: FrameKind, payload: bytes, peer: int) -> None:
    net = game()
    before = face(net.tables[0])
    net.tables[0].receive(net.keys[peer], kind, payload, net.now)
    assert face(net.tables[0]) == before


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_changed_byte_of_a_real_message_changes_nothing(data: st.DataObject) -> None:
    net = game()
    table = net.tables[0]
    seq = data.draw(st.integers(0, table.chain.next_seq - 1))
    receipts = [r.encode() for r in table.chain.receipts_at(seq)]
    kind, raw = data.draw(
        st.sampled_from(
            [
                (FrameKind.ENTRY, table.chain.entries[seq].raw),
                *((FrameKind.RECEIPT, receipt) for receipt in receipts),
            ]
        )
    )
    changed = bytearray(raw)
    changed[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    before = face(table)
    table.receive(net.keys[1], kind, bytes(changed), net.now)
    assert face(table) == before and table.stopped is None


def test_what_was_said_before_may_be_said_again() -> None:
    net = game()
    table = net.tables[0]
    before = face(table)
    table.events()
    for signed in table.chain.entries:
        table.receive(net.keys[1], FrameKind.ENTRY, signed.raw, net.now)
    assert face(table) == before
    assert not [e for e in table.events() if isinstance(e, events.Fault)]


def test_an_entry_out_of_turn_convicts_its_author() -> None:
    net = simnet.make(3)
    net.run(until=lambda: net.tables[0].chain.next_seq > 20 and net.tables[0].chain.is_settled)
    table = net.tables[0]
    due = table.replica.due
    assert due is not None
    intruder = next(p for p in range(1, 4) if p != due.player)
    entry = sign_entry(
        net.tables[intruder].me.key,
        table.chain.table,
        table.chain.next_seq,
        table.chain.head,
        intruder,
        "say",
        {"word": "pass"},
    )
    table.receive(net.keys[intruder], FrameKind.ENTRY, entry.raw, net.now)
    assert table.stopped is not None
    assert (table.stopped.finding.check, table.stopped.finding.player) == ("S01", intruder)


def test_two_receipts_for_one_place_convict() -> None:
    net = simnet.make(3)
    net.run(until=lambda: net.tables[0].chain.next_seq > 10 and net.tables[0].chain.is_settled)
    table = net.tables[0]
    seq = table.chain.next_seq - 2
    liar = next(r.author for r in table.chain.receipts_at(seq) if r.author != 0)
    lie = sign_receipt(net.tables[liar].me.key, table.chain.table, seq, bytes(32), liar, None)
    table.receive(net.keys[liar], FrameKind.RECEIPT, lie.encode(), net.now)
    assert table.stopped is not None
    assert (table.stopped.finding.check, table.stopped.finding.player) == ("L10", liar)


def test_a_claim_that_nobody_may_make_convicts_who_signed_it() -> None:
    net = simnet.make(3)
    net.run(until=lambda: net.tables[0].chain.next_seq > 10)
    table = net.tables[0]
    seq = table.chain.next_seq - 1
    author = table.chain.entries[seq].entry.author
    claimant = next(p for p in range(1, 4) if p != author)
    claim = sign_receipt(
        net.tables[claimant].me.key, table.chain.table, seq, table.chain.head, claimant, "caps"
    )
    table.events()
    table.receive(net.keys[claimant], FrameKind.RECEIPT, claim.encode(), net.now)
    faults = [e.finding.check for e in table.events() if isinstance(e, events.Fault)]
    assert faults == ["S03"] and table.stopped is not None
    assert table.stopped.finding.player == claimant


def test_receipts_for_places_far_ahead_are_not_kept() -> None:
    net = game()
    table = net.tables[0]
    for seq in range(table.chain.next_seq, table.chain.next_seq + 500):
        ahead = sign_receipt(net.tables[1].me.key, table.chain.table, seq, bytes(32), 1, None)
        table.receive(net.keys[1], FrameKind.RECEIPT, ahead.encode(), net.now)
    assert len(table._lookahead) <= 3
