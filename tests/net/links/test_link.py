"""One link on a clock and a connection of its own: no socket is opened, and no time passes."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.net.limits import LIMITS
from p2p304.net.links import tls
from p2p304.net.links.handshake import HandshakeRefused, Peer, Step, stranger
from p2p304.net.links.link import Dialled, Link, is_goodbye
from p2p304.wire.framing import Frame, FrameKind, FrameReader, frame
from p2p304.wire.rate_limit import Allowance
from tests.support.loopback import KEYS, run

PEER = Peer(KEYS[1].public, "Bandu", 4304)
SHORT = replace(
    LIMITS,
    stranger_frames=Allowance(3, 0),
    member_frames=Allowance(5, 0),
    stranger_bytes=Allowance(4096, 0),
    send_buffer=2048,
)


class Clock:
    """Stands for the loop of a link: a time that tests set, and what is due then."""

    def __init__(self) -> None:
        self.now = 100.0
        self.due: list[tuple[float, Callable[[], None]]] = []
        self.faults: list[dict[str, Any]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, call: Callable[[], None]) -> Any:
        item = (self.now + delay, call)
        self.due.append(item)

        def cancel() -> None:
            if item in self.due:
                self.due.remove(item)

        return SimpleNamespace(cancel=cancel)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.faults.append(context)

    def pass_to(self, now: float) -> None:
        while self.due and min(at for at, _ in self.due) <= now:
            item = min(self.due, key=lambda each: each[0])
            self.due.remove(item)
            self.now = item[0]
            item[1]()
        self.now = now


class Wire(asyncio.Transport):
    """The connection below a link: what was written, and how it was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.written, self.ended, self.queued = b"", "", 0

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("10.0.0.2", 5), "sockname": ("10.0.0.1", 6)}.get(name, default)

    def write(self, data: Any) -> None:
        self.written += data

    def get_write_buffer_size(self) -> int:
        return self.queued

    def is_closing(self) -> bool:
        return bool(self.ended)

    def close(self) -> None:
        self.ended = "closed"

    def abort(self) -> None:
        self.ended = "aborted"

    def frames(self) -> list[Frame]:
        reader, found = FrameReader(), []
        reader.push(self.written)
        while (one := reader.take()) is not None:
            found.append(one)
        self.written = b""
        return found


class Shake:
    """A handshake that is over after one message, with this outcome."""

    def __init__(self, outcome: Step) -> None:
        self.outcome = outcome

    def opening(self) -> bytes:
        return b"greeting"

    def receive(self, payload: bytes) -> Step:
        return self.outcome


class Owner:
    def __init__(self) -> None:
        self.told: list[object] = []
        self.words = 0

    def proven(self, link: Link) -> None:
        self.told.append("proven")

    def confirmed(self, link: Link) -> None:
        self.words += 1

    def frame(self, link: Link, whole: Frame) -> None:
        if whole.payload == b"fault":
            raise KeyError("a secret")
        self.told.append(whole)

    def gone(self, link: Link) -> None:
        self.told.append("gone")


class Made:
    def __init__(self, dialled: Dialled | None = None, outcome: Step | None = None) -> None:
        self.owner, self.wire, self.clock = Owner(), Wire(), Clock()
        shake: Any = Shake(outcome or Step(b"answer", PEER))
        self.link = Link(self.owner, SHORT, lambda cert: shake, dialled)
        loop: Any = self.clock
        self.link._loop = loop

    def connect(self) -> Made:
        self.link.connection_made(self.wire)
        return self

    def prove(self) -> Made:
        self.connect()
        self.receive(FrameKind.HELLO)
        said = (b"greeting", b"answer")
        assert self.wire.frames() == [Frame(FrameKind.HELLO, payload) for payload in said]
        self.owner.told.clear()
        return self

    def receive(self, kind: FrameKind, payload: bytes = b"") -> None:
        self.link.data_received(frame(kind, payload))


