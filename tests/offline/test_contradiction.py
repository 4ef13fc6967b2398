"""Transcripts of one table that contradict each other: what an audit of both says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from p2p304.log.transcript import MAGIC, read_blocks
from p2p304.offline.audited import audit_path
from p2p304.offline.contradiction import contradictions
from p2p304.offline.report import audit_files
from tests.support.paths import PROTOCOL
from tests.support.table.two_courses import two_courses, two_ends

SEVERAL = PROTOCOL / "several"
ROWS = json.loads((SEVERAL / "index.json").read_text())
EVERYBODY = {"Asha", "Bandu", "Chitra", "Dilan"}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("both")
    return two_courses(folder)


def place_of_difference(one: Path, two: Path) -> int:
    pairs = zip(read_blocks(one.read_bytes()), read_blocks(two.read_bytes()), strict=False)
    return next(a.entry.entry.seq for a, b in pairs if a.entry.raw != b.entry.raw)


def test_both_are_sound_and_their_contradiction_names_all_who_signed_it(both: list[Path]) -> None:
    assert [audit_files([path], False, print) for path in both] == [0, 0]
    said: list[str] = []
    assert audit_files(both, False, said.append) == 1
    place = place_of_difference(*both)
    assert said[-1].startswith("b.304 and a.304 are of the same table and contradict each other")
    assert f"at entry {place}: " in said[-1]
    (found,) = contradictions([audit_path(path) for path in both])
    assert {found.fork, *found.split} == EVERYBODY and found.fork not in found.split


@pytest.mark.usefixtures("two_cores")
def test_data_say_the_same(both: list[Path]) -> None:
    said: list[str] = []
    assert audit_files(both, True, said.append) == 1
    data = json.loads(said[-1])
    assert data["contradicts"].endswith("a.304") and data["entry"] == place_of_difference(*both)
    assert {data["fork"], *data["split"]} == EVERYBODY


def test_copies_and_beginnings_contradict_nothing(both: list[Path], tmp_path: Path) -> None:
    whole = both[0].read_bytes()
    (tmp_path / "a.304").write_bytes(whole)
    (tmp_path / "copy.304").write_bytes(whole)
    blocks = [*read_blocks(whole)][: place_of_difference(*both)]
    size = len(MAGIC)
    for _ in blocks:
        size += 4 + int.from_bytes(whole[size : size + 4], "big")
    (tmp_path / "short.304").write_bytes(whole[:size])
    assert audit_files([tmp_path], False, print) == 0


def test_a_file_that_is_not_sound_contradicts_nothing(both: list[Path], tmp_path: Path) -> None:
    data = bytearray(both[1].read_bytes())
    data[-1] ^= 1  # a receipt's signature, or a form
    (tmp_path / "spoilt.304").write_bytes(data)
    paths = [both[0], tmp_path / "spoilt.304"]
    assert [*contradictions([audit_path(path) for path in paths])] == []


def test_two_ends_of_one_table_name_those_who_signed_both(tmp_path: Path) -> None:
    paths = two_ends(tmp_path)
    said: list[str] = []
    assert audit_files(paths, False, said.append) == 1
    (found,) = contradictions(audit_path(path) for path in paths)
    assert (found.place, found.fork, found.split) == (19, None, ())
    assert found.parted == ("Asha", "Bandu")
    who = "Asha, Bandu signed two different ends of the table (E07)"
    assert said[-1].endswith(f"at entry 19: {who}.")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["comment"])
def test_stored_files_are_compared_as_their_index_says(row: dict[str, Any]) -> None:
    lines: list[str] = []
    paths = [SEVERAL / name for name in row["files"]]
    assert audit_files(paths, True, lines.append) == row["status"]
    told = [json.loads(line) for line in lines]
    players = next(one["players"] for one in told if one["verdict"] == "sound")
    told = [one | {"file": Path(one["file"]).name} for one in told if "verdict" not in one]
    links = [{"file": one["file"], "link": one["link"]} for one in told if "link" in one]
    assert links == row["continues"]
    differences = [
        {
            "file": one["file"],
            "other": Path(one["contradicts"]).name,
            "place": one["entry"],
            "fork": None if one["fork"] is None else players.index(one["fork"]),
            "split": [*map(players.index, one["split"])],
            "parted": [*map(players.index, one["parted"])],
            "played_on": [*map(players.index, one["played_on"])],
        }
        for one in told
        if "contradicts" in one
    ]
    assert differences == row["contradicts"]


def test_every_stored_file_is_in_the_index() -> None:
    files = {name for row in ROWS for name in row["files"]}
    assert {path.name for path in SEVERAL.glob("*.304")} == files
