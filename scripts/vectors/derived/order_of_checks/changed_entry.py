"""One entry of a recorded table with other fields, which everybody signs anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from p2p304.wire.canonical import Value
from scripts.vectors.derived.recorded import recorded
from scripts.vectors.derived.row import Row

Case = tuple[str, str, dict[str, Value]]
"""The check that must refuse the entry, what is wrong with it, and its other fields."""
IDENTITY, NO_SCALAR, NO_PROOF = bytes(32), b"\xff" * 32, bytes(64)
G = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
NO_CARD, NO_PLACE = "6S", 40
"""No card of a pack for four, and no place of a hand."""


def changed(file: str, at: int, cases: Sequence[Case], kind: str = "") -> Iterator[Row]:
    """The table up to this place, whose entry is false; with ``kind`` it has no other fields."""
    table = recorded(f"transcripts/{file}.304")
    named = kind or table.blocks[at].entry.entry.kind
    for check, comment, change in cases:
        yield Row.of_entry(table, table.entry(at, change, kind), check, f"{named}: {comment}")


def body(file: str, at: int) -> dict[str, Any]:
    return dict(recorded(f"transcripts/{file}.304").blocks[at].entry.entry.body)


def first(file: str, kind: str) -> int:
    """The first place of a kind."""
    return recorded(f"transcripts/{file}.304").places(kind)[0]
