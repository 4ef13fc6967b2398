"""Whoever asks too much is cut off, and the others do not feel it."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack
from dataclasses import replace

from p2p304.wire.framing import FrameKind
from p2p304.wire.rate_limit import Allowance, RateLimit, RateLimits, network_of
from tests.support.loopback import BRISK, Node, nodes, run, until


def linked(one: Node, other: Node) -> bool:
    return other.key in one.mesh.links and one.key in other.mesh.links


def test_a_bucket_fills_with_time_and_never_overflows() -> None:
    budget = RateLimit(Allowance(4, 2), 0.0)
    assert [budget.take(1, 0.0) for _ in range(5)] == [True] * 4 + [False]
    assert budget.take(2, 1.0) and not budget.take(1, 1.0)
    assert not budget.take(5, 1000.0) and budget.take(4, 1000.0)


def test_a_flood_of_names_is_forgotten_oldest_first() -> None:
    budgets = RateLimits(Allowance(1, 0), 100)
    for number in range(1000):
        assert budgets.take(str(number), 0.0)
    assert len(budgets) == 100 and not budgets.take("999", 0.0)


def test_an_ipv6_neighbour_cannot_pass_for_many() -> None:
    assert network_of("fd00::1") == network_of("fd00::ffff:1") != network_of("fd00:1::1")
    assert network_of("10.0.0.1") != network_of("10.0.0.2")
    assert network_of("fe80::1%3") == network_of("fe80::2")


def test_a_stranger_that_floods_is_cut_off_and_a_member_is_not() -> None:
    async def main() -> None:
        limits = replace(BRISK, stranger_frames=Allowance(50, 1), member_frames=Allowance(500, 1))
        async with nodes(3, limits) as (good, member, stranger):
            await member.mesh.dial(*good.at)
            await stranger.mesh.dial(*good.at)
            await until(lambda: linked(member, good) and linked(stranger, good))
            good.mesh.admit([member.key])
            for _ in range(200):
                member.mesh.send(None, FrameKind.SYNC, b"m")
                stranger.mesh.send(None, FrameKind.SYNC, b"s")
            await until(lambda: good.seen.downs)
            assert good.seen.downs == [(stranger.key, "it sends too many messages")]
            await until(lambda: sum(key == member.key for key, _, _ in good.seen.frames) == 200)

    run(main())


def test_one_address_makes_only_so_many_connections() -> None:
    async def main() -> None:
        limits = replace(BRISK, greetings=Allowance(5, 0))
        async with nodes(1, limits) as (good,):
            closed = 0
            loop = asyncio.get_running_loop()
            with ExitStack() as stack:
                for _ in range(8):
                    coming = stack.enter_context(socket.create_connection(good.at, 1))
                    coming.setblocking(False)
                    try:
                        closed += await asyncio.wait_for(loop.sock_recv(coming, 1), 0.1) == b""
                    except TimeoutError:
                        continue
                    except ConnectionError:
                        closed += 1
            assert closed == 3

    run(main())
