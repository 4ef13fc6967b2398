"""JSON in the data folder: whatever the bytes are, reading gives a value or Malformed."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p304.rules.variants.absence import LeaverCause
from p2p304.storage import json_files
from p2p304.storage.early_leavers import EarlyLeavers
from p2p304.storage.known_players import Players
from p2p304.storage.unfinished import MOST_ADDRESSES, AddressBook
from p2p304.wire.forms import Malformed, number, string

KEY = b"\xab" * 32
NOON = datetime(2026, 4, 14, 12, tzinfo=UTC)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


def lines_of_players() -> bytes:
    players = Players()
    players.meet("Asha", KEY, NOON)
    players.note_unfinished(KEY, KEY)
    return players.to_bytes()


def lines_of_leavers() -> bytes:
    leavers = EarlyLeavers()
    leavers.note(KEY, KEY, LeaverCause.LEFT, NOON)
    return leavers.to_bytes()


def address_book() -> bytes:
    book = AddressBook(7304)
    book.note(KEY, "192.0.2.1", 7305)
    return book.encode()


FILES: dict[str, tuple[Callable[[], bytes], Callable[[bytes], bytes]]] = {
    "players": (lines_of_players, lambda data: Players.from_bytes(data).to_bytes()),
    "leavers": (lines_of_leavers, lambda data: EarlyLeavers.from_bytes(data).to_bytes()),
    "addresses": (address_book, lambda data: AddressBook.decode(data).encode()),
}


@pytest.mark.parametrize("name", FILES)
def test_what_was_written_is_read_as_it_was(name: str) -> None:
    written, again = FILES[name]
    assert again(written()) == written()


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=30)
@given(st.data())
def test_any_value_in_any_field_is_read_or_malformed(name: str, data: st.DataObject) -> None:
    written, again = FILES[name]
    whole = json.loads(written())
    field = data.draw(st.sampled_from(sorted(whole)))
    whole[field] = data.draw(JSON)
    try:
        again(json.dumps(whole).encode())
    except Malformed:
        return


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"[" * 100_000, b"9" * 5000, b"NaN", b'"\\ud800"', b'{"\\ud800": 1}']
)
@pytest.mark.parametrize("name", FILES)
def test_what_is_no_json_or_could_not_be_written_again_is_malformed(name: str, data: bytes) -> None:
    with pytest.raises(Malformed):
        json_files.parse_json(string(), data)
    if name == "addresses":
        assert AddressBook.decode(data) == AddressBook()
    elif data:
        with pytest.raises(Malformed, match="line 1"):
            FILES[name][1](data)


@pytest.mark.parametrize(
    "change",
    [
        {"port": float("inf")},
        {"port": True},
        {"port": 65536},
        {"peers": []},
        {"peers": {"ab": []}},
        {"peers": {KEY.hex().upper(): []}},
        {"peers": {KEY.hex(): {"192.0.2.1": 7304}}},
        {"peers": {KEY.hex(): [["192.0.2.1", 0]]}},
        {"peers": {KEY.hex(): [["", 7304]]}},
        {"peers": {KEY.hex(): [["192.0.2.1"]]}},
        {"peers": {KEY.hex(): [["192.0.2.1", 7304]] * (MOST_ADDRESSES + 1)}},
        {"more": 1},
    ],
    ids=str,
)
def test_a_damaged_address_book_is_empty(change: dict[str, Any]) -> None:
    whole = {**json.loads(address_book()), **change}
    assert AddressBook.decode(json.dumps(whole).encode()) == AddressBook()


def test_the_last_addresses_are_kept() -> None:
    book = AddressBook()
    for port in (1, 2, 3, 4, 5, 3):
        assert book.note(KEY, "192.0.2.1", port)
    assert not book.note(KEY, "192.0.2.1", 3)
    assert not book.note(b"\xcd" * 32, "", 1) and not book.note(b"\xcd" * 32, "192.0.2.1", 0)
    assert book.peers == {KEY: tuple(("192.0.2.1", port) for port in (3, 5, 4, 2))}
    assert AddressBook.decode(book.encode()) == book


@pytest.mark.parametrize("when", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_time_at_the_edge_of_the_calendar_is_compared(when: str) -> None:
    line = {"key": KEY.hex(), "table": KEY.hex(), "when": when}
    EarlyLeavers.from_bytes(json.dumps(line).encode()).causes(NOON)


def test_the_damaged_line_and_field_are_named() -> None:
    form = json_files.dictionary(string(), number(0, 9))
    assert json_files.parse_lines(form, b'{"a": 1}\n\n{"b": 2}') == [{"a": 1}, {"b": 2}]
    with pytest.raises(Malformed, match=r"line 3, is damaged \(not a number from 0 to 9\)"):
        json_files.parse_lines(form, b'{"a": 1}\n\n{"b": 10}')
