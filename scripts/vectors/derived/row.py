"""One row of protocol/derived.json: a transcript that goes on from the beginning of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scripts.vectors import index
from scripts.vectors.derived.recorded import recorded


@dataclass(frozen=True)
class Row:
    """The first ``places`` blocks of a recorded table and the bytes that follow them; the check
    that refuses the last of these, or None."""

    file: str
    places: int
    rest: bytes
    check: str | None
    comment: str

    @property
    def transcript(self) -> bytes:
        return recorded(self.file).beginning(self.places) + self.rest

    def told(self) -> dict[str, Any]:
        expect = "sound" if self.check is None else "not sound"
        told = index.row(self.file, (self.transcript, expect, self.check, self.comment))
        del told["file"]
        return {"from": self.file, "places": self.places, "rest": self.rest.hex(), **told}
