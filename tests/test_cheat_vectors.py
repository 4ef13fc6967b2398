"""What `scripts/dev vectors-table cheat NAME` makes is what the whole run makes of this cheat."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from scripts.vectors.index import INDEX, read_rows, write_rows
from scripts.vectors.transcripts.caught_cheats import write_cheat
from tests.support.paths import TRANSCRIPTS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(TRANSCRIPTS / INDEX, tmp_path)
    return tmp_path


def test_the_vector_of_one_cheat_is_made_as_with_all_others(folder: Path) -> None:
    write_rows(folder, [row for row in read_rows(folder) if row["check"] != "D02"])
    assert "D02.304" in write_cheat(folder, "KeyOfNobody")
    assert (folder / "D02.304").read_bytes() == (TRANSCRIPTS / "D02.304").read_bytes()
    assert (folder / INDEX).read_bytes() == (TRANSCRIPTS / INDEX).read_bytes()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("KeyWithAnothersProof", "D02.304 is of KeyOfNobody"),
        ("AnotherNonce", "pledge.304 shows A04"),
    ],
)
def test_a_check_that_has_its_vector_keeps_it(folder: Path, name: str, shown: str) -> None:
    assert shown in write_cheat(folder, name)
    assert [path.name for path in folder.iterdir()] == [INDEX]
    assert (folder / INDEX).read_bytes() == (TRANSCRIPTS / INDEX).read_bytes()


def test_an_earlier_cheat_takes_the_place_of_a_later_one(folder: Path) -> None:
    rows = read_rows(folder)
    for row in rows:
        if row["file"] == "D02.304":
            row |= {"place": 99, "comment": "InspectionKeyOfNobody: later"}
    write_rows(folder, rows)
    write_cheat(folder, "KeyOfNobody")
    whole = json.loads((TRANSCRIPTS / INDEX).read_text())
    assert read_rows(folder) == whole


def test_a_cheat_that_does_not_exist_is_named(folder: Path) -> None:
    with pytest.raises(LookupError, match="no cheat Nobody"):
        write_cheat(folder, "Nobody")
