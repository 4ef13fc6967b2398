"""The mesh on loopback: linking, one link of two, bad peers, coming back."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.crypto.signing import SigningKey
from p2p304.net.errors import NetError
from p2p304.net.limits import LIMITS
from p2p304.net.links.handshake import Handshake
from p2p304.net.links.link import Link
from p2p304.net.links.mesh import Mesh
from p2p304.wire.framing import BadFrame, FrameKind, FrameReader, frame
from p2p304.wire.rate_limit import Allowance
from tests.support.loopback import BRISK, KEYS, Node, linked, node, nodes, run, until


def raw(node: Node, other: Node, data: bytes) -> None:
    """Send bytes over a proven link that no honest node sends."""
    transport = node.mesh.links[other.key]._transport
    if transport is None:
        raise AssertionError("no link")
    transport.write(data)


# Linking


def test_four_nodes_link_and_talk() -> None:
    async def main() -> None:
        async with nodes(4) as four:
            for one in four:
                for other in four:
                    if one is not other:
                        one.want(other)
            await until(lambda: linked(*four))
            await asyncio.sleep(0.2)
            # Two that dialled each other keep one link, which a busy machine may do late.
            await until(lambda: linked(*four) and all(len(o.mesh._every) == 3 for o in four))
            for one in four:
                one.mesh.send(None, FrameKind.LOBBY, one.key)
            await until(lambda: all(len(one.seen.frames) >= 3 for one in four))
            for one in four:
                others = {(o.key, FrameKind.LOBBY, o.key) for o in four if o is not one}
                assert set(one.seen.frames) == others
                assert len(one.mesh._every) == 3, "no second link stays"

    run(main())


def test_neither_end_of_a_link_holds_a_small_message_back() -> None:
    """Nagle's algorithm would: a receipt and the entry after it then take 40 ms."""

    def sends_at_once(node: Node, other: Node) -> bool:
        transport = node.mesh.links[other.key]._transport
        if transport is None:
            raise AssertionError("no link")
        connection = transport.get_extra_info("socket")
        return bool(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    async def main() -> None:
        async with nodes(2) as (one, other):
            one.want(other)
            await until(lambda: linked(one, other))
            assert sends_at_once(one, other) and sends_at_once(other, one)

    run(main())


def test_ups_and_downs_alternate() -> None:
    """Whoever drives a machine never sees two links to one peer."""

    async def main() -> None:
        async with nodes(2) as (low, high):
            for _ in range(3):
                await asyncio.gather(
                    low.mesh.dial(*high.at), high.mesh.dial(*low.at), return_exceptions=True
                )
            await until(lambda: linked(low, high) and len(low.mesh._every | high.mesh._every) == 2)
            for one in (low, high):
                assert len(one.seen.ups) == len(one.seen.downs) + 1

    run(main())


def test_big_frames_pass_whole() -> None:
    async def main() -> None:
        async with nodes(2) as (asha, bandu):
            await asha.mesh.dial(*bandu.at)
            await until(lambda: linked(asha, bandu))
            payloads = [bytes([n]) * size for n, size in enumerate((0, 1, 65536, 160 * 1024))]
            for payload in payloads:
                bandu.mesh.send(asha.key, FrameKind.EVIDENCE, payload)
            await until(lambda: len(asha.seen.frames) == 4)
            assert [payload for _, _, payload in asha.seen.frames] == payloads
            with pytest.raises(BadFrame):
                bandu.mesh.send(asha.key, FrameKind.SYNC, bytes(5000))

    run(main())


def test_sending_to_nobody_is_dropped() -> None:
    async def main() -> None:
        async with node(0) as only:
            only.mesh.send(KEYS[5].public, FrameKind.SYNC, b"")
            only.mesh.send(None, FrameKind.SYNC, b"")
            only.mesh.hang(KEYS[5].public, "nobody")
            assert not only.mesh.links and not only.seen.downs and only.troubles == []

    run(main())


# Listening


def test_a_port_in_use_is_one_clear_sentence() -> None:
    async def main() -> None:
        async with node(0) as first:
            second = Mesh(KEYS[1], "Late", "127.0.0.1", first.mesh.port)
            with pytest.raises(NetError, match=rf"^Port {first.mesh.port} is in use .*--port"):
                await second.start()
            await second.close()

    run(main())


@pytest.mark.parametrize(
    ("bind", "port"),
    [("198.51.100.7", 0), ("not an address", 0), ("127.0.0.1", 70000), ("x" * 300, 0)],
)
def test_an_address_that_is_not_ours_is_one_clear_sentence(bind: str, port: int) -> None:
    async def main() -> None:
        mesh = Mesh(KEYS[0], "Asha", bind, port)
        with pytest.raises(NetError, match=r"^Cannot listen on .*\.$"):
            await mesh.start()
        await mesh.close()

    run(main())


@pytest.mark.parametrize(
    ("host", "port"), [("127.0.0.250", 1), ("a..b", 4304), ("127.0.0.1", 99999), ("", 1)]
)
def test_an_address_where_nobody_is_is_one_clear_sentence(host: str, port: int) -> None:
    async def main() -> None:
        async with node(0) as only:
            with pytest.raises(NetError, match=r"^Cannot reach .*\.$"):
                await only.mesh.dial(host, port)

    run(main())


def test_an_address_is_told_once_where_nobody_listens() -> None:
    async def main() -> None:
        async with node(0) as only:
            with pytest.raises(NetError) as refused:
                await only.mesh.dial("127.0.0.250", 1)
            assert str(refused.value) == "Cannot reach 127.0.0.250:1: connection refused."

    run(main())


def test_a_player_of_the_table_who_cannot_be_reached_is_told_by_name() -> None:
    async def main() -> None:
        async with node(0) as only:
            told: list[str] = []
            only.mesh.trouble = lambda phrase: told.append(str(phrase))
            only.mesh.nick_of = {KEYS[1].public: "Bandu"}.get  # type: ignore[assignment]
            only.mesh.want(KEYS[1].public, "127.0.0.250", 1)
            while not told:
                await asyncio.sleep(0.01)
            assert told[0] == "Cannot reach Bandu: connection refused."

    run(main())


def test_that_a_program_has_ended_is_not_told_beside_its_lost_link() -> None:
    async def main() -> None:
        async with node(0) as here:
            told, tried = list[str](), list[bytes]()
            here.mesh.trouble = lambda phrase: told.append(str(phrase))
            here.mesh.nick_of = lambda key: tried.append(key) or "Bandu"  # type: ignore[func-returns-value]
            async with node(1) as other:
                here.mesh.want(other.key, *other.at)
                await until(lambda: linked(here, other))
            await until(lambda: here.seen.downs)
            tried.clear()
            await until(lambda: len(tried) >= 2)
            assert told == []

    run(main())


def test_that_a_program_is_still_being_started_is_not_told() -> None:
    async def main() -> None:
        async with node(0) as here:
            told, tried = list[str](), list[bytes]()
            here.mesh.trouble = lambda phrase: told.append(str(phrase))
            here.mesh.nick_of = lambda key: tried.append(key) or "Kamala"  # type: ignore[func-returns-value]
            here.mesh.is_starting = lambda key: key == KEYS[1].public
            here.mesh.want(KEYS[1].public, "127.0.0.250", 1)
            await until(lambda: len(tried) >= 2)
            assert told == []

    run(main())


def test_a_player_of_the_table_who_is_in_the_lobby_is_told_so() -> None:
    async def main() -> None:
        async with node(0) as here, node(1) as lobby:
            told: list[str] = []
            here.mesh.trouble = lambda phrase: told.append(str(phrase))
            here.mesh.nick_of = {KEYS[1].public: "Bandu"}.get  # type: ignore[assignment]
            lobby.mesh.admits = lambda dialer: False
            here.mesh.want(KEYS[1].public, lobby.mesh.bind, lobby.mesh.port)
            while not told:
                await asyncio.sleep(0.01)
            assert told[0] == (
                "p2p304 runs at the address of Bandu, but not at this table. "
                "Ask Bandu to resume it or, if the table is over, for its transcript: "
                "p2p304 resume --ended FILE."
            )

    run(main())


@pytest.mark.parametrize("plays", [False, True])
def test_that_a_stranger_asked_who_plays_is_told_only_where_somebody_plays(plays: bool) -> None:
    """Where nobody does, it is a player who waits for the table to be opened again."""

    async def main() -> None:
        async with node(0) as guest, node(1) as lobby:
            told: list[str] = []
            lobby.mesh.trouble = lambda phrase: told.append(str(phrase))
            lobby.mesh.admits = lambda dialer: False
            lobby.mesh.admit([KEYS[2].public] if plays else [])
            with pytest.raises(NetError):
                await guest.mesh.dial(lobby.mesh.bind, lobby.mesh.port)
            for _ in range(50):
                await asyncio.sleep(0.002)
            assert [text.endswith("asked who plays here.") for text in told] == [True] * plays

    run(main())


def test_a_nickname_that_nobody_would_take_is_refused_at_once() -> None:
    with pytest.raises(NetError, match="nickname"):
        Mesh(KEYS[0], "a\u202eb", "127.0.0.1", 0)


def test_ipv6() -> None:
    async def main() -> None:
        if not socket.has_ipv6:
            pytest.skip("no IPv6 here")
        asha, bandu = (Mesh(KEYS[n], "Node", "::1", 0, BRISK) for n in (0, 1))
        try:
            await asha.start()
            await bandu.start()
            assert await asha.dial("::1", bandu.port) == KEYS[1].public
        except (NetError, OSError) as error:
            if "cannot listen" in str(error).lower():
                pytest.skip("no IPv6 here")
            raise
        finally:
            await asha.close()
            await bandu.close()

    run(main())


# Bad peers


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff" * 16, "invalid message"),
        (b"\0\0\0\0", "invalid message"),
        (frame(FrameKind.HELLO, b"again"), "invalid message"),
        ((5001).to_bytes(4, "big") + bytes([FrameKind.SYNC]), "invalid message"),
        (frame(FrameKind.PONG, b"unasked!"), "not asked"),
        (frame(FrameKind.SYNC, b"half")[:-9], "incomplete message"),
        (frame(FrameKind.BYE, "so\u202elong".encode()), "closed it: solong"),
    ],
)
def test_a_bad_peer_is_cut_off_and_the_others_are_not(data: bytes, reason: str) -> None:
    async def main() -> None:
        # No heartbeat mends the half frame by completing it.
        async with nodes(3, replace(BRISK, heartbeat=60.0)) as (bad, good, other):
            await bad.mesh.dial(*good.at)
            await other.mesh.dial(*good.at)
            await until(lambda: linked(bad, good) and linked(good, other))
            raw(bad, good, data)
            await until(lambda: good.seen.downs)
            assert good.seen.downs[0][0] == bad.key
            assert reason in good.seen.downs[0][1]
            other.mesh.send(good.key, FrameKind.SYNC, b"still here")
            await until(lambda: good.seen.frames)
            assert linked(good, other)

    run(main())


