"""Frames: any chunking gives the same frames, and every fault is seen before its body."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.wire.framing import (
    HEADER_BYTES,
    LIMITS,
    SIZES,
    BadFrame,
    Frame,
    FrameKind,
    FrameReader,
    frame,
    size_of,
)

kinds = st.sampled_from(FrameKind)
frames = st.lists(st.builds(Frame, kinds, st.binary(max_size=60)), max_size=6)


def feed(reader: FrameReader, data: bytes) -> list[Frame]:
    """The frames that these bytes complete."""
    reader.push(data)
    return list(iter(reader.take, None))


def stream_of(items: list[Frame]) -> bytes:
    return b"".join(frame(item.kind, item.payload) for item in items)


def header(size: int, kind: int, payload: int = 0) -> bytes:
    return (size - 4).to_bytes(4, "big") + bytes([kind]) + payload.to_bytes(3, "big")


def test_the_bytes_of_a_frame() -> None:
    zeros = bytes(512 - 11)
    assert frame(FrameKind.PING, b"abc") == bytes.fromhex("000001fc 02 000003 616263") + zeros
    assert frame(FrameKind.BYE, b"") == bytes.fromhex("000001fc 09 000000") + bytes(504)
    assert frame(FrameKind.ENTRY, b"") == bytes.fromhex("00000ffc 05 000000") + bytes(4088)


@given(kinds, st.integers(0, 1000))
def test_frames_have_few_sizes(kind: FrameKind, length: int) -> None:
    data = frame(kind, bytes(min(length, LIMITS[kind])))
    assert len(data) in SIZES
    if kind is FrameKind.ENTRY:
        assert len(data) == SIZES[1]


@given(kinds, st.integers(0, 60), st.data())
def test_a_frame_has_one_encoding(kind: FrameKind, length: int, draw: st.DataObject) -> None:
    """Neither another size nor anything but zeros after the payload is taken."""
    whole = frame(kind, bytes(length))
    at = draw.draw(st.integers(HEADER_BYTES + length, len(whole) - 1))
    with pytest.raises(BadFrame, match="not zero"):
        feed(FrameReader(), whole[:at] + b"x" + whole[at + 1 :])
    for size in SIZES:
        if size != size_of(kind, length):
            with pytest.raises(BadFrame, match="does not fill"):
                feed(FrameReader(), header(size, kind, length) + bytes(length))


def test_the_numbers_of_the_kinds_are_fixed() -> None:
    assert [(k.name, int(k)) for k in FrameKind] == [
        ("HELLO", 1),
        ("PING", 2),
        ("PONG", 3),
        ("LOBBY", 4),
        ("ENTRY", 5),
        ("RECEIPT", 6),
        ("SYNC", 7),
        ("EVIDENCE", 8),
        ("BYE", 9),
        ("TALK", 10),
        ("PART", 11),
        ("WATCH", 12),
        ("BLOCK", 13),
        ("NOTE", 14),
    ]
    assert set(LIMITS) == set(FrameKind)


@given(frames, st.lists(st.integers(0, 9000)))
def test_chunking_changes_nothing(items: list[Frame], cuts: list[int]) -> None:
    stream = stream_of(items)
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    reader = FrameReader()
    got = [f for a, b in pairwise(edges) for f in feed(reader, stream[a:b])]
    assert got == items
    assert not reader.has_partial_frame


@pytest.mark.parametrize("kind", FrameKind)
def test_the_limit_of_each_kind_is_exact(kind: FrameKind) -> None:
    full = bytes(LIMITS[kind])
    assert feed(FrameReader(), frame(kind, full)) == [Frame(kind, full)]
    with pytest.raises(BadFrame, match="too many"):
        frame(kind, full + b"x")
    with pytest.raises(BadFrame):
        feed(FrameReader(), header(SIZES[-1], kind, LIMITS[kind] + 1))


def test_the_sizes_and_limits_of_frames_are_fixed() -> None:
    """SPEC.md, "Frames": bytes of payload, and the least frame that carries one."""
    assert SIZES == (512, 4096, 16_384, 66_048, 196_608)
    assert {kind.name: (LIMITS[kind], size_of(kind, 0)) for kind in FrameKind} == {
        "HELLO": (504, 512),
        "PING": (64, 512),
        "PONG": (64, 512),
        "LOBBY": (16_384, 4096),
        "ENTRY": (65_536, 4096),
        "RECEIPT": (1024, 512),
        "SYNC": (4096, 512),
        "EVIDENCE": (163_840, 4096),
        "BYE": (256, 512),
        "TALK": (1024, 512),
        "PART": (1024, 512),
        "WATCH": (64, 512),
        "NOTE": (3 * 1024, 512),
        "BLOCK": (131_072, 4096),
    }


@pytest.mark.parametrize(("payload", "size"), [(504, 512), (505, 4096), (4088, 4096)])
def test_a_frame_grows_where_its_payload_no_longer_fits(payload: int, size: int) -> None:
    assert size_of(FrameKind.SYNC, payload) == size
    assert len(frame(FrameKind.SYNC, bytes(payload))) == size


@pytest.mark.parametrize("size", [0, 508 - 1, 509, 2**31, 2**32 - 1, SIZES[-1]])
def test_an_impossible_length_is_refused_before_the_kind_is_there(size: int) -> None:
    with pytest.raises(BadFrame, match="bytes long"):
        feed(FrameReader(), size.to_bytes(4, "big"))


@pytest.mark.parametrize("kind", [0, 15, 255])
def test_an_unknown_kind_is_refused_before_its_body(kind: int) -> None:
    with pytest.raises(BadFrame, match="does not exist"):
        feed(FrameReader(), header(512, kind))


def test_a_kind_that_is_not_expected_is_refused_before_its_body() -> None:
    reader = FrameReader(frozenset({FrameKind.HELLO}))
    with pytest.raises(BadFrame, match="ENTRY is not expected"):
        feed(reader, header(SIZES[1], FrameKind.ENTRY, 4000))


def test_kinds_may_change_between_two_frames_of_one_chunk() -> None:
    reader = FrameReader(frozenset({FrameKind.HELLO}))
    reader.push(frame(FrameKind.HELLO, b"h") + frame(FrameKind.SYNC, b"s"))
    assert reader.take() == Frame(FrameKind.HELLO, b"h")
    reader.kinds = frozenset(FrameKind)
    assert reader.take() == Frame(FrameKind.SYNC, b"s")
    assert reader.take() is None


def test_frames_before_a_fault_are_still_given_one_by_one() -> None:
    reader = FrameReader()
    reader.push(frame(FrameKind.PING, b"1") + header(512, 0))
    assert reader.take() == Frame(FrameKind.PING, b"1")
    with pytest.raises(BadFrame):
        reader.take()


def test_after_a_fault_nothing_is_read_any_more() -> None:
    reader = FrameReader()
    with pytest.raises(BadFrame):
        feed(reader, header(512, 99))
    assert not reader.has_partial_frame
    with pytest.raises(BadFrame):
        feed(reader, frame(FrameKind.PING, b"1"))


def test_mid_frame_tells_a_half_frame() -> None:
    reader = FrameReader()
    whole = frame(FrameKind.SYNC, b"abc")
    for size in range(1, len(whole)):
        reader = FrameReader()
        assert feed(reader, whole[:size]) == []
        assert reader.has_partial_frame
    assert len(whole) == SIZES[0]


@given(st.binary(max_size=400))
def test_any_bytes_give_frames_or_bad_frame(data: bytes) -> None:
    reader = FrameReader()
    try:
        got = feed(reader, data)
    except BadFrame:
        return
    assert data.startswith(stream_of(got))
    assert reader.has_partial_frame == (len(stream_of(got)) < len(data))
