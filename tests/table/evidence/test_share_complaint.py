"""The judgement of a complaint about a box: each rule alone, on a recorded complaint."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.crypto.group import base
from p2p304.log.chain import Chain
from p2p304.log.entry import parse_entry, sign_entry
from p2p304.log.evidence import Evidence
from p2p304.log.faults import Refused
from p2p304.log.transcript import read_blocks
from p2p304.table.evidence import share_complaint
from p2p304.table.evidence.evidence_file import parse_evidence_file
from p2p304.table.state.table import TableState
from p2p304.table.transition.replay import Replay
from p2p304.wire.canonical import decode, encode
from tests.support.paths import PROTOCOL
from tests.support.table import simnet


@pytest.fixture(scope="module")
def recorded() -> tuple[Evidence, Chain, TableState]:
    file = parse_evidence_file((PROTOCOL / "evidence" / "box.evidence").read_bytes())
    replay = Replay(file.transcript)
    for block in read_blocks(file.transcript):
        replay.verify_block(block)
    replica = replay.replica
    assert replica is not None and replica.state is not None
    return Evidence(file.kind, file.first, file.second), replica.chain, replica.state


Recorded = tuple[Evidence, Chain, TableState]


def refusal(recorded: Recorded, first: bytes = b"", second: bytes = b"") -> str:
    evidence, chain, state = recorded
    changed = Evidence(evidence.kind, first or evidence.first, second or evidence.second)
    with pytest.raises(Refused) as refused:
        share_complaint.judge(changed, chain, state)
    return refused.value.finding.check


def test_a_false_box_convicts_its_author(recorded: Recorded) -> None:
    evidence, chain, state = recorded
    finding = share_complaint.judge(evidence, chain, state)
    assert finding.check == "D13"
    assert finding.player == parse_entry(evidence.first).entry.author


def test_only_an_entry_of_this_table_that_its_author_has_signed_is_complained_about(
    recorded: Recorded,
) -> None:
    entry = parse_entry(recorded[0].first).entry

    def signed(table: bytes, author: int, key: int) -> bytes:
        by = simnet.signing_keys(1, 8)[key]
        seq, prev = entry.seq, entry.prev
        return sign_entry(by, table, seq, prev, author, entry.kind, entry.body).raw

    state = recorded[2]
    for table, author in ((entry.table, entry.author), (bytes(32), entry.author), (entry.table, 7)):
        assert refusal(recorded, first=signed(table, author, 7)) == "E01"
    keys = (*state.terms.keys[: entry.author], simnet.signing_keys(1, 8)[7].public)
    keys += state.terms.keys[entry.author + 1 :]
    of_liar: Any = SimpleNamespace(
        boxes=state.boxes, seats=state.seats, terms=SimpleNamespace(keys=keys)
    )
    evidence = replace(recorded[0], first=signed(bytes(32), entry.author, 7))
    with pytest.raises(Refused, match="contains this box"):
        share_complaint.judge(evidence, recorded[1], of_liar)


def test_an_entry_without_a_box_is_not_complained_about(recorded: Recorded) -> None:
    evidence, chain, state = recorded
    for entry in (chain.entries[0], chain.entries[-1]):
        with pytest.raises(Refused, match=r"E01.*no box for that seat"):
            share_complaint.judge(replace(evidence, first=entry.raw), chain, state)


def test_an_entry_that_is_malformed_or_has_no_such_seat_proves_nothing(recorded: Recorded) -> None:
    evidence, chain, state = recorded
    entry = parse_entry(evidence.first).entry
    keys = {key.public: key for key in simnet.signing_keys(3, 4)}
    key = keys[state.terms.keys[entry.author]]
    body = {**entry.body, "more": 1}
    bad = sign_entry(key, entry.table, entry.seq, entry.prev, entry.author, entry.kind, body)
    with pytest.raises(Refused, match=r"E01.*malformed"):
        share_complaint.judge(replace(evidence, first=bad.raw), chain, state)
    fields = decode(evidence.second)
    assert isinstance(fields, dict)
    beyond = encode({**fields, "seat": state.seats})
    with pytest.raises(Refused, match=r"E01.*no box for that seat"):
        share_complaint.judge(replace(evidence, second=beyond), chain, state)


def test_a_complaint_that_cannot_be_read_is_no_evidence(recorded: Recorded) -> None:
    assert refusal(recorded, second=b"\x80") == "W03"
    assert refusal(recorded, second=recorded[0].second + b"\0") == "W03"


@pytest.mark.parametrize(("sealed", "is_false"), [(0, True), (1, False), (2, True)])
def test_a_box_is_false_unless_it_holds_the_share_that_was_published(
    recorded: Recorded, sealed: int, is_false: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = SimpleNamespace(point=base(1), box=b"")
    shared = SimpleNamespace(ephemeral=base(2), key=b"", of=lambda seat: share)
    monkeypatch.setattr(share_complaint, "_shared", lambda *given: shared)
    monkeypatch.setattr(share_complaint, "is_disclosed", lambda *given: True)
    monkeypatch.setattr(share_complaint, "unseal_with", lambda *given: sealed)
    evidence, chain, state = recorded
    if is_false:
        assert share_complaint.judge(evidence, chain, state).check == "D13"
    else:
        assert refusal(recorded) == "E01"
