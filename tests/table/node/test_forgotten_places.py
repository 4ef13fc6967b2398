"""What is settled leaves a node's memory, and nobody can tell: it is read from the transcript."""

from __future__ import annotations

import copy
import enum
import gc
import sys
import types
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2p304.log.absence_vote import PART, READY, PartingPlace, say
from p2p304.log.entry import sign_entry, sign_receipt
from p2p304.log.transcript import BlocksLost, RawBlock, StoredBlocks, read_blocks
from p2p304.rules.variants.presets import preset
from p2p304.table.evidence.evidence_file import NAME as EVIDENCE
from p2p304.table.evidence.evidence_file import parse_evidence_file
from p2p304.table.exchange.sync import BATCH
from p2p304.table.machine.log_memory import KEPT
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node import spectators
from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.table.node.spectators import Spectators, watch_bytes
from p2p304.table.state import events
from p2p304.table.transition.replay import Replay
from p2p304.wire.canonical import encode
from p2p304.wire.effects import Persist, Send
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet

HANDS = 4
MOST_KEPT = 8 * 1024
"""Bytes that a hand may leave in memory: 40 for each of its places, and what objects round up."""
MOST_SPREAD = 40 * 1024
"""Bytes by which the last places, which stay in memory, differ in size from hand to hand."""
OLD = 3
"""A place that has left memory."""


def kept_bytes(root: object, but: list[bytes]) -> int:
    """The bytes of all objects that this one holds, directly or not; code, types and ``but`` left
    out."""
    shared = type | types.ModuleType | types.FunctionType | types.BuiltinFunctionType | enum.Enum
    seen, stack, total = {id(but)}, [root], 0
    while stack:
        one = stack.pop()
        if id(one) not in seen and not isinstance(one, shared):
            seen.add(id(one))
            total += sys.getsizeof(one)
            stack += gc.get_referents(one)
    return total


@cache
def played() -> tuple[simnet.Net, list[int], simnet.Net]:
    """Some hands at a table whose nodes forget, the bytes that one keeps after each, and the table
    as it was after the second hand."""
    rules = preset("pagat").override({"match": "session", "away": "replace"})
    net, sizes = simnet.make(3, HANDS, rules, stored=True), list[int]()
    table = net.tables[0]

    def over() -> int:
        return sum(isinstance(event, events.HandOver) for event in net.told[0])

    for hand in range(1, HANDS + 1):
        net.run(until=lambda hand=hand: over() >= hand)  # type: ignore[misc]
        sizes.append(kept_bytes(table, net.transcripts))
        if hand == 2:
            paused = copy.deepcopy(net)
    net.run()
    assert net.finished
    return net, sizes, paused


def node(number: int) -> TableMachine:
    """One player's machine at the end of these hands, to be changed."""
    table = copy.deepcopy(played()[0].tables[number])
    assert table.chain.first_kept == table.chain.next_seq - KEPT > BATCH + OLD
    return table


def blocks() -> list[RawBlock]:
    return list(read_blocks(played()[0].transcripts[0]))


def sent(table: TableMachine) -> list[tuple[FrameKind, bytes]]:
    return [(e.kind, e.payload) for e in table.effects() if isinstance(e, Send)]


def test_a_hand_that_is_over_leaves_almost_nothing_in_memory() -> None:
    """The log of a hand is some 70 KB of bytes, and thrice that as objects."""
    _, sizes, _ = played()
    assert sizes[-1] - sizes[1] < (HANDS - 2) * MOST_KEPT + MOST_SPREAD


def test_all_nodes_have_written_the_same_sound_transcript() -> None:
    net, _, _ = played()
    assert len(set(net.transcripts)) == 1 and not any(net.evidence)
    assert sum(1 for _ in Replay(net.transcripts[0])) == net.tables[0].chain.next_seq


def test_a_peer_that_has_nothing_is_given_every_place() -> None:
    """It asks for the next places until it has all; the limits are those of table/exchange/sync."""
    table, log = node(0), blocks()
    peer, now, seq = table.terms.keys[1], 10_000.0, 0
    while seq < len(log):
        now += 100
        have = encode({"have": seq, "receipts": []})
        table.receive(peer, FrameKind.SYNC, have, now)
        found = sent(table)
        given = [payload for kind, payload in found if kind is FrameKind.ENTRY]
        assert given == [block.entry.raw for block in log[seq : seq + len(given)]] and given
        receipts = {payload for kind, payload in found if kind is FrameKind.RECEIPT}
        due = {r.encode() for block in log[seq : seq + len(given)] for r in block.receipts}
        assert due <= receipts
        seq += len(given)