def story(test: Callable[[], None]) -> Callable[[], None]:
    """Links make futures, so a loop must run."""

    def main() -> None:
        async def within() -> None:
            test()

        run(within())

    return main


@story
def test_before_the_handshake_a_link_has_no_peer_and_after_it_one() -> None:
    one = Made()
    states = [(one.link.is_connected, one.link.is_proven)]
    assert (one.link.local, one.link.address, one.link.age) == ("", "", 0.0)
    assert one.link.replaced == 0
    one.connect()
    states.append((one.link.is_connected, one.link.is_proven))
    assert one.link.age == 0.0
    with pytest.raises(LookupError):
        _ = one.link.peer
    one.clock.now = 107.0
    one.receive(FrameKind.HELLO)
    states.append((one.link.is_connected, one.link.is_proven))
    assert states == [(False, False), (True, False), (True, True)]
    assert one.owner.told == ["proven"] and one.link.proving.result() == one.link.peer == PEER
    one.clock.now = 110.0
    assert one.link.age == 3.0
    assert (one.link.address, one.link.local) == ("10.0.0.2", "10.0.0.1")


@story
def test_an_address_that_was_dialled_is_the_peers_and_else_the_one_that_it_tells() -> None:
    accepted, dialled = Made().prove().link, Made(Dialled("bandu.lan", 5304))
    assert (accepted.host, accepted.port) == ("10.0.0.2", PEER.port)
    assert (dialled.link.host, dialled.link.port) == ("bandu.lan", 5304)


@story
def test_frames_are_given_to_the_owner_and_a_question_is_answered() -> None:
    one = Made().prove()
    one.receive(FrameKind.TALK, b"hello")
    one.receive(FrameKind.PING, b"12345678")
    assert one.owner.told == [Frame(FrameKind.TALK, b"hello")]
    assert one.wire.frames() == [Frame(FrameKind.PONG, b"12345678")]
    assert one.wire.ended == ""
    one.receive(FrameKind.BYE, b"somebody else")
    assert one.owner.words == 2


# The clock


@story
def test_a_heartbeat_follows_the_last_answer_and_a_missing_answer_ends_the_link() -> None:
    one = Made().prove()
    one.clock.pass_to(100.0 + SHORT.heartbeat - SHORT.watch)
    assert one.wire.frames() == []
    one.clock.pass_to(100.0 + SHORT.heartbeat)
    (ping,) = one.wire.frames()
    assert ping.kind is FrameKind.PING
    one.clock.pass_to(103.0)
    one.receive(FrameKind.PONG, ping.payload)
    one.clock.pass_to(103.0 + SHORT.heartbeat - SHORT.watch)
    assert one.wire.frames() == []
    one.clock.pass_to(103.0 + SHORT.heartbeat)
    (second,) = one.wire.frames()
    assert second.payload == (int.from_bytes(ping.payload, "big") + 1).to_bytes(8, "big")
    one.clock.pass_to(105.0 + SHORT.silence)
    assert one.wire.ended == "" and one.wire.frames() == []
    one.clock.pass_to(105.0 + SHORT.silence + SHORT.watch)
    assert one.wire.ended == "aborted" and one.link.reason == "it stopped answering"
    assert one.clock.due == [], "it is watched no more"


@story
def test_where_there_is_doubt_an_answer_has_less_time_and_the_next_one_has_all_of_it() -> None:
    one = Made().prove()
    one.link.probe(SHORT.doubt)
    one.link.probe(2 * SHORT.silence)
    (ping,) = one.wire.frames()
    one.clock.pass_to(100.0 + SHORT.doubt)
    assert one.wire.ended == ""
    one.receive(FrameKind.PONG, ping.payload)
    one.link.probe()
    one.clock.pass_to(100.0 + 2 * SHORT.doubt + 2 * SHORT.watch)
    assert one.wire.ended == ""
    again = Made().prove()
    again.link.probe()
    again.link.probe(SHORT.doubt)
    again.clock.pass_to(100.0 + SHORT.doubt + SHORT.watch)
    assert again.wire.ended == "aborted"


