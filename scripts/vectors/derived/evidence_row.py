"""One row of protocol/derived.json: evidence over the beginning of a recorded table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from p2p304.table.evidence.evidence_file import EvidenceFile
from scripts.vectors import index
from scripts.vectors.derived.recorded import recorded


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
