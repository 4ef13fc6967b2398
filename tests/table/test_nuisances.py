"""Where blame cannot be proven it is not assigned: bad bytes, forged names, floods and silence are
refused or waited for, nobody is named, no evidence is kept, and the hand goes on to its end."""

from __future__ import annotations

from functools import cache

import pytest
import simnet
from cheating import fork
from cheats_receipts import deliver_all
from nuisances import NUISANCES, Nuisance, deliver, without_receipts

from p2p304.log.entry import sign_entry, sign_receipt
from p2p304.table import events
from p2p304.wire.framing import FrameKind


@cache
def game() -> simnet.Net:
    """A table in the bidding, all receipts there, the player whose turn it is still thinking."""
    net = simnet.make_closed(3)
    net.run(until=lambda: net.tables[0].chain.next_seq > 19)
    deliver_all(net)
    return net


def faults(net: simnet.Net, number: int) -> list[events.Fault]:
    return [e for e in net.told[number] if isinstance(e, events.Fault)]


@pytest.mark.parametrize("nuisance", NUISANCES, ids=lambda each: each.__name__)
def test_nobody_is_named_and_nothing_changes(nuisance: type[Nuisance]) -> None:
    net = fork(game())
    before = [table.chain.head for table in net.tables]
    sender = 2
    if nuisance.without:
        without_receipts(net, sender)
    for table in net.tables:
        table.effects()
        table.events()
    deliver_quietly(net, sender, nuisance())
    assert [table.chain.head for table in net.tables] == before
    assert all(table.stopped is None for table in net.tables) and not any(net.evidence)
    for number in (0, 1, 3):
        told = {f.finding.check for f in faults(net, number)}
        assert told == ({nuisance.check} if nuisance.check else set())
        assert all(f.nick is None and f.finding.player is None for f in faults(net, number))


def deliver_quietly(net: simnet.Net, sender: int, nuisance: Nuisance) -> None:
    """Nobody plays on meanwhile."""
    for table in net.tables:
        table._asked_for = table.chain.next_seq
    deliver(net, sender, nuisance)


def test_after_all_of_it_the_hand_is_played_to_its_end() -> None:
    net = simnet.make_closed(3)
    net.run(until=lambda: net.tables[0].chain.next_seq > 19)
    for nuisance in NUISANCES:
        if nuisance.check not in ("L05", "L09") and not nuisance.without:
            deliver(net, 2, nuisance())
    net.run()
    quiet = simnet.make_closed(3)
    quiet.run()
    assert net.finished and net.transcripts[0] == quiet.transcripts[0]


def test_silence_names_nobody_and_the_table_waits() -> None:
    net = simnet.make_closed(3)
    net.run(until=lambda: net.tables[0].chain.next_seq > 19)
    silent = net.tables[2]
    net.faults.tamper = None
    dropped = net._queue

    def without(source: int, target: int, kind: FrameKind, payload: bytes) -> None:
        if source != 2:
            dropped(source, target, kind, payload)

    net._queue = without  # type: ignore[method-assign]
    net.run(seconds=60)
    assert not net.finished and silent.stopped is None
    for number in (0, 1, 3):
        assert net.tables[number].stopped is None and not faults(net, number)
        waits = [e for e in net.told[number] if isinstance(e, events.Waiting)]
        nick = silent.terms.players[2].nick
        assert waits and nick in waits[-1].nicks


def test_two_receipts_convict_and_one_odd_receipt_does_not() -> None:
    """A receipt for another head is dropped (L08) as long as it stands alone; beside the
    honest one it is proof (L10)."""
    for both in (False, True):
        net = fork(game())
        liar = net.tables[2]
        seq = next(e.entry.seq for e in reversed(liar.chain.entries) if e.entry.author != 2)
        odd = sign_receipt(liar.me.key, liar.chain.table, seq, bytes(32), 2, None)
        victim = net.tables[0]
        if not both:
            victim.chain._receipts[seq].pop(2)
        victim.receive(net.keys[2], FrameKind.RECEIPT, odd.encode(), net.now)
        found = [e.finding for e in victim.events() if isinstance(e, events.Fault)]
        assert [(f.check, f.player) for f in found] == [("L10", 2) if both else ("L08", None)]
        assert (victim.stopped is not None) == both


def test_an_agreement_that_is_false_is_no_evidence_against_anybody() -> None:
    """At place 0 there is no table yet whose keys could convict."""
    net = simnet.make(4)
    table = net.tables[1]
    founder = net.tables[0].me
    body = {"terms": table.terms.to_value(), "assents": [bytes(64)] * 4}
    false = sign_entry(founder.key, table.chain.table, 0, bytes(32), 0, "agreement", body)  # type: ignore[arg-type]
    table.receive(founder.key.public, FrameKind.ENTRY, false.raw, 0.0)
    assert table.stopped is not None and table.stopped.finding.check == "A03"
    assert table.stopped.finding.player is None
    assert not [e for e in table.effects() if getattr(e, "name", "") == "evidence"]
