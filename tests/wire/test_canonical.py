"""The canonical encoding: one value, one encoding, and no other bytes are taken."""

from __future__ import annotations

import random
import struct
import sys
import tracemalloc

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.wire.canonical import (
    FEW_ITEMS,
    MAX_DEPTH,
    MAX_ITEMS,
    NotCanonical,
    Value,
    decode,
    encode,
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.text(max_size=40)
    | st.binary(max_size=300)
)
values: st.SearchStrategy[Value] = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5)
    ),
    max_leaves=20,
)


def depth_of(value: Value) -> int:
    if isinstance(value, list):
        return 1 + max((depth_of(item) for item in value), default=0)
    if isinstance(value, dict):
        return 1 + max((depth_of(item) for item in value.values()), default=0)
    return 0


def head(small: tuple[int, int], long: dict[int, int], size: int) -> bytes:
    """The shortest header for ``size``: fix form (base, below), else by bits of length."""
    if size < small[1]:
        return bytes([small[0] | size])
    bits = next(b for b in (8, 16, 32) if b in long and size < 2**b)
    return bytes([long[bits]]) + size.to_bytes(bits // 8, "big")


def number(value: int) -> bytes:
    if 0 <= value < 128 or -32 <= value < 0:
        return bytes([value & 0xFF])
    for width, tag in ((1, 0), (2, 1), (4, 2), (8, 3)):
        if 0 <= value < 256**width:
            return bytes([0xCC + tag]) + value.to_bytes(width, "big")
        if value < 0 and -(256**width) // 2 <= value:
            return bytes([0xD0 + tag]) + value.to_bytes(width, "big", signed=True)
    raise AssertionError(value)


def naive(value: Value) -> bytes:
    """The encoding written straight from the specification, without a library."""
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int):
        return number(value)
    if isinstance(value, str):
        data = value.encode()
        return head((0xA0, 32), {8: 0xD9, 16: 0xDA, 32: 0xDB}, len(data)) + data
    if isinstance(value, bytes):
        return head((0, 0), {8: 0xC4, 16: 0xC5, 32: 0xC6}, len(value)) + value
    if isinstance(value, list):
        items = b"".join(naive(item) for item in value)
        return head((0x90, 16), {16: 0xDC, 32: 0xDD}, len(value)) + items
    pairs = sorted((key.encode(), key) for key in value)
    items = b"".join(naive(key) + naive(value[key]) for _, key in pairs)
    return head((0x80, 16), {16: 0xDE, 32: 0xDF}, len(value)) + items


@given(values.filter(lambda value: depth_of(value) <= MAX_DEPTH))
def test_round_trip_and_naive_twin(value: Value) -> None:
    data = encode(value)
    assert data == naive(value)
    back = decode(data)
    assert back == value
    assert encode(back) == data


@pytest.mark.parametrize(
    "value",
    [
        127,
        128,
        255,
        256,
        65535,
        65536,
        2**32 - 1,
        2**32,
        2**63,
        2**64 - 1,
        -1,
        -32,
        -33,
        -128,
        -129,
        -32768,
        -32769,
        -(2**31),
        -(2**31) - 1,
        -(2**63),
    ],
)
def test_numbers_at_the_edges(value: int) -> None:
    assert encode(value) == naive(value)
    assert decode(naive(value)) == value


@pytest.mark.parametrize("size", [31, 32, 255, 256, 65535, 65536])
def test_lengths_at_the_edges(size: int) -> None:
    for value in ("x" * size, b"x" * size):
        assert encode(value) == naive(value)
        assert decode(naive(value)) == value


@pytest.mark.parametrize("size", [15, 16, 1023])
def test_counts_at_the_edges(size: int) -> None:
    values: tuple[Value, ...] = ([0] * size, {f"{i:06}": 0 for i in range(size)})
    for value in values:
        assert encode(value) == naive(value)
        assert decode(naive(value)) == value