WHERE_A_FAULT_MAY_BE = {
    "framing": (FrameReader, "take"),
    "handshake": (Handshake, "receive"),
    "listener": (Mesh, "frame"),
    "certificate": (Link, "_certificate"),
}


@pytest.mark.parametrize("place", WHERE_A_FAULT_MAY_BE)
def test_a_fault_of_this_program_closes_one_link_with_a_sentence(
    place: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever raises while bytes of one peer are read: the others stay, and the exception goes
    to the program's handler and into no sentence."""

    def broken(*_: object) -> Any:
        raise KeyError("a secret")

    async def main() -> None:
        faults: list[object] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: faults.append(context.get("exception"))
        )
        async with nodes(3) as (good, other, bad):
            await other.mesh.dial(*good.at)
            if place == "listener":
                await bad.mesh.dial(*good.at)
            await until(lambda: linked(other, good) and linked(bad, good) == (place == "listener"))
            with monkeypatch.context() as patch:
                patch.setattr(*WHERE_A_FAULT_MAY_BE[place], broken)
                if place == "listener":
                    bad.mesh.send(good.key, FrameKind.SYNC, b"x")
                    await until(lambda: good.seen.downs)
                else:
                    with pytest.raises(NetError):
                        await bad.mesh.dial(*good.at)
            sentences = [*good.troubles, *bad.troubles, *(why for _, why in good.seen.downs)]
            assert all("secret" not in each and "Error" not in each for each in sentences)
            assert linked(good, other) and not linked(good, bad)
            other.mesh.send(good.key, FrameKind.SYNC, b"still here")
            await until(lambda: good.seen.frames)
            gc.collect()
            assert any(isinstance(each, KeyError) for each in faults)

    run(main())
    assert "Traceback" not in capfd.readouterr().err


