"""Recorded ends of tables: certificates, and tables that go on from another, true and false."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from p2p304.log.faults import Refused
from p2p304.log.transcript import read_blocks
from p2p304.offline.audit import audit
from p2p304.table.absence.certificate import parse_certificate
from p2p304.table.transition.step import agreed_terms
from p2p304.table.transition.successor import check_continues
from tests.support.paths import PROTOCOL


def refused_by(read: Callable[[], Any]) -> str | None:
    try:
        read()
    except Refused as refused:
        assert refused.finding.player is None
        return refused.finding.check
    return None


def test_every_certificate_is_one_or_is_refused_by_its_check() -> None:
    folder = PROTOCOL / "certificates"
    (block,) = read_blocks((folder / "terms.304").read_bytes())
    terms = agreed_terms(block.entry.entry)
    for vector in json.loads((folder / "index.json").read_text()):
        data = (folder / vector["file"]).read_bytes()
        assert refused_by(partial(parse_certificate, data, terms)) == vector["check"]


CONTINUED = {f"ended{how}.304" for how in ("", "-again", "-tenths", "-void")}
"""The ends that a table may go on from."""


def test_every_table_goes_on_as_the_other_ended_or_is_refused_by_its_check() -> None:
    folder = PROTOCOL / "continued"
    for vector in json.loads((folder / "index.json").read_text()):
        left = audit((folder / vector["before"]).read_bytes()).left
        begun = audit((folder / vector["file"]).read_bytes())
        assert begun.sound and begun.terms is not None
        assert (left is not None) == (vector["before"] in CONTINUED)
        assert refused_by(partial(check_continues, left, begun.terms)) == vector["check"]
