"""Recorded tables, sound and false: every entry before the false one is taken, and that one is
refused by its check. What was recorded does not change with the program that reads it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from p2p304.log.transcript import Unreadable, read_blocks
from p2p304.offline.audit import audit
from tests.support.paths import TRANSCRIPTS

INDEX = json.loads((TRANSCRIPTS / "index.json").read_text())


@pytest.mark.parametrize("vector", INDEX, ids=lambda vector: str(vector["file"]))
def test_a_transcript_ends_as_its_index_says(vector: dict[str, Any]) -> None:
    data = (TRANSCRIPTS / str(vector["file"])).read_bytes()
    try:
        report = audit(data)
    except Unreadable:
        assert vector["expect"] == "unreadable"
        return
    assert vector["expect"] == ("sound" if report.sound else "not sound")
    assert vector["check"] == (report.fault.check if report.fault else None)
    if report.at is not None:
        assert report.fault is not None
        *before, last = read_blocks(data)
        assert report.at == len(before)
        if vector["check"][0] in "DGPW":  # checks of a body convict the player who signed it
            assert report.fault.player == last.entry.entry.author
    if report.sound:
        assert vector["hands"] == len(report.hands)
        assert vector["tokens"] == list(report.tokens)