@story
def test_an_answer_to_no_question_or_a_wrong_one_ends_the_link() -> None:
    for asked, said in ((False, 1), (True, 7)):
        one = Made().prove()
        if asked:
            one.link.probe()
        one.receive(FrameKind.PONG, said.to_bytes(8, "big"))
        assert one.link.reason == "it answered a question that was not asked"
        assert one.wire.ended == "aborted"


@story
def test_a_frame_that_has_begun_must_be_complete_in_time() -> None:
    one = Made().prove()
    one.link.trust(True)
    data = frame(FrameKind.TALK, b"slowly")

    def wait(seconds: float) -> None:
        """Let time pass, and answer the heartbeats within it."""
        end = one.clock.now + seconds
        while one.clock.now < end:
            one.clock.pass_to(one.clock.now + SHORT.watch)
            for each in one.wire.frames():
                assert each.kind is FrameKind.PING
                one.link._on_pong(each.payload)

    for _ in range(2):
        one.link.data_received(data[:9])
        wait(SHORT.half_frame / 2)
        one.link.data_received(data[9:20])
        wait(SHORT.half_frame / 2)
        assert one.wire.ended == ""
        one.link.data_received(data[20:])
        wait(SHORT.half_frame)
        assert one.wire.ended == ""
    one.link.data_received(data + data[:9])
    wait(SHORT.half_frame)
    assert one.wire.ended == ""
    wait(SHORT.watch)
    assert one.link.reason == "it sent an incomplete message"


# Allowances


@story
def test_a_stranger_may_send_so_much_and_a_member_more() -> None:
    for member, most in ((False, 3), (True, 5)):
        one = Made().prove()
        one.link.trust(member)
        for _ in range(most):
            one.receive(FrameKind.TALK, b"x")
        assert one.wire.ended == "" and len(one.owner.told) == most
        one.receive(FrameKind.TALK, b"x")
        assert one.link.reason == "it sends too many messages" and len(one.owner.told) == most


@story
def test_a_stranger_may_send_so_many_bytes() -> None:
    one = Made().prove()
    one.link.trust(False)
    one.link.data_received(frame(FrameKind.TALK, b"x") + frame(FrameKind.LOBBY, b"x")[: 4096 - 512])
    assert one.wire.ended == ""
    one.link.data_received(b"\0")
    assert one.link.reason == "it sends too much data" and one.wire.ended == "aborted"


@story
def test_a_peer_that_does_not_read_is_cut_off() -> None:
    one = Made().prove()
    for queued, ended in ((2048, ""), (2049, "aborted")):
        one.wire.queued = queued
        one.link.send(FrameKind.TALK, b"x")
        assert one.wire.ended == ended
    one.wire.written = b""
    one.link.send(FrameKind.TALK, b"x")
    assert one.wire.written == b"" and one.link.reason == "it does not read our messages"


# The end


@story
def test_a_link_is_closed_with_a_reason_and_the_first_one_stays() -> None:
    one = Made().prove()
    assert one.link.reason == "the connection was closed"
    one.link.bye("x" * 300)
    assert one.wire.frames() == [Frame(FrameKind.BYE, b"x" * 256)] and one.wire.ended == "closed"
    one.link.bye("again")
    one.link.cut("cut")
    assert one.wire.frames() == [] and one.wire.ended == "aborted" and one.link.reason == "x" * 300
    one.link.connection_lost(None)
    assert one.owner.told == ["gone"] and one.link.lost.done() and one.clock.due == []
    Made().link.bye("nothing to close")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("so\u202elong  now", "solong now"),
        ("", "no reason given"),
        ("y" * 200, "y" * 100),
        ("leaving", "leaving"),
    ],
)
def test_the_other_sides_reason_is_told_in_printable_words(said: str, told: str) -> None:
    @story
    def main() -> None:
        one = Made().prove()
        one.receive(FrameKind.BYE, said.encode())
        assert str(one.link.reason) == f"the other side closed it: {told}"
        assert is_goodbye(one.link.reason) == (said == "leaving") and not is_goodbye(said)

    main()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (None, "the connection was closed"),
        (ConnectionResetError(), "the connection broke (ConnectionResetError)"),
        (OSError("no route"), "the connection broke (no route)"),
        (ValueError("a secret"), "this program has a bug"),
    ],
)
def test_a_connection_that_is_lost_has_a_reason(error: Exception | None, told: str) -> None:
    @story
    def main() -> None:
        one, early = Made().prove(), Made().connect()
        for each in (one, early):
            each.link.connection_lost(error)
            assert each.link.reason == told and each.link.lost.done()
        assert one.owner.told == ["gone"] and early.owner.told == []
        assert isinstance(early.link.proving.exception(), HandshakeRefused)

    main()


