"""Keys that were published before in the hand, by every kind of entry that publishes one, and keys
that were not (SPEC.md, check D03).

Every other field of such an entry stays as it was: a program that takes the key refuses the proof
of knowing it (D02), or of the hand (D08).
"""

from __future__ import annotations

from collections.abc import Iterator

from scripts.vectors.derived.recorded import Recorded, recorded
from scripts.vectors.derived.row import Row


def keys() -> Iterator[Row]:
    shared = recorded("transcripts/outbid.304")
    shuffles, relocks, (closed,) = (shared.places(kind) for kind in ("shuffle", "relock", "closed"))
    second = [n for n in relocks if _author(shared, n) == _author(shared, relocks[-1])]
    maker = _author(shared, closed)
    own = [n for n in (*shuffles, *relocks) if _author(shared, n) == maker]
    yield _again(shared, shuffles[1], shuffles[0], "D03")
    yield _again(shared, relocks[0], shuffles[0], "D03")
    yield _again(shared, relocks[1], relocks[0], "D03")
    yield _again(shared, second[1], second[0], "D03")
    for before in (own[0], own[1], relocks[-1]):
        yield _again(shared, closed, before, "D03")
    yield _again(shared, shuffles[1], shuffles[0], "D02", "ephemeral")
    yield _again(shared, shuffles[0], shared.places("draw")[0], "D02", "box")
    gathered = recorded("transcripts/gathered.304")
    rounds = gathered.places("shuffle")
    first, last = rounds[:4], rounds[4:]
    yield _again(gathered, last[4], last[0], "D03")
    yield _again(gathered, last[0], first[-1], "D02")
    relock = next(n for n in gathered.places("relock") if n > last[-1])
    yield _again(gathered, relock, last[0], "D03")
    rejected = recorded("transcripts/rejected.304")
    again = rejected.places("shuffle")
    yield _again(rejected, again[4], again[0], "D02")


def _author(table: Recorded, at: int) -> int:
    return table.blocks[at].entry.entry.author


def _again(table: Recorded, at: int, before: int, check: str, field: str = "key") -> Row:
    """The table up to this place, whose entry has a key of an earlier entry."""
    entries = [table.blocks[n].entry.entry for n in (at, before)]
    said = table.entry(at, {"key": entries[1].body[field]})
    (kind, old), both = (each.kind for each in entries), {each.author for each in entries}
    whose = "its own" if len(both) == 1 else "another player's"
    named = f"the {field} of {whose} {old} at place {before}"
    return Row.of_entry(table, said, check, f"key of {kind}: {named}")
