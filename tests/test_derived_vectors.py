"""The transcripts and evidence of protocol/derived.json end as their rows say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from p2p304.log.faults import Refused
from p2p304.log.transcript import MAGIC
from p2p304.offline.audit import audit, judge
from p2p304.table.evidence.evidence_file import EvidenceFile
from scripts.vectors.index import row as told_of
from tests.support.paths import PROTOCOL

DERIVED = json.loads((PROTOCOL / "derived.json").read_text())


def log_of(row: dict[str, Any]) -> bytes:
    """The first blocks of the file that the row names, and the rest."""
    whole: bytes = (PROTOCOL / row["from"]).read_bytes()
    end = len(MAGIC)
    for _ in range(row["places"]):
        end += 4 + int.from_bytes(whole[end : end + 4], "big")
    return whole[:end] + bytes.fromhex(row["rest"])


def verdict(row: dict[str, Any], data: bytes) -> dict[str, Any]:
    """What is told of a file, with the fields of the row that say which file it is."""
    told = told_of("", (data, row["expect"], row["check"], row["comment"]))
    del told["file"]
    return {**row, **told}


@pytest.mark.parametrize("row", DERIVED["transcripts"], ids=lambda row: row["comment"])
def test_a_derived_transcript_ends_as_its_row_says(row: dict[str, Any]) -> None:
    data = log_of(row)
    fault = audit(data).fault
    assert (None if fault is None else fault.check) == row["check"]
    assert verdict(row, data) == row


@pytest.mark.parametrize("row", DERIVED["evidence"], ids=lambda row: row["comment"])
def test_derived_evidence_proves_what_its_row_says(row: dict[str, Any]) -> None:
    first, second = bytes.fromhex(row["first"]), bytes.fromhex(row["second"])
    data = EvidenceFile(row["kind"], first, second, log_of(row)).encode()
    if row["expect"] == "proven":
        assert judge(data).finding.check == row["check"]
        assert verdict(row, data) == row
        return
    with pytest.raises(Refused) as refused:
        judge(data)
    assert refused.value.finding.check == row["check"]
