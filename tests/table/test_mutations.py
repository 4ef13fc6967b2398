"""Any single field of any entry of a recorded match is changed, and refused: under the old
signature by the signature, signed anew by what the field says. Here one piece in a few of the long
proofs; scripts/dev mutate changes all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.support.hostile import mutations
from tests.support.table import simnet

EVERY = 29


def places() -> Iterator[mutations.Place]:
    return mutations.places(mutations.match()[0].transcripts[0])


def test_every_change_under_the_old_signature_is_refused() -> None:
    refused: Counter[str] = Counter()
    for place in places():
        for change in mutations.changes(place.entry, EVERY):
            check = mutations.forged(place, change)
            assert check is not None, change.path
            refused[check] += 1
    assert refused.total() > 1000 and set(refused) <= {"L01", "L03", "A01", "A02", "A03"}


@pytest.mark.parametrize("kind", sorted(mutations.KINDS))
def test_every_change_by_the_author_is_refused(kind: str) -> None:
    """At one entry of each kind, the one with the most in it; all others in scripts/mutate."""
    keys = simnet.signing_keys(mutations.match()[1], 4)
    largest: mutations.Place | None = None
    sizes = [len(repr(p.entry.body)) if p.entry.kind == kind else 0 for p in places()]
    for number, place in enumerate(places()):
        if number == sizes.index(max(sizes)):
            largest = place
            break
    assert largest is not None and largest.entry.kind == kind
    refused: Counter[str] = Counter()
    for change in mutations.changes(largest.entry, EVERY):
        check = mutations.told_anew(largest, change, keys)
        assert check is not None or change.field in mutations.FREE, (change.field, change.path)
        refused[check or "another move"] += 1
    assert refused.total() >= 6
