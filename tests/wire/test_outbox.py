"""The outbox: effects and events leave in the order in which they came, and once."""

from __future__ import annotations

from p2p304.wire.effects import Dial, HangUp, Outbox, Persist, Send
from p2p304.wire.framing import FrameKind


def test_effects_leave_in_order_and_once() -> None:
    out = Outbox[str]((b"a", b"b"))
    out.persist("journal", b"1")
    out.send(FrameKind.ENTRY, b"2")
    out.send_to(b"c", FrameKind.SYNC, b"3")
    out.send_to(None, FrameKind.TALK, b"4")
    out.dial(b"d", "host", 5)
    out.hang_up(b"e", "why")
    out.hang_up(b"f", "why", 7.0)
    out.pass_on([Persist("other", b"8")])
    assert out.effects() == [
        Persist("journal", b"1"),
        Send(b"a", FrameKind.ENTRY, b"2"),
        Send(b"b", FrameKind.ENTRY, b"2"),
        Send(b"c", FrameKind.SYNC, b"3"),
        Send(None, FrameKind.TALK, b"4"),
        Dial(b"d", "host", 5),
        HangUp(b"e", "why", 0.0),
        HangUp(b"f", "why", 7.0),
        Persist("other", b"8"),
    ]
    assert out.effects() == []


def test_events_leave_in_order_and_once() -> None:
    out = Outbox[str]()
    out.emit("a")
    out.emit("b", "c")
    out.send(FrameKind.ENTRY, b"to nobody")
    assert (out.events(), out.events(), out.effects()) == (["a", "b", "c"], [], [])
