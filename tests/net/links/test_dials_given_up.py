"""Giving up a dial closes its sockets, however far the dial has come."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import pytest

from p2p304.net.links.connect import reach
from tests.support.loopback import KEYS, Node, node, run, until

ROUNDS = range(20)
"""Rounds of the loop since the first socket was made. After the last of them the link is proven."""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[socket.socket]]:
    """The sockets made in a test; it fails if one of them is open at its end."""
    sockets: list[socket.socket] = []

    class Recorded(socket.socket):
        def __init__(self, *args: int, **kwargs: int | None) -> None:
            super().__init__(*args, **kwargs)  # type: ignore[arg-type]
            sockets.append(self)

    monkeypatch.setattr(socket, "socket", Recorded)
    yield sockets
    assert [one for one in sockets if one.fileno() != -1] == []


async def after(rounds: int, made: list[socket.socket], already: int) -> None:
    """Wait until a dial has made its first socket, and then for some rounds of the loop."""
    while len(made) == already:
        await asyncio.sleep(0)
    for _ in range(rounds):
        await asyncio.sleep(0)


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("count", [1, 3])
def test_an_attempt_at_several_addresses(
    rounds: int, count: int, made: list[socket.socket]
) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as there:
            already = len(made)
            reaching = asyncio.create_task(
                reach((there.getsockname(),) * count, lambda _: None, 0.0)
            )
            await after(rounds, made, already)
            reaching.cancel()
            (outcome,) = await asyncio.gather(reaching, return_exceptions=True)
            if not isinstance(outcome, BaseException):
                outcome.socket.close()

    run(main())


async def given_up(asha: Node, at: tuple[str, int], rounds: int, made: list[socket.socket]) -> None:
    already = len(made)
    dialing = asyncio.create_task(asha.mesh.dial(*at))
    await after(rounds, made, already)
    dialing.cancel()
    await asyncio.gather(dialing, return_exceptions=True)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_dial_of_a_node(rounds: int, made: list[socket.socket]) -> None:
    async def main() -> None:
        async with node(0) as asha, node(1) as bandu:
            await given_up(asha, bandu.at, rounds, made)

    run(main())


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_dial_of_a_computer_that_says_nothing(rounds: int, made: list[socket.socket]) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.2", 0)) as silent:
            async with node(0) as asha:
                await given_up(asha, silent.getsockname(), rounds, made)

    run(main())


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_mesh_that_closes_while_it_dials(rounds: int, made: list[socket.socket]) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.2", 0)) as silent:
            async with node(0) as asha:
                already = len(made)
                asha.mesh.want(KEYS[1].public, *silent.getsockname())
                await after(rounds, made, already)

    run(main())


def test_a_mesh_that_closes_before_a_dial_of_its_caller_ends(made: list[socket.socket]) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.2", 0)) as silent:
            async with node(0) as asha:
                already = len(made)
                dialing = asyncio.create_task(asha.mesh.dial(*silent.getsockname()))
                await after(ROUNDS[-1], made, already)
                async with asyncio.timeout(1.0):
                    await asha.mesh.close()
                dialing.cancel()
                await asyncio.gather(dialing, return_exceptions=True)

    run(main())


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_dial_that_goes_on_after_its_mesh_was_closed_makes_no_link(
    rounds: int, made: list[socket.socket]
) -> None:
    async def main() -> None:
        async with node(1) as bandu, node(0) as asha:
            already = len(made)
            dialing = asyncio.create_task(asha.mesh.dial(*bandu.at))
            await after(rounds, made, already)
            await asha.mesh.close()
            await asyncio.gather(dialing, return_exceptions=True)
            assert not asha.mesh.links
            await until(lambda: not asha.mesh._every and not bandu.mesh.links)

    run(main())
