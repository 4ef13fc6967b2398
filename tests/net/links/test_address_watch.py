"""Links of which one side is dead: found out soon, and the newer link wins."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from ipaddress import ip_interface

import pytest

from p2p304.net.links import address_watch
from tests.support.loopback import BRISK, linked, node, nodes, run, until


def test_a_link_on_an_address_that_is_gone_is_cut_and_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As if 127.0.0.1 were the address of a network card that gets another one."""
    here = {"127.0.0.1/8", "127.0.0.2/8"}
    monkeypatch.setattr(
        address_watch, "own_interfaces", lambda: [ip_interface(one) for one in here]
    )
    monkeypatch.setattr(address_watch, "_is_loopback", lambda address: False)

    async def main() -> None:
        async with nodes(2, replace(BRISK, look_around=0.02)) as (low, high):
            low.want(high)
            await until(lambda: linked(low, high))
            await asyncio.sleep(0.05)
            assert not low.seen.downs
            here.discard("127.0.0.1/8")
            await until(lambda: low.seen.downs)
            assert low.seen.downs == [(high.key, address_watch.MOVED)]
            await until(lambda: len(low.seen.ups) == 2 and linked(low, high))

    run(main())


@pytest.mark.parametrize("dead", ["low", "high"])
def test_an_old_link_gives_way_to_a_new_one_whoever_dialled(dead: str) -> None:
    """The side that stays knows nothing of the end: it would ask the dead link first."""

    async def main() -> None:
        patient = replace(BRISK, elder=0.05, silence=30.0, doubt=30.0, heartbeat=30.0)
        async with nodes(2, patient) as (low, high):
            await low.mesh.dial(*high.at)
            await until(lambda: linked(low, high))
            await asyncio.sleep(0.1)
            back, stays = (low, high) if dead == "low" else (high, low)
            old = back.mesh.links.pop(stays.key)
            await back.mesh.dial(*stays.at)
            await until(lambda: linked(low, high))
            await until(lambda: stays.mesh.links[back.key].dialled is None)
            await until(old.lost.done)

    run(main())


def test_a_doubtful_link_has_less_time_to_answer() -> None:
    async def main() -> None:
        async with nodes(2, replace(BRISK, heartbeat=30.0, silence=30.0)) as (low, high):
            await low.mesh.dial(*high.at)
            await until(lambda: linked(low, high))
            deaf = high.mesh.links[low.key]._transport
            assert deaf is not None
            deaf.pause_reading()
            low.mesh.links[high.key].probe(0.1)
            async with asyncio.timeout(10.0):
                await until(lambda: low.seen.downs)
            assert low.seen.downs[0][1] == "it stopped answering"

    run(main())


def test_who_answers_at_a_told_address_does_not_keep_the_peer_away() -> None:
    async def main() -> None:
        async with nodes(2) as (low, high), node(2) as stranger:
            low.mesh.want(high.key, *high.at)
            low.mesh.want(high.key, *stranger.at)
            await until(lambda: linked(low, high), 1.5)

    run(main())
