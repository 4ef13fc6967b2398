"""Recorded evidence files: each convinces of the fault that its index names, or of nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from p2p304.log.entry import sign_entry
from p2p304.log.evidence import of_fork
from p2p304.log.faults import Refused
from p2p304.offline.audit import judge
from p2p304.offline.evidence_report import audit_evidence
from p2p304.table.evidence.evidence_file import of_contradiction, parse_evidence_file
from p2p304.table.transition.replay import Replay
from tests.support.paths import PROTOCOL, TRANSCRIPTS
from tests.support.table.simnet import signing_keys


def test_every_evidence_file_convinces_or_not_as_its_index_says() -> None:
    folder = PROTOCOL / "evidence"
    for vector in json.loads((folder / "index.json").read_text()):
        data = (folder / vector["file"]).read_bytes()
        if vector["expect"] == "proven":
            assert judge(data).finding.check == vector["check"]
        else:
            with pytest.raises(Refused) as refused:
                judge(data)
            assert refused.value.finding.check == vector["check"]


def test_a_false_entry_stands_alone_in_its_evidence() -> None:
    found = parse_evidence_file((PROTOCOL / "evidence" / "false.evidence").read_bytes())
    with pytest.raises(Refused) as refused:
        judge(replace(found, second=b"x").encode())
    assert refused.value.finding.check == "W03"


def test_the_hand_that_a_fault_costs_is_numbered_as_at_the_table(tmp_path: Path) -> None:
    """It is the first hand, dealt again because trumps were spoilt."""
    replay = Replay((TRANSCRIPTS / "spoilt.304").read_bytes())
    next(one for one in replay if one.state.number == 2 and one.state.hand is not None)
    chain = replay.chain
    assert chain is not None
    last = chain.last.entry
    state = replay.state
    assert state is not None
    public = state.terms.keys[last.author]
    every = (key for seed in range(100) for key in signing_keys(seed, 4))
    key = next(key for key in every if key.public == public)
    other = sign_entry(key, last.table, last.seq, last.prev, last.author, "say", {"word": "pass"})
    found = of_contradiction(chain, of_fork(chain.last.raw, other.raw))
    (tmp_path / "fork.evidence").write_bytes(found.encode())
    told: list[str] = []
    assert audit_evidence([tmp_path / "fork.evidence"], False, told.append) == 0
    assert "Hand 1, dealt again (deal 2): " in told[0] and "L11" in told[0]