def test_too_many_items_are_refused() -> None:
    values: tuple[Value, ...] = (
        [0] * MAX_ITEMS,
        {f"{i:06}": 0 for i in range(MAX_ITEMS)},
        [[{}] * (MAX_ITEMS // 4)] * 2,
        [[]] * (MAX_ITEMS // 2),
        {"a": [0] * (MAX_ITEMS // 2), "b": {"c": [0] * (MAX_ITEMS // 2)}},
    )
    for value in values:
        with pytest.raises(NotCanonical):
            encode(value)
        with pytest.raises(NotCanonical):
            decode(naive(value))


def test_a_reader_may_take_fewer_items() -> None:
    assert decode(encode([[1], [2]]), 7) == [[1], [2]]
    with pytest.raises(NotCanonical):
        decode(encode([[1], [2]]), 6)


@given(values.filter(lambda value: depth_of(value) <= MAX_DEPTH), st.randoms())
def test_the_order_in_which_a_dict_was_made_changes_nothing(
    value: Value, chance: random.Random
) -> None:
    def shuffled(item: Value) -> Value:
        if isinstance(item, dict):
            pairs = [(key, shuffled(inner)) for key, inner in item.items()]
            chance.shuffle(pairs)
            return dict(pairs)
        return [shuffled(inner) for inner in item] if isinstance(item, list) else item

    assert encode(shuffled(value)) == encode(value)


def test_keys_stand_in_the_order_of_their_utf_8_bytes() -> None:
    # U+FF61 comes before U+10000 in UTF-8, after it in UTF-16.
    assert list(decode(encode({"\U00010000": 1, "｡": 2}))) == ["｡", "\U00010000"]  # type: ignore[arg-type]


NOT_THE_ONE_ENCODING = {
    "a number in a longer form": b"\xcc\x01",
    "16 bits where 8 do": b"\xcd\x00\xff",
    "64 bits where 32 do": b"\xcf" + (2**32 - 1).to_bytes(8, "big"),
    "a signed form of a positive number": b"\xd0\x05",
    "a negative number in a longer form": b"\xd1\xff\xff",
    "text in a longer form": b"\xd9\x01a",
    "text in the longest form": b"\xdb\x00\x00\x00\x01a",
    "bytes in a longer form": b"\xc5\x00\x01a",
    "a list in a longer form": b"\xdc\x00\x01\x01",
    "a dict in a longer form": b"\xde\x00\x01\xa1a\x01",
    "keys out of order": b"\x82\xa1b\x01\xa1a\x02",
    "a key twice": b"\x82\xa1a\x01\xa1a\x01",
    "a key twice with another value": b"\x82\xa1a\x01\xa1a\x02",
    "a number as key": b"\x81\x01\x01",
    "bytes as key": b"\x81\xc4\x01a\x01",
    "nothing as key": b"\x81\xc0\x01",
    "a list as key": b"\x81\x90\x01",
    "bytes after the value": b"\x01\x01",
    "nothing at all": b"",
    "the unused byte": b"\xc1",
    "a float": b"\xca" + struct.pack(">f", 1.0),
    "a double": b"\xcb" + struct.pack(">d", 1.0),
    "not a number": b"\xcb" + struct.pack(">d", float("nan")),
    "infinity": b"\xcb" + struct.pack(">d", float("inf")),
    "a float in a list": b"\x91\xcb" + bytes(8),
    "an extension": b"\xd4\x01\x00",
    "an extension of no bytes": b"\xc7\x00\x01",
    "a timestamp": b"\xd6\xff\x00\x00\x00\x00",
    "a timestamp of no bytes": b"\xc7\x00\xff",
    "text that is not UTF-8": b"\xa1\xff",
    "an overlong NUL": b"\xa2\xc0\x80",
    "half a surrogate pair": b"\xa3\xed\xa0\x80",
    "a key that is not UTF-8": b"\x81\xa1\xff\x01",
    "a text that breaks off": b"\xa5abc",
    "a list that breaks off": b"\x92\x01",
    "a list of four thousand million": b"\xdd\xff\xff\xff\xff",
    "a dict of four thousand million": b"\xdf\xff\xff\xff\xff",
    "a text of four thousand million": b"\xdb\xff\xff\xff\xff",
    "bytes of four thousand million": b"\xc6\xff\xff\xff\xff",
    "an extension of four thousand million": b"\xc9\xff\xff\xff\xff\x01",
}


@pytest.mark.parametrize("name", NOT_THE_ONE_ENCODING)
def test_refused(name: str) -> None:
    with pytest.raises(NotCanonical):
        decode(NOT_THE_ONE_ENCODING[name])


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        float("nan"),
        {1: 2},
        {b"a": 1},
        (1, 2),
        {1, 2},
        object(),
        2**64,
        -(2**63) - 1,
        "\ud800",
        {"\ud800": 1},
        [1.5],
        {"a": {"b": (1,)}},
        bytearray(b"a"),
        memoryview(b"a"),
        msgpack.ExtType(1, b""),
    ],
)
def test_values_without_an_encoding(value: object) -> None:
    with pytest.raises(NotCanonical):
        encode(value)  # type: ignore[arg-type]


def test_the_limits_are_those_of_the_specification() -> None:
    assert (MAX_DEPTH, MAX_ITEMS, FEW_ITEMS) == (8, 1024, 64)


def test_depth_is_exact() -> None:
    deep: Value = 1
    for _ in range(MAX_DEPTH):
        deep = [deep]
    assert decode(encode(deep)) == deep
    with pytest.raises(NotCanonical):
        encode([deep])
    with pytest.raises(NotCanonical):
        decode(b"\x91" + encode(deep))
    with pytest.raises(NotCanonical):
        decode(b"\x81\xa1a" * (MAX_DEPTH + 1) + b"\x01")


@pytest.mark.parametrize("empty", [b"\x90", b"\x80"])
def test_an_empty_list_or_map_counts_for_the_depth(empty: bytes) -> None:
    decode(b"\x91" * (MAX_DEPTH - 1) + empty)
    with pytest.raises(NotCanonical):
        decode(b"\x91" * MAX_DEPTH + empty)


@pytest.mark.parametrize("opening", [b"\x91", b"\x81\xa1a", b"\xdc\x00\x01"])
@pytest.mark.parametrize("count", [100, 1020, 5000, 50_000])
def test_no_depth_breaks_the_stack(opening: bytes, count: int) -> None:
    with pytest.raises(NotCanonical):
        decode(opening * count + b"\x01")
    nested: Value = []
    for _ in range(3 * sys.getrecursionlimit()):
        nested = [nested]
    with pytest.raises(NotCanonical):
        encode(nested)


def test_small_bytes_never_claim_much_memory() -> None:
    """Lists in lists, each claiming as many items as there are bytes, or as may be."""
    tracemalloc.start()
    try:
        for claim in (64 * 1024, MAX_ITEMS):
            data = (b"\xdd" + claim.to_bytes(4, "big")) * 2000
            with pytest.raises(NotCanonical):
                decode(data + bytes(64 * 1024))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 16 * 1024 * 1024


@given(st.binary(max_size=64))
def test_what_is_taken_is_the_one_encoding(data: bytes) -> None:
    try:
        value = decode(data)
    except NotCanonical:
        return
    assert naive(value) == data


@given(values.filter(lambda value: depth_of(value) <= MAX_DEPTH), st.data())
def test_a_changed_byte_never_gives_the_same_value(value: Value, data: st.DataObject) -> None:
    good = encode(value)
    at = data.draw(st.integers(0, len(good) - 1))
    bad = good[:at] + bytes([good[at] ^ data.draw(st.integers(1, 255))]) + good[at + 1 :]
    try:
        other = decode(bad)
    except NotCanonical:
        return
    assert encode(other) == bad


def test_bool_and_number_stay_apart() -> None:
    assert decode(encode(True)) is True
    assert decode(encode(1)) is not True
    assert encode(True) != encode(1)
