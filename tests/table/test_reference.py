"""The reference engine, plain Python after RFC 9496, accepts what libsodium proved at the table:
every kind of proof of a whole hand, the first of each kind of row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.crypto import group
from p2p304.crypto.engines import reference
from p2p304.log.faults import Refused
from p2p304.table.transition.step import step
from tests.support.hostile import mutations


def test_every_kind_of_proof_is_accepted_by_the_reference_engine() -> None:
    net, _ = mutations.match()
    seen: set[tuple[str, int]] = set()
    for place in mutations.places(net.transcripts[0]):
        owed = place.entry.body.get("owed")
        what = place.entry.kind, len(owed) if isinstance(owed, list) else 0
        if place.before is None or what in seen:
            continue
        seen.add(what)
        with group.using(reference):
            step(place.before, place.entry)
    assert {kind for kind, _ in seen} == mutations.KINDS - {"agreement"}
    assert {("down", 1), ("down", 2), ("announce", 1)} & seen


def test_and_refuses_what_is_bent() -> None:
    net, _ = mutations.match()
    for place in mutations.places(net.transcripts[0]):
        owed = place.entry.body.get("owed")
        if place.before is not None and isinstance(owed, list) and owed:
            changes = list(mutations.changed({"owed": [owed[0]]}, every=7))
            for _, body in changes[:4]:
                assert isinstance(body, dict)
                false = replace(place.entry, body={**place.entry.body, **body})
                with group.using(reference), pytest.raises(Refused):
                    step(place.before, false)
            return
    raise LookupError("no proof is owed in this hand")
