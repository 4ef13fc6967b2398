"""Of two links to one peer, which stays and when."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from p2p304.crypto.signing import SigningKey
from p2p304.net.links.link import Link
from p2p304.wire.framing import FrameKind
from tests.support.loopback import BRISK, KEYS, linked, node, nodes, run, until


@pytest.mark.parametrize("round_", range(4))
def test_of_two_simultaneous_dials_both_keep_the_one_of_the_lower_key(round_: int) -> None:
    async def main() -> None:
        async with nodes(2) as (low, high):
            await asyncio.gather(
                low.mesh.dial(*high.at), high.mesh.dial(*low.at), return_exceptions=True
            )
            await until(lambda: linked(low, high) and len(low.mesh._every | high.mesh._every) == 2)
            assert low.mesh.links[high.key].dialled is not None
            assert high.mesh.links[low.key].dialled is None
            low.mesh.send(None, FrameKind.ENTRY, b"after")
            await until(lambda: high.seen.frames)

    run(main())


@pytest.mark.parametrize("first", ["low", "high"])
def test_the_order_of_two_dials_does_not_matter(first: str) -> None:
    async def main() -> None:
        async with nodes(2) as (low, high):
            order = (low, high) if first == "low" else (high, low)
            for one, other in (order, order[::-1]):
                await one.mesh.dial(*other.at)
                await until(lambda: linked(low, high))
            await until(lambda: len(low.mesh._every) == len(high.mesh._every) == 1)
            assert low.mesh.links[high.key].dialled is not None

    run(main())


def test_of_two_dials_of_one_side_the_newer_stays() -> None:
    async def main() -> None:
        async with nodes(2) as (low, high):
            for one, other in ((low, high), (high, low)):
                await one.mesh.dial(*other.at)
                await until(lambda: linked(low, high))
                old = one.mesh.links[other.key]
                await one.mesh.dial(*other.at)
                await until(old.lost.done)
                await until(lambda: linked(low, high))
                one.mesh.hang(other.key, "next")
                await until(lambda: not low.mesh.links and not high.mesh.links)

    run(main())


def test_an_identity_on_two_machines_is_told() -> None:
    async def main() -> None:
        async with nodes(1) as (good,):
            key = SigningKey.from_seed(bytes([97]) * 32)
            async with node(67, key=key) as first, node(68, key=key) as second:
                first.want(good)
                second.want(good)
                await until(lambda: any("on two computers" in told for told in good.troubles))

    run(main())


@pytest.mark.parametrize("elder", [0.0, 60.0])
def test_a_false_address_of_a_linked_peer_costs_no_link(elder: float) -> None:
    async def main() -> None:
        async with nodes(2, replace(BRISK, elder=elder)) as (asha, bandu):
            await asha.mesh.dial(*bandu.at)
            await until(lambda: linked(asha, bandu))
            asha.mesh.want(KEYS[6].public, *bandu.at)
            await until(lambda: len(asha.troubles) >= 3)
            assert "another player answers" in asha.troubles[0]
            assert asha.seen.downs == bandu.seen.downs == []
            await until(lambda: not bandu.mesh._kept._next)
            asha.mesh.send(bandu.key, FrameKind.ENTRY, b"still here")
            await until(lambda: bandu.seen.frames)

    run(main())


def test_a_link_whose_dialer_says_nothing_serves_once_the_older_one_ends() -> None:
    async def main() -> None:
        async with nodes(2, replace(BRISK, elder=0.0)) as (asha, bandu):
            await asha.mesh.dial(*bandu.at)
            await until(lambda: linked(asha, bandu))
            old, silent = bandu.mesh.links[asha.key], Link._take
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(
                    Link,
                    "_take",
                    lambda link, whole: (
                        silent(link, whole) if whole.kind is FrameKind.HELLO else None
                    ),
                )
                await asha.mesh.dial(*bandu.at)
                await until(lambda: bandu.mesh.links.get(asha.key) is not old)
                assert old.lost.done() and linked(asha, bandu) and not bandu.mesh._kept._next

    run(main())


def test_a_link_that_is_dead_without_knowing_gives_way() -> None:
    """The peer's machine lost its power and is back: its new link is refused once, the old one
    is asked whether it lives, does not answer, and the next attempt succeeds."""

    async def main() -> None:
        limits = replace(BRISK, heartbeat=60.0)
        async with node(0, limits) as low, node(1, limits) as high:
            await low.mesh.dial(*high.at)
            await until(lambda: linked(low, high))
            dead = low.mesh.links[high.key]
            frozen = high.mesh.links.pop(low.key)
            frozen.data_received = lambda data: None  # type: ignore[method-assign]
            high.want(low)
            await until(lambda: dead.lost.done())
            await until(lambda: linked(low, high))
            assert dead.reason == "it stopped answering"

    run(main())
