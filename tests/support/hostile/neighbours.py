"""Neighbours who mean harm, as coroutines that go on until they are cancelled.

Each takes the address of a node under attack. They run in a process of their own (``python
python -m tests.support.hostile.neighbours KIND HOST PORT``), so that what they cost is the
machine's and not the node's.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import struct
import sys
from collections.abc import Awaitable, Callable

from p2p304.crypto.signing import SigningKey
from p2p304.net.errors import NetError
from p2p304.net.limits import LIMITS
from p2p304.net.links import tls
from p2p304.net.links.mesh import Mesh
from p2p304.wire.framing import FrameKind

PAUSE = 0.01


async def loris(host: str, port: int) -> None:
    """Many connections that say nothing, or a byte of TLS a second."""
    held: list[asyncio.StreamWriter] = []
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(host, port)
            writer.write(b"\x16")
            held = [*held, writer][-200:]
        await asyncio.sleep(PAUSE)


async def connections(host: str, port: int) -> None:
    """Whole TLS handshakes, as many as there can be."""
    context = tls.client_context()
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(host, port, ssl=context)
            writer.transport.abort()
        await asyncio.sleep(0)


async def frames(host: str, port: int) -> None:
    """A proven stranger that sends without end, and comes again when it is cut off."""
    rng = random.Random(1)
    while True:
        mesh = Mesh(SigningKey.from_seed(rng.randbytes(32)), "Eve", "127.0.0.9", 0, LIMITS)
        await mesh.start()
        with contextlib.suppress(NetError):
            peer = await mesh.dial(host, port)
            while peer in mesh.links:
                for kind in (FrameKind.LOBBY, FrameKind.ENTRY, FrameKind.SYNC, FrameKind.PING):
                    mesh.send(peer, kind, rng.randbytes(60))
                await asyncio.sleep(0)
        await mesh.close()
        await asyncio.sleep(PAUSE)


async def garbage(host: str, port: int) -> None:
    """TLS, and then random bytes."""
    rng, context = random.Random(2), tls.client_context()
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(host, port, ssl=context)
            writer.write(rng.randbytes(4000))
            await writer.drain()
            writer.close()
        await asyncio.sleep(PAUSE)


async def records(host: str, port: int) -> None:
    """mDNS announcements of tables that do not exist, with every kind of name."""
    rng = random.Random(3)
    names = ("\u202eevil", "a\x07b", "x" * 60, "Asha", "\u0e49" * 40)
    sending = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sending.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host))
    while True:
        for _ in range(20):
            packet = _record(rng.randbytes(6).hex(), rng.choice(names))
            with contextlib.suppress(OSError):
                sending.sendto(packet, ("224.0.0.251", 5353))
        await asyncio.sleep(PAUSE)


def _record(instance: str, nick: str) -> bytes:
    """A PTR and a TXT answer (RFC 6763)."""
    service = b"\x07_p2p304\x04_tcp\x05local\x00"
    name = bytes([len(instance)]) + instance.encode() + service
    txt = {"v": "1", "nick": nick, "table": nick, "rules": "pagat", "free": "3", "seats": "4"}
    texts = b"".join(
        bytes([len(entry)]) + entry
        for entry in (f"{key}={value}".encode()[:255] for key, value in txt.items())
    )
    ptr = service + struct.pack("!HHIH", 12, 1, 4500, len(name)) + name
    info = name + struct.pack("!HHIH", 16, 1, 4500, len(texts)) + texts
    return struct.pack("!6H", 0, 0x8400, 0, 2, 0, 0) + ptr + info


ATTACKS: dict[str, Callable[[str, int], Awaitable[None]]] = {
    "loris": loris,
    "connections": connections,
    "frames": frames,
    "garbage": garbage,
    "records": records,
}
__all__ = ["ATTACKS"]

if __name__ == "__main__":

    async def attack() -> None:
        await ATTACKS[sys.argv[1]](sys.argv[2], int(sys.argv[3]))

    asyncio.run(attack())