@story
def test_a_connection_that_nothing_waits_for_is_closed_unless_it_is_proven() -> None:
    one, early, never = Made().prove(), Made().connect(), Made()
    for each in (one, early, never):
        each.link.abandon()
    assert (one.wire.ended, early.wire.ended, never.wire.ended) == ("", "aborted", "")
    assert early.link.proving.cancelled() and never.link.proving.cancelled()
    assert early.link.reason == never.link.reason == "it did not prove its identity in time"
    early.link.abandon()


# The handshake


@story
def test_a_refusal_is_sent_before_the_connection_ends() -> None:
    refused = stranger("nobody is here")
    one = Made(outcome=Step(b"closed", refusal=refused)).connect()
    one.receive(FrameKind.HELLO)
    assert [each.payload for each in one.wire.frames()] == [b"greeting", b"closed"]
    assert one.wire.ended == "closed" and one.link.proving.exception() is refused
    assert one.link.reason == "nobody is here" and not one.link.is_proven
    one.link.abandon()
    assert one.wire.ended == "closed", "its refusal is still being sent"


@story
def test_a_message_before_the_connection_or_without_a_certificate_is_no_handshake() -> None:
    early = Made()
    early.link._transport = early.wire
    early.receive(FrameKind.HELLO)
    bare = Made(Dialled("bandu.lan", 5304))

    def none(cert: bytes | None) -> Any:
        raise tls.NoCertificate("it showed no certificate")

    bare.link._make_shake = none
    bare.link._certificate = lambda transport: None  # type: ignore[method-assign]
    bare.connect()
    for each in (early, bare):
        refused = each.link.proving.exception()
        assert isinstance(refused, HandshakeRefused) and refused.check == "N01"
        assert each.wire.ended == "aborted" and each.clock.faults == []
    with pytest.raises(TypeError):
        Made().link.connection_made(asyncio.BaseTransport())


@story
def test_what_comes_before_the_connection_is_read_with_it() -> None:
    for split in (9, 512):
        one, hello = Made(), frame(FrameKind.HELLO, b"hello")
        one.link.data_received(hello[:split])
        one.connect()
        one.link.data_received(hello[split:])
        assert one.link.is_proven and one.clock.faults == []


@story
def test_bytes_that_are_no_frame_are_refused_and_nobody_need_ask_why() -> None:
    for proven in (False, True):
        one = Made().prove() if proven else Made().connect()
        one.link.data_received(b"\xff" * 16)
        assert one.wire.ended == "aborted" and "it sent an invalid message" in str(one.link.reason)
        one.link.abandon()
        del one
        gc.collect()  # complains of an exception that nobody has taken


@story
def test_a_fault_of_this_program_is_given_to_the_loop_and_ends_the_link() -> None:
    one = Made().prove()
    one.receive(FrameKind.TALK, b"fault")
    assert one.wire.ended == "aborted" and one.link.reason == "this program has a bug"
    (fault,) = one.clock.faults
    assert isinstance(fault["exception"], KeyError) and fault["protocol"] is one.link
