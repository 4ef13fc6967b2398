"""Closing the listening socket while connections arrive."""

from __future__ import annotations

import asyncio
import contextlib
import socket

import pytest

from p2p304.net.links.unproven import UnprovenLinks
from tests.support.loopback import BRISK


@pytest.mark.parametrize("rounds", range(6))
def test_closing_leaves_no_connection_open_however_far_it_has_come(rounds: int) -> None:
    """Also those count that are accepted in the very round of the loop in which it closes."""

    async def greet(transport: asyncio.Transport, address: str) -> None:
        try:
            await asyncio.sleep(60.0)
        finally:
            transport.abort()

    async def main() -> None:
        links = UnprovenLinks(greet, BRISK)
        port = await links.listen("127.0.0.1", 0)
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.settimeout(1.0)
            for _ in range(rounds):
                await asyncio.sleep(0)
            await links.close()
            with contextlib.suppress(ConnectionResetError):
                assert client.recv(1) == b""

    asyncio.run(main())
