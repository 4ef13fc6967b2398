"""Which of the transcripts given is the end of the table that another one continues."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from p2p304.offline.audited import audit_path
from p2p304.offline.continuation import Continues, links
from tests.support.paths import PROTOCOL

FOLDER = PROTOCOL / "continued"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_two_ends_that_contradict_each_other_the_one_that_is_named_counts(
    order: tuple[int, int],
) -> None:
    """In whichever order the files are given."""
    end, later = audit_path(FOLDER / "ended.304"), audit_path(FOLDER / "newcomer.304")
    assert end.report is not None and end.report.left is not None
    left = replace(end.report.left, after=replace(end.report.left.after, end=bytes(32)))
    other = replace(end, path=Path("other.304"), report=replace(end.report, left=left))
    both = (end, other)
    (link,) = links([*(both[n] for n in order), later])
    assert link.holds is Continues.YES and "ended.304" in str(link.sentence)
    (link,) = links([other, later])
    assert link.holds is Continues.NO and "other.304" in str(link.sentence)
    assert "another end of that table" in str(link.sentence)
    (link,) = links([end, audit_path(FOLDER / "richer.304")])
    assert link.holds is Continues.NO and "another end" not in str(link.sentence)


def test_a_copy_of_a_table_claims_nothing_more() -> None:
    several = FOLDER.parent / "several"
    end, later = audit_path(several / "without-3.304"), audit_path(several / "goes-on.304")
    assert later.report is not None
    for link in links([later, replace(later, path=Path("copy.304")), end]):
        assert link.holds is Continues.YES and "claim" not in str(link.sentence)
    other = replace(later, report=replace(later.report, table="00" * 32))
    for link in links([later, other, end]):
        assert str(link.sentence).endswith("2 tables here claim to continue it")