def test_a_spectator_is_shown_every_place() -> None:
    table = node(1)
    shown = SimpleNamespace(
        chain=table.chain,
        state=table.state,
        replica=table.replica,
        terms=SimpleNamespace(watch="now"),
    )
    gallery, found = Spectators(cast(Any, shown)), list[bytes]()
    gallery.update()
    while len(found) < table.chain.next_seq:
        gallery.receive(b"somebody", watch_bytes(len(found)))
        new = [e.payload for e in gallery.effects() if isinstance(e, Send)]
        assert 0 < len(new) <= spectators.BATCH
        found += new
    assert b"".join(found) == played()[0].transcripts[1][8:]


def stopped(table: TableMachine, check: str) -> bytes:
    """The evidence file of a table that this check has stopped."""
    assert table.stopped is not None and table.stopped.finding.check == check
    (data,) = [e.data for e in table.effects() if isinstance(e, Persist) and e.name == EVIDENCE]
    assert parse_evidence_file(data).transcript == played()[0].transcripts[0]
    return data


def test_a_second_entry_for_an_old_place_convicts_its_author() -> None:
    table, kept = node(0), blocks()[OLD].entry
    liar = played()[0].tables[kept.entry.author]
    table.receive(liar.me.key.public, FrameKind.ENTRY, kept.raw, 0.0)
    assert table.stopped is None and not sent(table)
    body = {**kept.entry.body, "more": 1}
    one = kept.entry
    other = sign_entry(liar.me.key, one.table, one.seq, one.prev, one.author, one.kind, body).raw
    table.receive(liar.me.key.public, FrameKind.ENTRY, other, 0.0)
    found = parse_evidence_file(stopped(table, "L11"))
    assert {found.first, found.second} == {kept.raw, other}


def test_a_second_receipt_for_an_old_place_convicts_its_author() -> None:
    table, kept = node(1), blocks()[OLD].receipts[0]
    liar = played()[0].tables[kept.author]
    peer = liar.me.key.public
    table.receive(peer, FrameKind.RECEIPT, kept.encode(), 0.0)
    assert table.stopped is None and not sent(table)
    other = sign_receipt(liar.me.key, kept.table, kept.seq, kept.head, kept.author, "caps")
    table.receive(peer, FrameKind.RECEIPT, other.encode(), 0.0)
    found = parse_evidence_file(stopped(table, "L10"))
    assert {found.first, found.second} == {kept.encode(), other.encode()}


def test_a_part_for_an_old_place_convicts_the_player_who_played_on() -> None:
    table, log = node(2), blocks()
    net = played()[0]
    liar = next(n for n in range(4) if n not in (2, log[OLD].entry.entry.author))
    absent = next(n for n in range(4) if n not in (2, liar))
    before = table.chain.entry(OLD - 1)
    where = PartingPlace(table.chain.table, OLD, before.link, absent)
    readies = [say(t.me.key, READY, where, n) for n, t in enumerate(net.tables) if n != absent]
    part = say(net.tables[liar].me.key, PART, where, liar, 0, tuple(word.sig for word in readies))
    absence = PlayerAbsence(table)
    absence.receive(part.encode(), 0.0)
    (evidence,) = absence.voter.contradictions
    (receipt,) = [r for r in log[OLD].receipts if r.author == liar]
    assert (evidence.first, evidence.second) == (part.encode(), receipt.encode())


def test_a_parting_writes_the_same_transcript_with_another_last_block() -> None:
    net = copy.deepcopy(played()[2])
    assert net.tables[0].chain.first_kept > OLD
    net.part(3, net.tables[0].chain.next_seq + 1)
    for number in range(3):
        net.collect(number)
    last = list(Replay(net.transcripts[0]))[-1]
    assert last.state.is_over and len(set(net.transcripts[:3])) == 1
    old, new = blocks(), list(read_blocks(net.transcripts[0]))
    assert new[:-1] == old[: len(new) - 1] and new[-1].entry == old[len(new) - 1].entry
    assert new[-1].parts is not None


def test_a_changed_transcript_stops_the_node_and_is_no_fault_of_the_peer() -> None:
    table, whole = node(3), played()[0].transcripts[3]
    changed = whole[:50] + bytes([whole[50] ^ 1]) + whole[51:]
    store = table.chain.store
    assert isinstance(store, StoredBlocks)
    store._read = lambda offset, size: changed[offset : offset + size]
    have = encode({"have": 0, "receipts": []})
    with pytest.raises(BlocksLost):
        table.receive(table.terms.keys[0], FrameKind.SYNC, have, 10_000.0)
    assert not [e for e in table.events() if isinstance(e, events.Fault)]
