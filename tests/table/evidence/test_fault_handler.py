"""Messages that prove nothing: how often a peer may send such before it is cut off, and what is
told of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p304.log.absence_vote import PART, PartingPlace, say
from p2p304.log.entry import sign_receipt
from p2p304.log.evidence import BOX, Evidence, of_two_words
from p2p304.log.faults import Refused
from p2p304.table.evidence import evidence_file, share_complaint
from p2p304.table.evidence.fault_handler import MAX_REFUSED, SHUT_OUT, FaultHandler
from p2p304.table.evidence.left_draws import DrawWatch
from p2p304.table.state.events import Event, Fault
from p2p304.table.transition.replica import Replica
from p2p304.wire.effects import Effect, HangUp, Outbox, Persist, Send
from p2p304.wire.framing import FrameKind
from tests.support.paths import ROOT
from tests.support.table import simnet

NET = simnet.make(1)
NET.come_to(3)
TABLE, TERMS = NET.tables[0], NET.tables[0].terms
LIAR, OTHER = TERMS.keys[2], TERMS.keys[1]


def made(replica: Replica | None = None) -> tuple[FaultHandler, Outbox[Event]]:
    replica, out = replica or Replica(TERMS), Outbox[Event](TERMS.keys[1:])
    return FaultHandler(replica, DrawWatch(replica, TERMS.keys[0], out), out), out


def hang_ups(effects: list[Effect]) -> list[tuple[bytes, float]]:
    assert all(isinstance(effect, HangUp) for effect in effects)
    return [(e.peer, e.pause) for e in effects if isinstance(e, HangUp)]


def told(out: Outbox[Event]) -> list[str]:
    faults = [event for event in out.events() if isinstance(event, Fault)]
    assert all((fault.nick, fault.seq) == (None, None) for fault in faults)
    return [fault.finding.check for fault in faults]


@pytest.mark.parametrize("check", ["W01", "L02", "L03", "L07", "E01"])
def test_who_sends_what_no_honest_program_sends_is_shut_out_for_a_while(check: str) -> None:
    handler, out = made()
    malformed = check.startswith("W")
    for sent in range(1, MAX_REFUSED):
        handler.refuse(Refused(check, "no"), LIAR)
        assert hang_ups(out.effects()) == ([(LIAR, 0.0)] if malformed else [])
        assert told(out) == ([check] if sent == 1 else []), "the same is told once"
    handler.refuse(Refused(check, "no"), OTHER)
    assert not any(pause for _, pause in hang_ups(out.effects())), "each peer for itself"
    assert told(out) == [check]
    for _ in range(2):
        handler.refuse(Refused(check, "no"), LIAR)
        assert hang_ups(out.effects()) == [(LIAR, SHUT_OUT)]
    (event,) = (e for e in out.events() if isinstance(e, Fault))
    assert event.finding.check == "W14" and TERMS.players[2].nick in event.finding.sentence
    assert handler.stopped is None


@pytest.mark.parametrize("check", ["L05", "S04", "W12", "E04"])
def test_what_an_honest_program_may_send_never_costs_the_link(check: str) -> None:
    handler, out = made()
    for _ in range(3 * MAX_REFUSED):
        handler.refuse(Refused(check, "no"), LIAR)
    assert out.effects() == [] and told(out) == [check]


def test_the_limit_is_the_one_of_the_specification() -> None:
    text = (ROOT / "SPEC.md").read_text(encoding="utf-8")
    (most,) = re.findall(r"a member has not sent (\d+) messages that no honest program", text)
    assert int(most) == MAX_REFUSED


def test_a_stranger_has_no_name_to_be_told() -> None:
    handler, out = made()
    for _ in range(MAX_REFUSED):
        handler.refuse(Refused("W01", "no"), bytes(32))
    findings = [event.finding for event in out.events() if isinstance(event, Fault)]
    assert [finding.check for finding in findings] == ["W01", "W14"]
    assert "somebody" in findings[1].sentence


def test_no_proof_is_shown_where_there_is_none() -> None:
    handler, out = made()
    handler.send_proof_to(OTHER)
    assert out.effects() == []


def false_entry(handler: FaultHandler) -> tuple[FrameKind, bytes]:
    signed = TABLE.chain.entries[2]
    handler.on_false_entry(signed, Refused("L06", "no", 2))
    return FrameKind.ENTRY, signed.raw


def false_claim(handler: FaultHandler) -> tuple[FrameKind, bytes]:
    chain = TABLE.chain
    receipt = sign_receipt(NET.tables[2].me.key, chain.table, 2, chain.head, 2, None)
    handler.on_false_claim(receipt, Refused("R02", "no", 2))
    return FrameKind.RECEIPT, receipt.encode()


def contradiction(handler: FaultHandler) -> tuple[FrameKind, bytes]:
    key = NET.tables[2].me.key
    one, other = (
        say(key, PART, PartingPlace(TERMS.table, 3, bytes(32), absent), 2, 0, (bytes(64),) * 3)
        for absent in (0, 1)
    )
    evidence = of_two_words(one.encode(), other.encode())
    handler.prove(evidence)
    return FrameKind.EVIDENCE, evidence.encode()


@pytest.mark.parametrize(
    ("prove", "kind"), [(false_entry, "false"), (false_claim, "claim"), (contradiction, "part")]
)
def test_a_proven_fault_is_shown_to_all_and_kept_and_shown_to_those_who_come_later(
    prove: Callable[[FaultHandler], tuple[FrameKind, bytes]], kind: str
) -> None:
    handler, out = made(TABLE.replica)
    shown, payload = prove(handler)
    *sent, kept = out.effects()
    assert sent == [Send(key, shown, payload) for key in TERMS.keys[1:]]
    assert isinstance(kept, Persist) and kept.name == evidence_file.NAME
    assert evidence_file.parse_evidence_file(kept.data).kind == kind
    assert handler.stopped is not None and handler.stopped.finding.player == 2
    assert Fault(handler.stopped.finding, TERMS.players[2].nick, 2) in [
        replace(event, seq=2) for event in out.events() if isinstance(event, Fault)
    ]
    handler.send_proof_to(OTHER)
    assert out.effects() == [Send(OTHER, shown, payload)]


def test_before_the_agreement_is_settled_a_fault_stops_the_table_and_no_file_is_kept() -> None:
    table = simnet.make(1).tables[0]
    assert table.chain.next_seq == 1 and not table.chain.is_settled
    handler, out = made(table.replica)
    shown, payload = contradiction(handler)
    assert out.effects() == [Send(key, shown, payload) for key in TERMS.keys[1:]]
    assert handler.stopped is not None and handler.stopped.finding.check == "E07"


def test_a_complaint_about_a_box_proves_nothing_before_the_keys_for_boxes_are_there() -> None:
    evidence, state = Evidence(BOX, TABLE.chain.entries[1].raw, b""), TABLE.state
    assert state is not None and len(state.boxes) < state.seats
    for known in (None, state):
        with pytest.raises(Refused, match="E01"):
            share_complaint.judge(evidence, TABLE.chain, known)
