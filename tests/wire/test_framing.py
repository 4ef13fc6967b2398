"""Frames: any chunking gives the same frames, and every fault is seen before its body."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.wire.framing import (
    HEADER_BYTES,
    LIMITS,
    BadFrame,
    Frame,
    FrameKind,
    FrameReader,
    frame,
)

kinds = st.sampled_from(FrameKind)
frames = st.lists(st.builds(Frame, kinds, st.binary(max_size=60)), max_size=8)


def stream_of(items: list[Frame]) -> bytes:
    return b"".join(frame(item.kind, item.payload) for item in items)


def header(size: int, kind: int) -> bytes:
    return size.to_bytes(4, "big") + bytes([kind])


def test_the_bytes_of_a_frame() -> None:
    assert frame(FrameKind.PING, b"abc") == bytes.fromhex("00000004 02 616263")
    assert frame(FrameKind.BYE, b"") == bytes.fromhex("00000001 09")


def test_the_numbers_of_the_kinds_are_fixed() -> None:
    assert [(k.name, int(k)) for k in FrameKind] == [
        ("HELLO", 1), ("PING", 2), ("PONG", 3), ("LOBBY", 4), ("ENTRY", 5), ("RECEIPT", 6),
        ("SYNC", 7), ("EVIDENCE", 8), ("BYE", 9), ("TALK", 10), ("PART", 11),
        ("WATCH", 12), ("BLOCK", 13),
    ]  # fmt: skip
    assert set(LIMITS) == set(FrameKind)


@given(frames, st.lists(st.integers(0, 300)))
def test_chunking_changes_nothing(items: list[Frame], cuts: list[int]) -> None:
    stream = stream_of(items)
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    reader = FrameReader()
    got = [f for a, b in pairwise(edges) for f in reader.feed(stream[a:b])]
    assert got == items
    assert not reader.mid_frame


@pytest.mark.parametrize("kind", FrameKind)
def test_the_limit_of_each_kind_is_exact(kind: FrameKind) -> None:
    full = bytes(LIMITS[kind])
    assert FrameReader().feed(frame(kind, full)) == [Frame(kind, full)]
    with pytest.raises(BadFrame, match="too many"):
        frame(kind, full + b"x")
    with pytest.raises(BadFrame):
        FrameReader().feed(header(LIMITS[kind] + 2, kind))


@pytest.mark.parametrize("size", [0, 2**31, 2**32 - 1, max(LIMITS.values()) + 2])
def test_an_impossible_length_is_refused_before_the_kind_is_there(size: int) -> None:
    with pytest.raises(BadFrame, match="bytes long"):
        FrameReader().feed(size.to_bytes(4, "big"))


@pytest.mark.parametrize("kind", [0, 14, 255])
def test_an_unknown_kind_is_refused_before_its_body(kind: int) -> None:
    with pytest.raises(BadFrame, match="no kind"):
        FrameReader().feed(header(50, kind))


def test_a_kind_that_is_not_expected_is_refused_before_its_body() -> None:
    reader = FrameReader(frozenset({FrameKind.HELLO}))
    with pytest.raises(BadFrame, match="ENTRY is not expected"):
        reader.feed(header(60000, FrameKind.ENTRY))


def test_kinds_may_change_between_two_frames_of_one_chunk() -> None:
    reader = FrameReader(frozenset({FrameKind.HELLO}))
    reader.push(frame(FrameKind.HELLO, b"h") + frame(FrameKind.SYNC, b"s"))
    assert reader.take() == Frame(FrameKind.HELLO, b"h")
    reader.kinds = frozenset(FrameKind)
    assert reader.take() == Frame(FrameKind.SYNC, b"s")
    assert reader.take() is None


def test_frames_before_a_fault_are_still_given_one_by_one() -> None:
    reader = FrameReader()
    reader.push(frame(FrameKind.PING, b"1") + header(0, 0))
    assert reader.take() == Frame(FrameKind.PING, b"1")
    with pytest.raises(BadFrame):
        reader.take()


def test_after_a_fault_nothing_is_read_any_more() -> None:
    reader = FrameReader()
    with pytest.raises(BadFrame):
        reader.feed(header(1, 99))
    assert not reader.mid_frame
    with pytest.raises(BadFrame):
        reader.feed(frame(FrameKind.PING, b"1"))


def test_mid_frame_tells_a_half_frame() -> None:
    reader = FrameReader()
    whole = frame(FrameKind.SYNC, b"abc")
    for size in range(1, len(whole)):
        reader = FrameReader()
        assert reader.feed(whole[:size]) == []
        assert reader.mid_frame
    assert len(whole) == HEADER_BYTES + 3


@given(st.binary(max_size=400))
def test_any_bytes_give_frames_or_bad_frame(data: bytes) -> None:
    reader = FrameReader()
    try:
        got = reader.feed(data)
    except BadFrame:
        return
    assert data.startswith(stream_of(got))
    assert reader.mid_frame == (len(stream_of(got)) < len(data))