def test_a_peer_that_never_reads_is_cut_off_and_the_others_are_not() -> None:
    async def main() -> None:
        limits = replace(BRISK, send_buffer=300_000, heartbeat=30.0)
        async with nodes(3, limits) as (deaf, good, other):
            await deaf.mesh.dial(*good.at)
            await other.mesh.dial(*good.at)
            await until(lambda: linked(deaf, good) and linked(good, other))
            transport = deaf.mesh.links[good.key]._transport
            if transport is None:
                raise AssertionError("no link")
            transport.pause_reading()
            for _ in range(400):
                good.mesh.send(None, FrameKind.ENTRY, bytes(60_000))
                await asyncio.sleep(0)
                if good.seen.downs:
                    break
                await until(lambda: True)
            await until(lambda: good.seen.downs)
            assert good.seen.downs == [(deaf.key, "it does not read our messages")]
            assert linked(good, other)

    run(main())


def test_a_peer_that_is_silent_is_found_out() -> None:
    """It reads nothing and answers no heartbeat: as after a cut cable."""

    async def main() -> None:
        async with nodes(2) as (deaf, good):
            deaf.mesh.limits = LIMITS  # patient: it must not be the one that gives up first
            await deaf.mesh.dial(*good.at)
            await until(lambda: linked(deaf, good))
            transport = deaf.mesh.links[good.key]._transport
            if transport is None:
                raise AssertionError("no link")
            transport.pause_reading()
            await until(lambda: good.seen.downs)
            assert good.seen.downs[0] == (deaf.key, "it stopped answering")

    run(main())


