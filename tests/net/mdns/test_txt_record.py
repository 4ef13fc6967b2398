"""Records from strangers: cleaned, cut to length, or not taken at all."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Interface

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.net.mdns.txt_record import (
    LONGEST,
    LONGEST_BYTES,
    Announcement,
    Found,
    clean,
    fingerprint,
    is_mark_of,
    key_mark,
    nearest_first,
    read_record,
    to_txt,
)
from p2p304.wire.names import shown

ASHA = Announcement("Asha", "Asha's table", "classic304", 2, 4, "89ab cdef 0123 4567")

SRI = "\u0dc1\u0dca\u200d\u0dbb\u0dd3"


def txt(**changes: str | bytes | None) -> dict[bytes, bytes | None]:
    fields: dict[str, str | bytes | None] = {**to_txt(ASHA), **changes}
    return {k.encode(): v.encode() if isinstance(v, str) else v for k, v in fields.items()}


def read(**changes: str | bytes | None) -> Found | None:
    return read_record("x", txt(**changes), ["192.168.1.7"], 4304)


def test_what_is_announced_is_what_is_read() -> None:
    found = read()
    assert found is not None and not found.announcement.locked
    closed = read(lock="1")
    assert closed is not None and closed.announcement == replace(ASHA, locked=True)
    assert found == Found("x", ASHA, "1", "192.168.1.7", 4304, ("192.168.1.7",))


texts = st.text(max_size=300)


@given(texts, texts, texts, texts)
def test_an_announcement_always_fits_and_is_read_as_it_was_cleaned(
    nick: str, table: str, rules: str, tag: str
) -> None:
    entries = to_txt(Announcement(nick, table, rules, 1, 4, tag))
    sizes = [len(f"{k}={v}".encode()) for k, v in entries.items()]
    assert max(sizes) <= 255 and sum(sizes) + len(sizes) <= 1200
    found = read_record("x", {k.encode(): v.encode() for k, v in entries.items()}, ["1.2.3.4"], 1)
    if entries["nick"] and entries["table"]:
        assert found is not None
        assert found.announcement.nick == entries["nick"]
        assert found.announcement.table == entries["table"]
    else:
        assert found is None


@given(st.text(max_size=400))
def test_cleaned_text_can_be_shown_and_stays(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned == shown(cleaned).strip()
    assert len(cleaned) <= LONGEST and len(cleaned.encode()) <= LONGEST_BYTES


@pytest.mark.parametrize(
    ("dirty", "cleaned"),
    [
        ("a\x1b[2Jb", "a[2Jb"),
        ("a\u202eb", "ab"),
        ("a\nb", "ab"),
        ("  a  ", "a"),
        ("a\u200bb", "ab"),
        ("a\u0000b", "ab"),
        ("\ufeffa", "a"),
        ("a\u2028b", "ab"),
        ("\ud800a", "a"),
        ("z" + "\u0301" * 50, "\u017a\u0301"),
        ("අශා", "අශා"),
        (SRI, SRI),
    ],
)
def test_cleaning(dirty: str, cleaned: str) -> None:
    assert clean(dirty) == cleaned


def test_a_character_that_does_not_fit_whole_is_left_out() -> None:
    card = "\U0001f0a1"
    assert clean("a" + 63 * card) == "a" + 47 * card, "48 of four bytes would make 193"


def test_bad_utf_8_and_long_values_are_cleaned() -> None:
    found = read(nick=b"\xff\xfeA", table=b"t" * 5000)
    assert found is not None
    assert found.announcement.nick == "��A"
    assert found.announcement.table == "t" * LONGEST


@pytest.mark.parametrize(
    "changes",
    [
        {"v": None},
        {"nick": ""},
        {"nick": "\u202e"},
        {"table": None},
        {"table": " "},
        {"free": ""},
        {"free": "-1"},
        {"free": "5"},
        {"free": "٣"},
        {"free": "2.0"},
        {"free": "22"},
        {"seats": None},
        {"seats": "0"},
        {"seats": "x"},
        {"seats": b"\xff"},
    ],
)
def test_what_describes_no_table_is_not_taken(changes: dict[str, str | bytes | None]) -> None:
    assert read(**changes) is None


def test_a_record_without_an_address_is_not_taken() -> None:
    assert read_record("x", txt(), [], 4304) is None
    assert read_record("x", txt(), ["1.2.3.4"], None) is None
    assert read_record("x", txt(), ["1.2.3.4"], 0) is None


@given(st.dictionaries(st.binary(max_size=9), st.none() | st.binary(max_size=300), max_size=9))
def test_any_record_is_read_or_left(properties: dict[bytes, bytes | None]) -> None:
    read_record("x", {**txt(), **properties}, ["1.2.3.4"], 1)


def test_only_so_many_addresses_are_kept() -> None:
    found = read_record("x", txt(), [f"10.0.0.{n}" for n in range(100)], 1)
    assert found is not None and len(found.addresses) == 8


def test_the_shared_network_is_tried_first_and_ones_own_addresses_last() -> None:
    own = [IPv4Interface("192.168.1.5/24"), IPv4Interface("172.17.0.1/16")]
    found = read_record("x", txt(), ["172.17.0.1", "10.8.0.3", "192.168.1.7"], 1)
    assert found is not None
    ordered = nearest_first(found, own)
    assert ordered.addresses == ("192.168.1.7", "10.8.0.3", "172.17.0.1")
    assert ordered.host == "192.168.1.7"


def test_a_link_local_address_comes_before_another_network() -> None:
    found = read_record("x", txt(), ["10.8.0.3", "127.0.0.1", "169.254.7.7", "192.168.1.7"], 1)
    assert found is not None
    ordered = nearest_first(found, [IPv4Interface("192.168.1.5/24")])
    assert ordered.addresses == ("192.168.1.7", "169.254.7.7", "10.8.0.3", "127.0.0.1")


def test_the_fingerprint() -> None:
    assert fingerprint(bytes(range(0x10, 0x30))) == "1011 1213 1415 1617"


def test_only_who_knows_the_key_knows_it_by_its_mark() -> None:
    key, other = bytes(range(32)), bytes(32)
    one, again = key_mark(key, b"salt"), key_mark(key, b"more")
    assert len(one) == 24 and one != again and one[8:] != again[8:]
    assert is_mark_of(one, key) and is_mark_of(again, key) and not is_mark_of(one, other)
    assert key.hex()[:16] not in one


@given(st.text(max_size=40))
def test_no_text_of_a_stranger_is_a_mark_by_accident(text: str) -> None:
    assert not is_mark_of(text, bytes(32))


def test_only_a_table_without_a_free_seat_is_announced_as_one_to_watch() -> None:
    played = replace(ASHA, free=0, is_watched=True)
    found = read_record("x", {k.encode(): v.encode() for k, v in to_txt(played).items()}, ["h"], 1)
    assert found is not None and found.announcement == played
    gathers = read(watch="1")
    assert gathers is not None and gathers.announcement == ASHA
