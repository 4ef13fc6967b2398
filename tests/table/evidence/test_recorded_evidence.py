"""Recorded evidence files: each convinces of the fault that its index names, or of nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from p2p304.log.faults import Refused
from p2p304.offline.audit import judge
from p2p304.table.evidence.evidence_file import parse_evidence_file
from tests.support.paths import PROTOCOL


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