def test_a_quiet_link_lives_on() -> None:
    async def main() -> None:
        async with nodes(2) as (asha, bandu):
            await asha.mesh.dial(*bandu.at)
            await until(lambda: linked(asha, bandu))
            await asyncio.sleep(2.5 * BRISK.silence)
            assert linked(asha, bandu)
            assert not asha.seen.downs and not bandu.seen.downs
            assert not asha.seen.frames, "heartbeats are not told"

    run(main())


def test_a_frame_that_comes_byte_by_byte_is_cut_off() -> None:
    async def main() -> None:
        async with nodes(2, replace(BRISK, heartbeat=60.0)) as (slow, good):
            await slow.mesh.dial(*good.at)
            await until(lambda: linked(slow, good))
            data = frame(FrameKind.ENTRY, bytes(60_000))
            for at in range(400):
                if good.seen.downs:
                    break
                raw(slow, good, data[at : at + 1])
                await asyncio.sleep(0.01)
            assert "incomplete message" in good.seen.downs[0][1]

    run(main())


# Strangers


def test_silent_strangers_make_room_oldest_first() -> None:
    async def main() -> None:
        limits = replace(BRISK, strangers=6, strangers_per_address=3, handshake=30.0)
        async with nodes(2, limits) as (good, guest):
            crowd = []
            for n in range(12):
                sock = socket.create_connection(good.at, source_address=(f"127.0.1.{n % 4 + 1}", 0))
                sock.setblocking(False)
                crowd.append(sock)
                await until(lambda: good.mesh._strangers.count >= min(len(crowd), 6))
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            assert good.mesh._strangers.count == 6
            gone = [is_closed(sock) for sock in crowd]
            assert gone == [True] * 6 + [False] * 6
            await guest.mesh.dial(*good.at)
            await until(lambda: linked(good, guest))
            for sock in crowd:
                sock.close()

    run(main())


