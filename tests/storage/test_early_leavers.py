"""Who left a table early: the notes on disk, and how long they count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.rules.variants.absence import LeaverCause
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.early_leavers import CAUSES, REMEMBERED, EarlyLeavers
from p2p304.storage.files import DataFolderError
from p2p304.wire.forms import Malformed

NOON = datetime(2026, 4, 14, 12, tzinfo=UTC)
LEFT, LOST = LeaverCause.LEFT, LeaverCause.LOST
ASHA, BANDU, TABLE, OTHER = (bytes([n]) * 32 for n in range(1, 5))


def test_notes_are_kept_for_an_evening_and_read_back(tmp_path: Path) -> None:
    store = DataFolder(tmp_path / "home")
    assert store.early_leavers(NOON) == {}
    store.note_leaver(ASHA, TABLE, LEFT, NOON)
    store.note_leaver(ASHA, TABLE, LEFT, NOON + timedelta(hours=1))
    store.note_leaver(BANDU, OTHER, LOST, NOON + timedelta(hours=2))
    again = DataFolder(tmp_path / "home")
    both = {ASHA: LEFT, BANDU: LOST}
    assert again.early_leavers(NOON + timedelta(hours=3)) == both
    assert again.early_leavers(NOON + REMEMBERED) == {BANDU: LOST}
    assert again.early_leavers(NOON - timedelta(days=1)) == both
    assert (tmp_path / "home" / "early_leavers.jsonl").stat().st_mode & 0o077 == 0


def test_a_first_hand_that_is_over_clears_its_own_table_only(tmp_path: Path) -> None:
    store = DataFolder(tmp_path / "home")
    store.note_leaver(ASHA, TABLE, LEFT, NOON)
    store.note_leaver(ASHA, OTHER, LEFT, NOON)
    store.note_leaver(BANDU, TABLE, LOST, NOON)
    store.forget_leavers(TABLE)
    assert store.early_leavers(NOON) == {ASHA: LEFT}
    store.forget_leavers(OTHER)
    assert store.early_leavers(NOON) == {}


@pytest.mark.parametrize(
    "line",
    [
        b"\xff",
        b"{}",
        b"[]",
        b"[" * 5000,
        b'{"key": 1, "table": 2, "when": 3}',
        b'{"key": "a", "table": "b", "when": "2026-04-14T12:00:00+00:00"}',
        b'{"key": "' + b"a" * 64 + b'", "table": "' + b"g" * 64 + b'", "when": "2026-04-14"}',
        b'{"key": "'
        + b"a" * 64
        + b'", "table": "'
        + b"b" * 64
        + b'", "when": "2026-04-14T12:00:00"}',
        b'{"key": "'
        + b"a" * 64
        + b'", "table": "'
        + b"b" * 64
        + b'", "when": "2026-04-14T12:00:00+00:00", "cause": "bored"}',
    ],
)
def test_a_spoilt_line_is_named(line: bytes, tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="line 2"):
        EarlyLeavers.from_bytes(b"\n" + line)
    store = DataFolder(tmp_path / "home")
    (tmp_path / "home" / "early_leavers.jsonl").write_bytes(line)
    with pytest.raises(DataFolderError, match="line 1"):
        store.early_leavers()


def test_a_note_of_an_earlier_version_says_no_cause() -> None:
    line = f'{{"key": "{ASHA.hex()}", "table": "{TABLE.hex()}", "when": "{NOON.isoformat()}"}}\n'
    notes = EarlyLeavers.from_bytes(line.encode())
    assert notes.causes(NOON) == {ASHA: None} and notes.to_bytes() == line.encode()


def test_every_cause_can_be_noted() -> None:
    assert list(CAUSES) == list(LeaverCause)


@given(st.binary(max_size=200))
def test_any_bytes_are_notes_or_spoilt(data: bytes) -> None:
    try:
        EarlyLeavers.from_bytes(data).causes(NOON)
    except Malformed:
        return
