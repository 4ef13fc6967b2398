"""Lists the machines that speak mDNS on this network, for `p2p304 doctor`.

Responsible for sending one question and collecting the senders of answers. It trusts and keeps
nothing of the answers; tables are discovery.py's.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import struct
from collections.abc import Sequence

from p2p304.net.errors import NetError
from p2p304.net.links.connect import why
from p2p304.rules.core.phrases import say

GROUP, PORT = "224.0.0.251", 5353
QUESTION = (
    struct.pack("!6H", 0, 0, 1, 0, 0, 0)
    + b"\x09_services\x07_dns-sd\x04_udp\x05local\x00"
    + struct.pack("!2H", 12, 1)
)
"""RFC 6763, section 9: which services are there?"""
MOST = 256


class _AnswerCollector(asyncio.DatagramProtocol):
    def __init__(self) -> None:
        self.heard: set[str] = set()

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        if len(self.heard) < MOST:
            self.heard.add(addr[0])


async def hear(addresses: Sequence[str], seconds: float) -> list[str]:
    """Return the IPv4 addresses that sent anything to the mDNS group within this time, this
    machine's included (a machine that does not hear itself cannot multicast). Raises NetError."""
    loop = asyncio.get_running_loop()
    ear = _AnswerCollector()
    try:
        listening = _joined(addresses)
    except OSError as error:
        raise NetError(
            say(
                "Cannot search for tables (mDNS, UDP port {port}): {why}.",
                port=PORT,
                why=why(error),
            )
        ) from error
    transport, _ = await loop.create_datagram_endpoint(lambda: ear, sock=listening)
    try:
        for address in addresses:
            _ask(address)
        await asyncio.sleep(seconds)
    finally:
        transport.close()
    return sorted(ear.heard)


def _joined(addresses: Sequence[str]) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind(("", PORT))
        for address in addresses:
            member = socket.inet_aton(GROUP) + socket.inet_aton(address)
            try:
                listening.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
            except OSError as error:
                # Another address of the same interface has joined already.
                if error.errno != errno.EADDRINUSE:
                    raise
    except OSError:
        listening.close()
        raise
    return listening


def _ask(address: str) -> None:
    """Send the question through one interface. One that cannot send stays silent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            asking.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            asking.bind((address, PORT))
            asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
            asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
            asking.sendto(QUESTION, (GROUP, PORT))
        except OSError:
            return
