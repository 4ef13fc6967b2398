"""Receipts that lie, and second entries: refused by all, named by all, and the evidence
convinces by itself."""

from __future__ import annotations

from functools import cache

import pytest

from p2p304.log.entry import sign_receipt
from p2p304.log.faults import Refused
from p2p304.offline.audit import judge
from p2p304.table.evidence.evidence_file import EvidenceFile, parse_evidence_file
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.state.events import Fault
from p2p304.wire.framing import FrameKind
from tests.support.cheats.harness import Outcome
from tests.support.cheats.receipts import (
    FALSE_RECEIPTS,
    FalseReceipt,
    PlaysOverAClaim,
    over_a_claim,
    told_falsely,
)
from tests.support.table import simnet


@cache
def results() -> dict[type[FalseReceipt], Outcome]:
    return told_falsely(lambda: simnet.make_closed(3))


@pytest.mark.parametrize("lie", FALSE_RECEIPTS, ids=lambda each: each.__name__)
def test_who_lies_on_a_receipt_is_named_by_all(lie: type[FalseReceipt]) -> None:
    outcome = results()[lie]
    net, liar = outcome.net, outcome.liar
    for number in outcome.honest:
        table = net.tables[number]
        named = {(f.finding.check, f.finding.player) for f in outcome.faults(number) if f.nick}
        assert named == {(lie.check, liar)}
        assert table.stopped is not None and table.chain.next_seq >= outcome.seq + 1
        verdict = judge(net.evidence[number])
        assert verdict.finding.check == lie.check
        assert verdict.at == outcome.seq or (lie.check == "L11" and verdict.at <= outcome.seq + 1)
        assert verdict.guilty == table.terms.players[liar].nick


def test_an_open_claim_is_no_evidence() -> None:
    """The same file around an honest receipt, and around a receipt of another table."""
    outcome = results()[FALSE_RECEIPTS[0]]
    case = parse_evidence_file(outcome.net.evidence[outcome.honest[0]])
    table = outcome.net.tables[outcome.honest[0]]
    key = outcome.net.tables[outcome.liar].me.key
    head = table.chain.entries[outcome.seq].link
    for where, check in ((table.chain.table, "E01"), (bytes(32), "L01")):
        mild = sign_receipt(key, where, outcome.seq, head, outcome.liar, None)
        with pytest.raises(Refused) as caught:
            judge(EvidenceFile(case.kind, mild.encode(), case.second, case.transcript).encode())
        assert caught.value.finding.check == check


def test_who_acts_in_good_faith_behind_a_claim_is_never_named() -> None:
    """A claim was made to all but the player whose turn it was, and who acted."""
    for outcome in results().values():
        for number in outcome.honest:
            told = [e for e in outcome.net.told[number] if isinstance(e, Fault)]
            assert {f.finding.player for f in told} <= {outcome.liar, None}


def test_who_plays_over_a_claim_is_refused_and_not_named() -> None:
    """It may have been told of no claim. The claimant goes on, and the hand ends as claimed."""
    ignored = over_a_claim()
    net = ignored.net
    honest = [n for n in range(4) if n != ignored.player]
    for number in honest:
        table = net.tables[number]
        table.events()
        table.receive(net.keys[ignored.player], FrameKind.ENTRY, ignored.entry, net.now)
        told = [e for e in table.events() if isinstance(e, Fault)]
        named = [(f.finding.check, f.finding.player, f.nick) for f in told]
        assert named == [(PlaysOverAClaim.check, None, None)] and table.stopped is None
    net.run(seconds=60, until=lambda: all(_claimed(table) for table in net.tables))
    assert all(map(_claimed, net.tables)) and not any(net.evidence)


def _claimed(table: TableMachine) -> bool:
    return any(signed.entry.kind == "spoilt" for signed in table.chain.entries)