def test_one_address_has_only_its_share() -> None:
    async def main() -> None:
        limits = replace(BRISK, strangers=6, strangers_per_address=2, handshake=30.0)
        async with node(0, limits) as good:
            other = socket.create_connection(good.at, source_address=("127.0.1.9", 0))
            crowd = [socket.create_connection(good.at) for _ in range(5)]
            await until(lambda: good.mesh._strangers.count == 3)
            await asyncio.sleep(0.1)
            for sock in (other, *crowd):
                sock.setblocking(False)
            assert [is_closed(sock) for sock in crowd] == [True] * 3 + [False] * 2
            assert not is_closed(other)
            for sock in (other, *crowd):
                sock.close()

    run(main())


def test_a_stranger_that_says_nothing_is_sent_away() -> None:
    async def main() -> None:
        async with node(0, replace(BRISK, handshake=0.1)) as good:
            sock = socket.create_connection(good.at)
            sock.setblocking(False)
            await until(lambda: is_closed(sock))
            await until(lambda: good.mesh._strangers.count == 0)
            assert "too slow" in good.troubles[0]
            sock.close()

    run(main())


def is_closed(sock: socket.socket) -> bool:
    try:
        return sock.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_links_have_a_limit_but_wanted_peers_are_let_in() -> None:
    async def main() -> None:
        async with nodes(4, replace(BRISK, links=1)) as (good, first, second, wanted):
            await first.mesh.dial(*good.at)
            await until(lambda: linked(good, first))
            await second.mesh.dial(*good.at)
            await until(lambda: second.seen.downs)
            assert "too many connections" in second.seen.downs[0][1]
            good.want(wanted)
            await until(lambda: linked(good, wanted))
            assert linked(good, first)

    run(main())


def strangers_at(address: str, count: int) -> list[Mesh]:
    return [
        Mesh(SigningKey.from_seed(bytes([99, n]) * 16), f"Eve{n}", address, 0, BRISK)
        for n in range(count)
    ]


def test_an_address_has_only_its_share_of_links() -> None:
    """However many identities a machine makes, another machine's find a place."""

    async def main() -> None:
        limits = replace(BRISK, links=6, links_per_address=3)
        async with nodes(2, limits) as (good, friend):
            eves = strangers_at("127.0.0.66", 8)
            for eve in eves:
                await eve.start()
                with contextlib.suppress(NetError):
                    await eve.dial(*good.at)
            await until(lambda: len(good.mesh.links) == 3)
            assert any("3 connections come from 127.0.0.66" in told for told in good.troubles)
            await friend.mesh.dial(*good.at)
            await until(lambda: linked(good, friend))
            for eve in eves:
                await eve.close()

    run(main())


def test_places_are_kept_for_players_who_were_met() -> None:
    """Strangers of many addresses hold all the others."""

    async def main() -> None:
        limits = replace(BRISK, links=4, links_kept=1, links_per_address=2)
        async with nodes(4, limits) as (good, friend, second, other):
            good.mesh.known = {friend.key, second.key}.__contains__
            eves = [
                *strangers_at("127.0.0.66", 2),
                *(
                    Mesh(SigningKey.from_seed(bytes([98, n]) * 16), "Eve", "127.0.0.67", 0, BRISK)
                    for n in range(2)
                ),
            ]
            for eve in eves:
                await eve.start()
                await eve.dial(*good.at)
            await until(lambda: len(good.mesh.links) == 4)
            await other.mesh.dial(*good.at)
            await until(lambda: other.seen.downs)
            assert "too many connections here" in other.seen.downs[0][1]
            assert any("do not play here" in told for told in good.troubles)
            await friend.mesh.dial(*good.at)
            await until(lambda: linked(good, friend))
            await second.mesh.dial(*good.at)
            await until(lambda: second.seen.downs)
            for eve in eves:
                await eve.close()

    run(main())


# Coming and going


def test_a_peer_is_shut_out_for_a_while_and_forgotten_after_it() -> None:
    async def main() -> None:
        async with node(0) as one:
            one.mesh.hang(KEYS[1].public, "no", 0.001)
            one.mesh.hang(KEYS[2].public, "no", 60.0)
            await asyncio.sleep(0.01)
            one.mesh.hang(KEYS[3].public, "no")
            assert set(one.mesh._shut_out) == {KEYS[2].public}

    run(main())


