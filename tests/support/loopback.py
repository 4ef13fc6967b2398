"""Real sockets on loopback for the tests of net/: nodes, recorders, waiting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from p2p304.crypto.signing import SigningKey
from p2p304.net.errors import Reason
from p2p304.net.limits import LIMITS, Limits
from p2p304.net.links.mesh import Mesh
from p2p304.wire.framing import FrameKind

BRISK = replace(
    LIMITS,
    handshake=2.0,
    dial=2.0,
    redial=0.5,
    redial_first=0.02,
    redial_most=0.1,
    settled=0.3,
    heartbeat=0.1,
    silence=0.4,
    half_frame=0.4,
    close=0.3,
    watch=0.03,
    stranger_frames=LIMITS.member_frames,
    stranger_bytes=LIMITS.member_bytes,
)
"""Patience of tenths of seconds, so that tests of patience are short."""

KEYS = sorted((SigningKey.from_seed(bytes([n]) * 32) for n in range(1, 9)), key=lambda k: k.public)
"""Identities in ascending order of their public keys."""


@dataclass
class Recorder:
    """A mesh's listener that writes everything down."""

    ups: list[bytes] = field(default_factory=list)
    downs: list[tuple[bytes, str]] = field(default_factory=list)
    frames: list[tuple[bytes, FrameKind, bytes]] = field(default_factory=list)

    def on_up(self, peer: bytes, nick: str, host: str, port: int) -> None:
        self.ups.append(peer)

    def on_down(self, peer: bytes, reason: Reason) -> None:
        self.downs.append((peer, str(reason)))

    def on_frame(self, peer: bytes, kind: FrameKind, payload: bytes) -> None:
        self.frames.append((peer, kind, payload))


@dataclass
class Node:
    mesh: Mesh
    seen: Recorder
    troubles: list[str]

    @property
    def key(self) -> bytes:
        return self.mesh.key.public

    @property
    def at(self) -> tuple[str, int]:
        return self.mesh.bind, self.mesh.port

    def want(self, other: Node) -> None:
        self.mesh.want(other.key, *other.at)


@asynccontextmanager
async def node(
    number: int, limits: Limits = BRISK, port: int = 0, key: SigningKey | None = None
) -> AsyncIterator[Node]:
    """The ``number``-th node, on 127.0.0.``number + 1``, with the number-th lowest key."""
    mesh = Mesh(key or KEYS[number], f"Node{number}", f"127.0.0.{number + 1}", port, limits)
    made = Node(mesh, Recorder(), [])
    mesh.listener = made.seen
    mesh.trouble = lambda phrase: made.troubles.append(str(phrase))
    await mesh.start()
    try:
        yield made
    finally:
        await mesh.close()


@asynccontextmanager
async def nodes(count: int, limits: Limits = BRISK) -> AsyncIterator[list[Node]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(node(n, limits)) for n in range(count)]


async def until(condition: Callable[[], Any], patience: float = 20.0) -> None:
    """Wait until something is so; the patience only ends a test that fails. It is less than the 30
    seconds that tests set where a node must not wait."""
    async with asyncio.timeout(patience):
        while not condition():
            await asyncio.sleep(0.005)


def run(main: Coroutine[Any, Any, None]) -> None:
    """As asyncio.run, but an error that nobody took fails the test."""
    errors: list[str] = []

    async def watched() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: errors.append(str(context)))
        await main

    asyncio.run(watched())
    if errors:
        raise AssertionError(errors)


def linked(*members: Node) -> bool:
    """Whether each of these nodes has a link to each other one."""
    return all(
        one.key in other.mesh.links and other.key in one.mesh.links
        for one, other in combinations(members, 2)
    )
