"""Journals: a record that a crash left half written is told from every other damage, and damage is
told and left as it is."""

from __future__ import annotations

import os
import tracemalloc
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.storage.files import DataFolderError, append
from p2p304.storage.journal import HEAD, LONGEST, MAX_RECORD, Journal, frame

records = st.lists(st.binary(min_size=1, max_size=60), max_size=6)
SMALL = (b"first", b"second\x00", b"\x00", b"the fourth record")


def written(path: Path, items: tuple[bytes, ...]) -> bytes:
    journal = Journal(path)
    for item in items:
        journal.append(item)
    return path.read_bytes()


def is_damaged(path: Path, data: bytes) -> None:
    """Everything that reads the journal says so in one sentence, and nothing is changed."""
    path.write_bytes(data)
    for attempt in (
        lambda: Journal(path).records(),
        lambda: Journal(path).mend(),
        lambda: Journal(path).append(b"more"),
    ):
        with pytest.raises(DataFolderError, match="is damaged at byte") as error:
            attempt()
        said = str(error.value)
        assert "\n" not in said and "It was not changed" in said and "copy" not in said
    assert path.read_bytes() == data


@given(records, st.data())
def test_a_journal_cut_anywhere_gives_its_whole_records(
    tmp_path_factory: pytest.TempPathFactory, items: list[bytes], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("journal") / "j"
    whole = written(path, tuple(items)) if items else b""
    assert Journal(path).records() == items
    sizes = [len(frame(0, item)) for item in items]
    cut = data.draw(st.integers(0, len(whole)))
    kept = [item for n, item in enumerate(items) if sum(sizes[: n + 1]) <= cut]
    if path.exists():
        os.truncate(path, cut)
    assert Journal(path).records() == kept
    journal = Journal(path)
    assert journal.mend() == cut - sum(sizes[: len(kept)])
    journal.append(b"after")
    assert Journal(path).records() == [*kept, b"after"]


def test_a_small_journal_cut_at_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "j"
    whole = written(path, SMALL)
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        kept = Journal(path).records()
        assert kept == list(SMALL[: len(kept)]) and path.read_bytes() == whole[:cut]
        size = len(b"".join(frame(n, item) for n, item in enumerate(kept)))
        assert Journal(path).mend() == cut - size
        assert path.read_bytes() == whole[:size]


def test_every_bit_of_a_small_journal_flipped_is_told(tmp_path: Path) -> None:
    """Also in the last record: a flip is no write that a crash stopped."""
    path = tmp_path / "j"
    whole = written(path, SMALL)
    for bit in range(8 * len(whole)):
        spoilt = bytearray(whole)
        spoilt[bit // 8] ^= 1 << bit % 8
        is_damaged(path, bytes(spoilt))


def test_a_flipped_bit_before_a_torn_tail_is_told(tmp_path: Path) -> None:
    """No whole record is ever cut off with the half one."""
    path = tmp_path / "j"
    whole = written(path, SMALL)
    for cut in range(len(whole) - 5, len(whole)):
        for bit in range(0, 8 * (len(whole) - len(frame(3, SMALL[3]))), 7):
            spoilt = bytearray(whole[:cut])
            spoilt[bit // 8] ^= 1 << bit % 8
            is_damaged(path, bytes(spoilt))


@pytest.mark.parametrize(
    "tail",
    [
        b"\0" * 3,
        b"\0" * 4096,
        frame(1, b"x" * 700)[:HEAD] + b"\0" * 701,
        frame(1, b"x" * 700)[:486] + b"\0" * 235,
        b"\0" * 486 + frame(1, b"x" * 700)[486:],
        frame(1, b"x" * 1300)[:486] + b"\0" * 512 + frame(1, b"x" * 1300)[998:],
        frame(1, b"half")[:1],
        frame(1, b"half")[:HEAD],
    ],
)
def test_sectors_that_never_reached_the_disk_are_a_torn_tail(tmp_path: Path, tail: bytes) -> None:
    """Sectors of 512 bytes, wherever in the file the record begins."""
    journal = Journal(tmp_path / "j")
    journal.append(b"whole")
    size = journal.path.stat().st_size
    assert size == 26
    append(journal.path, tail, sync=False)
    assert journal.records() == [b"whole"]
    assert journal.mend() == len(tail)
    assert journal.path.stat().st_size == size


@pytest.mark.parametrize(
    "tail",
    [
        b"\0" * 40 + frame(2, b"a record after a hole"),
        b"\0" * 1000 + frame(9, b"a record after a hole"),
        frame(1, b"x" * 700)[:486] + b"\0" * 235 + frame(2, b"after a hole"),
        frame(2, b"a number left out"),
        frame(0, b"a number twice"),
        frame(1, b"one")[:-1] + b"\r",
        b"some words",
        b"\0" * (MAX_RECORD + 100),
    ],
)
def test_what_no_crash_leaves_is_damage(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "j"
    is_damaged(path, written(path, (b"whole",)) + tail)


def test_a_file_that_is_longer_than_a_record_and_holds_none_is_damage(tmp_path: Path) -> None:
    """One record at most is ever half-written, also the first."""
    is_damaged(tmp_path / "j", bytes(LONGEST + 1))


def test_a_length_over_the_limit_is_damage(tmp_path: Path) -> None:
    """Even with a sound checksum."""
    head = frame(0, b"x")[:8] + (MAX_RECORD + 1).to_bytes(4, "big") + bytes(4)
    is_damaged(tmp_path / "j", head + zlib.crc32(head).to_bytes(4, "big") + b"x" * 40)


@pytest.mark.parametrize("data", [b"", b"x" * (MAX_RECORD + 1)])
def test_what_is_no_record_is_not_written(tmp_path: Path, data: bytes) -> None:
    for attempt in (
        Journal(tmp_path / "j").append,
        lambda one: Journal(tmp_path / "j").replace([one]),
    ):
        with pytest.raises(ValueError, match="are not a record"):
            attempt(data)
    assert not (tmp_path / "j").exists()


def test_nothing_is_appended_to_what_another_program_wrote(tmp_path: Path) -> None:
    path = tmp_path / "j"
    journal = Journal(path)
    journal.append(b"one")
    Journal(path).append(b"two")
    before = path.read_bytes()
    with pytest.raises(DataFolderError, match="content was changed"):
        journal.append(b"three")
    assert path.read_bytes() == before and Journal(path).records() == [b"one", b"two"]


def test_nothing_is_appended_to_half_a_record(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(frame(0, b"one") + frame(1, b"two")[:9])
    with pytest.raises(DataFolderError, match="is incomplete"):
        Journal(path).append(b"three")
    assert Journal(path).mend() == 9


def test_records_put_in_place_of_others_are_numbered_anew(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    for item in SMALL:
        journal.append(item)
    journal.replace([b"all", b"that counts"])
    journal.append(b"and more")
    assert Journal(journal.path).records() == [b"all", b"that counts", b"and more"]
    assert journal.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("cut", [0, 1, HEAD, 300_000])
def test_a_long_journal_is_read_in_pieces(tmp_path: Path, cut: int) -> None:
    """Its records lie across the pieces; a torn one at its end is left out."""
    records = [bytes([n]) * size for n, size in enumerate((700_001, MAX_RECORD, 3, 900_007) * 4)]
    whole = b"".join(frame(number, data) for number, data in enumerate(records))
    path = tmp_path / "long.journal"
    path.write_bytes(whole[: len(whole) - cut])
    left = len(records) - bool(cut)
    tracemalloc.start()
    try:
        assert [data == records[n] for n, data in enumerate(Journal(path))] == [True] * left
        assert tracemalloc.get_traced_memory()[1] < len(whole) * 0.6
    finally:
        tracemalloc.stop()
    mended = Journal(path)
    assert mended.mend() == (len(frame(left, records[left])) - cut if cut else 0)
    mended.append(b"last")
    assert Journal(path).records() == [*records[:left], b"last"]


def test_damage_in_the_middle_of_a_long_journal_is_told(tmp_path: Path) -> None:
    whole = b"".join(frame(number, bytes(800_000)) for number in range(9))
    path, at = tmp_path / "long.journal", 5 * len(frame(0, bytes(800_000))) + 99
    path.write_bytes(whole[:at] + b"?" + whole[at + 1 :])
    with pytest.raises(DataFolderError, match="damaged at byte"):
        Journal(path).records()
