"""Where blame cannot be proven it is not assigned: bad bytes, forged names, floods and silence are
refused or waited for, nobody is named, no evidence is kept, and the hand goes on to its end."""

from __future__ import annotations

import pytest

from p2p304.log.entry import parse_entry, sign_entry, sign_receipt
from p2p304.table.exchange.lookahead import LookaheadBuffer
from p2p304.table.state import events
from p2p304.wire.canonical import encode
from p2p304.wire.effects import HangUp, Send
from p2p304.wire.framing import FrameKind
from tests.support.cheats.harness import fork
from tests.support.hostile.nuisances import (
    NUISANCES,
    Nuisance,
    deliver,
    entry,
    receipt,
    without_receipts,
)
from tests.support.table import simnet
from tests.support.table.bidding_game import game

NUISANCE = {each.__name__: each for each in NUISANCES}


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
        assert told == {nuisance.check, nuisance.also} - {None}
        assert all(f.nick is None and f.finding.player is None for f in faults(net, number))


def deliver_quietly(net: simnet.Net, sender: int, nuisance: Nuisance) -> None:
    """Nobody plays on meanwhile."""
    for table in net.tables:
        table.turns.asked_for = table.chain.next_seq
    deliver(net, sender, nuisance)


def bytes_sent(net: simnet.Net, number: int, to: int) -> int:
    effects = net.tables[number].effects()
    return sum(len(e.payload) for e in effects if isinstance(e, Send) and e.peer == net.keys[to])


def test_whatever_is_asked_answers_have_a_bounded_rate() -> None:
    """A megabyte at once and a quarter of one with each second; before that is used up, an
    honest question is answered whole, and a little later it is again."""
    net = fork(game())
    table, now = net.tables[0], 100.0
    table.effects()
    for number in range(3000):
        question = encode({"have": number % 20, "receipts": []})
        table.receive(net.keys[2], FrameKind.SYNC, question, now)
    assert 1024 * 1024 - 64 * 1024 < bytes_sent(net, 0, 2) <= 1024 * 1024
    for second in range(1, 11):
        for number in range(100):
            question = encode({"have": number % 20, "receipts": []})
            table.receive(net.keys[2], FrameKind.SYNC, question, now + second + number / 1000)
    assert bytes_sent(net, 0, 2) <= 10 * 256 * 1024 * 1.1
    table.receive(net.keys[1], FrameKind.SYNC, encode({"have": 0, "receipts": []}), now + 11)
    whole = sum(len(e.raw) for e in table.chain.entries)
    assert bytes_sent(net, 0, 1) > whole


def test_who_sends_forgeries_again_and_again_is_named_and_shut_out() -> None:
    net = fork(game())
    deliver_quietly(net, 2, NUISANCE["AForgeryAgainAndAgain"]())
    for number in (0, 1, 3):
        (named,) = [f for f in faults(net, number) if f.finding.check == "W14"]
        assert net.tables[0].terms.players[2].nick in named.finding.sentence
    for kind, payload in NUISANCE["AForgeryAgainAndAgain"]().messages(net.tables[2]):
        net.tables[0].receive(net.keys[2], kind, payload, net.now)
    cut = [e for e in net.tables[0].effects() if isinstance(e, HangUp)]
    assert cut and all(e.peer == net.keys[2] and e.pause >= 60 for e in cut)


def test_room_for_what_comes_early_cannot_be_taken_from_others() -> None:
    """With a flood in everybody else's name, before every place, a hand takes hardly longer: what
    the flooding player itself sends too early is asked for again, and nothing of the others.
    """
    times = []
    for flooding in (False, True):
        net = simnet.make_closed(3)
        net.faults = simnet.Faults(delay=0.002, jitter=0.004)
        if flooding:
            flood_early(net, 1)
        net.run(seconds=60)
        assert net.finished
        times.append(net.now)
    assert times[1] < times[0] + 2.0


def test_every_peer_has_room_of_its_own() -> None:
    net = game()
    keys, me = net.keys, net.tables[2]
    early, at = LookaheadBuffer(tuple(keys)), me.chain.next_seq + 1
    raws = [
        parse_entry(entry(me, seq=at, author=n, prev=bytes([k]) * 32))
        for n in range(4)
        for k in range(4)
    ]
    heads = [receipt(me, at, bytes([k]) * 32, author=n) for n in range(4) for k in range(4)]
    for unverified, said in zip(raws, heads, strict=True):
        early.keep_entry(keys[2], unverified, me.chain.next_seq)
        early.keep_receipt(keys[2], said, me.chain.next_seq)
    early.keep_entry(keys[1], raws[7], me.chain.next_seq)
    early.keep_receipt(keys[1], heads[7], me.chain.next_seq)
    entries = early.entries_for(at)
    assert entries[0] == (keys[1], raws[7]) and len(entries) == 3
    receipts = early.receipts_for(at)
    assert (keys[1], heads[7]) in receipts and len(receipts) == 9
    assert len(early) == 0


def flood_early(net: simnet.Net, bad: int) -> None:
    """Before each place the sender fills all the room that it can, but its own."""
    honest, last = net.collect, [-1]

    def collect(number: int) -> None:
        honest(number)
        me = net.tables[bad]
        seq = me.chain.next_seq
        if number != bad or seq == last[0]:
            return
        last[0] = seq
        others = [n for n in range(4) if n != bad]
        raws = [
            entry(me, seq=at, author=n, prev=bytes([k]) * 32)
            for at in (seq, seq + 1)
            for n in others
            for k in range(4)
        ]
        heads = [
            (at, n, bytes([k]) * 32) for at in (seq, seq + 1) for n in others for k in range(4)
        ]
        for target in others:
            for raw in raws:
                net._queue(bad, target, FrameKind.ENTRY, raw)
            for at, n, head in heads:
                raw = receipt(me, at, head, author=n).encode()
                net._queue(bad, target, FrameKind.RECEIPT, raw)

    net.collect = collect  # type: ignore[method-assign]


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