def test_hanging_up_tells_why_and_ends_dialling() -> None:
    async def main() -> None:
        async with nodes(2) as (asha, bandu):
            asha.want(bandu)
            await until(lambda: linked(asha, bandu))
            asha.mesh.hang(bandu.key, "you have been told")
            assert asha.seen.downs == [(bandu.key, "you have been told")]
            await until(lambda: bandu.seen.downs)
            assert bandu.seen.downs[0][1] == "the other side closed it: you have been told"
            await asyncio.sleep(0.3)
            assert not asha.mesh.links

    run(main())


def test_a_wanted_peer_that_is_not_there_yet_is_found_when_it_comes() -> None:
    async def main() -> None:
        async with node(0) as asha:
            with socket.socket() as reserved:
                reserved.bind(("127.0.0.2", 0))
                port = reserved.getsockname()[1]
            asha.mesh.want(KEYS[1].public, "127.0.0.2", port)
            await until(lambda: len(asha.troubles) >= 3)
            async with node(1, port=port) as bandu:
                await until(lambda: linked(asha, bandu))

    run(main())


def test_a_peer_that_comes_back_is_found_again() -> None:
    async def main() -> None:
        async with node(0) as asha:
            async with node(1) as bandu:
                asha.want(bandu)
                await until(lambda: linked(asha, bandu))
                port = bandu.mesh.port
            await until(lambda: asha.seen.downs)
            assert asha.seen.downs[0][1] == "the other side closed it: leaving"
            async with node(1, port=port) as again:
                await until(lambda: linked(asha, again))
            assert len(asha.seen.ups) == 2

    run(main())


def test_somebody_else_at_a_wanted_address_is_not_linked() -> None:
    async def main() -> None:
        async with node(0) as asha, node(1) as other:
            asha.mesh.want(KEYS[6].public, *other.at)
            await until(lambda: len(asha.troubles) >= 2)
            assert "another player answers" in asha.troubles[0]
            assert not asha.mesh.links

    run(main())


def test_a_new_address_replaces_the_old_one() -> None:
    async def main() -> None:
        async with nodes(2) as (asha, bandu):
            asha.mesh.want(bandu.key, "127.0.0.250", 1)
            await until(lambda: asha.troubles)
            asha.want(bandu)
            await until(lambda: linked(asha, bandu))
            asha.want(bandu)
            assert len(asha.mesh._wanted) == 1

    run(main())


def test_closing_with_everything_under_way_leaves_nothing() -> None:
    async def main() -> None:
        async with nodes(3) as (asha, bandu, chitra):
            asha.want(bandu)
            asha.mesh.want(KEYS[7].public, "127.0.0.250", 1)
            chitra.want(asha)
            await until(lambda: linked(asha, bandu))
            half = socket.create_connection(asha.at)
            await asha.mesh.close()
            assert not asha.mesh._every
            half.close()
            with pytest.raises(OSError):
                socket.create_connection(asha.at)

    run(main())


@given(st.floats(0.0, 1.0))
def test_the_promise_of_three_seconds(at: float) -> None:
    """Worst case: the path heals just after an attempt has begun; its first packet is lost and
    sent again after 1 s at the earliest, or the attempt is given up and the next one begins."""
    given_up = LIMITS.redial - at * LIMITS.redial
    assert given_up + LIMITS.redial_most <= 3.0


def test_a_member_that_links_may_send_more_than_a_stranger_from_the_start() -> None:
    async def main() -> None:
        limits = replace(BRISK, stranger_frames=Allowance(50, 1), member_frames=Allowance(500, 1))
        async with nodes(3, limits) as (good, member, stranger):
            good.mesh.admit([member.key])
            for other in (member, stranger):
                await other.mesh.dial(*good.at)
            await until(lambda: {member.key, stranger.key} <= set(good.mesh.links))
            for _ in range(200):
                member.mesh.send(None, FrameKind.SYNC, b"m")
                stranger.mesh.send(None, FrameKind.SYNC, b"s")
            await until(lambda: good.seen.downs)
            await until(lambda: sum(key == member.key for key, _, _ in good.seen.frames) == 200)
            assert good.seen.downs == [(stranger.key, "it sends too many messages")]

    run(main())
