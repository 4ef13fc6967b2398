"""The contract in protocol/: the schema is the code's, every transcript ends as its index says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2p304.audit import audit
from p2p304.log.transcript import Unreadable
from p2p304.wire.bodies import schema

PROTOCOL = Path(__file__).parent.parent / "protocol"
INDEX = json.loads((PROTOCOL / "transcripts" / "index.json").read_text())


def test_the_message_schema_is_the_one_that_the_code_reads() -> None:
    stored = json.loads((PROTOCOL / "messages.schema.json").read_text())
    assert stored["definitions"] == json.loads(json.dumps(schema()))


@pytest.mark.parametrize("vector", INDEX, ids=lambda vector: str(vector["file"]))
def test_a_transcript_ends_as_its_index_says(vector: dict[str, str | None]) -> None:
    data = (PROTOCOL / "transcripts" / str(vector["file"])).read_bytes()
    try:
        report = audit(data)
    except Unreadable:
        assert vector["expect"] == "unreadable"
        return
    assert vector["expect"] == ("sound" if report.sound else "not sound")
    assert vector["check"] == (report.fault.check if report.fault else None)


def test_every_transcript_of_the_folder_is_in_the_index() -> None:
    files = {path.name for path in (PROTOCOL / "transcripts").glob("*.304")}
    assert files == {vector["file"] for vector in INDEX}
