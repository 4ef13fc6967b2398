"""The rows of protocol/derived.json: transcripts that go on from the beginning of a recorded table,
and evidence over such a beginning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from p2p304.log.entry import Unverified
from p2p304.table.evidence.evidence_file import EvidenceFile
from scripts.vectors import index
from scripts.vectors.derived.recorded import Recorded, recorded


@dataclass(frozen=True)
class Row:
    """The first ``places`` blocks of a recorded table and the bytes that follow them; the check
    that refuses the last of these, or None."""

    file: str
    places: int
    rest: bytes
    check: str | None
    comment: str

    @classmethod
    def of_entry(cls, table: Recorded, entry: Unverified, check: str | None, comment: str) -> Row:
        """The entry with everybody's receipts, after the blocks of the table before its place."""
        return cls(table.file, entry.entry.seq, table.block(entry), check, comment)

    @property
    def transcript(self) -> bytes:
        return recorded(self.file).beginning(self.places) + self.rest

    def told(self) -> dict[str, Any]:
        expect = "sound" if self.check is None else "not sound"
        told = index.row(self.file, (self.transcript, expect, self.check, self.comment))
        del told["file"]
        return {"from": self.file, "places": self.places, "rest": self.rest.hex(), **told}


@dataclass(frozen=True)
class EvidenceRow:
    """Two halves over the first ``places`` blocks of a recorded table, and the check that convicts
    (``proven``) or refuses them."""

    kind: str
    file: str
    places: int
    first: bytes
    second: bytes
    check: str
    proven: bool
    comment: str
    rest: bytes = b""
    """Blocks that follow those of the recorded table."""

    @property
    def evidence(self) -> bytes:
        log = recorded(self.file).beginning(self.places) + self.rest
        return EvidenceFile(self.kind, self.first, self.second, log).encode()

    def told(self) -> dict[str, Any]:
        expect = "proven" if self.proven else "nothing"
        told = index.row(self.file, (self.evidence, expect, self.check, self.comment))
        del told["file"]
        first, second = self.first.hex(), self.second.hex()
        log = {"from": self.file, "places": self.places, "rest": self.rest.hex()}
        return {**log, "kind": self.kind, "first": first, "second": second, **told}
