"""Dialling a peer: which addresses, when, and how soon again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from p2p304.net.links.connect import Address
from p2p304.net.links.redialer import Redialer
from tests.support.loopback import BRISK, run, until

LIMITS = replace(BRISK, redial_first=0.01, redial_most=0.64, settled=0.05)
HOME, OTHER = ("10.0.0.1", 1), ("10.0.0.2", 2)


def wanting(
    story: Callable[[Redialer, list[tuple[Address, ...]]], Coroutine[Any, Any, None]],
    linked: bool = False,
    slow: float = 0.0,
) -> None:
    """A peer whose attempts are noted and come to nothing after ``slow`` seconds."""
    tried: list[tuple[Address, ...]] = []

    async def dial(addresses: tuple[Address, ...]) -> None:
        tried.append(addresses)
        await asyncio.sleep(slow)

    async def main() -> None:
        wanted = Redialer(LIMITS, dial, linked)
        try:
            await story(wanted, tried)
        finally:
            await asyncio.gather(wanted.cancel(), return_exceptions=True)

    run(main())


def test_a_link_that_replaces_another_is_not_dialled_again() -> None:
    async def story(wanted: Redialer, tried: list[tuple[Address, ...]]) -> None:
        await asyncio.sleep(0)
        wanted.lost()
        wanted.linked(*HOME)
        for _ in range(5):
            await asyncio.sleep(0)
        assert tried == []
        wanted.lost()
        await until(lambda: tried)

    wanting(story, linked=True)


def test_after_a_good_link_made_by_the_other_side_pauses_are_short_again() -> None:
    async def story(wanted: Redialer, tried: list[tuple[Address, ...]]) -> None:
        wanted.add(*HOME)
        await until(lambda: len(tried) >= 6)  # the next pause is 0.64 s
        wanted.linked(*HOME)
        await asyncio.sleep(0.7)
        before = len(tried)
        wanted.lost()
        async with asyncio.timeout(1.5):  # with long pauses it would take 1.9 s
            await until(lambda: len(tried) >= before + 4)

    wanting(story)


def test_after_a_new_address_pauses_are_short_again() -> None:
    async def story(wanted: Redialer, tried: list[tuple[Address, ...]]) -> None:
        wanted.add(*HOME)
        await until(lambda: len(tried) >= 6)  # the next pause is 0.64 s
        before = len(tried)
        wanted.add(*OTHER)
        async with asyncio.timeout(1.5):  # with long pauses it would take 1.9 s
            await until(lambda: len(tried) >= before + 4)

    wanting(story)


def test_where_the_peer_has_been_is_tried_first_and_never_pushed_out() -> None:
    async def story(wanted: Redialer, tried: list[tuple[Address, ...]]) -> None:
        wanted.add(*OTHER)
        wanted.linked(*HOME)
        for number in range(100):
            wanted.add(f"10.6.6.{number}", 6)
        assert len(wanted.addresses) == LIMITS.addresses
        assert wanted.addresses[:2] == (HOME, ("10.6.6.99", 6))
        wanted.linked(*OTHER)
        assert wanted.addresses[:2] == (OTHER, HOME)

    wanting(story)


def test_an_address_told_meanwhile_does_not_wait_for_the_old_ones() -> None:
    async def story(wanted: Redialer, tried: list[tuple[Address, ...]]) -> None:
        wanted.add(*HOME)
        await until(lambda: tried)
        wanted.add(*OTHER)
        async with asyncio.timeout(4.0):
            await until(lambda: len(tried) == 2)
        assert tried[1] == (OTHER,)

    wanting(story, slow=5.0)
