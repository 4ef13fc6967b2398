"""Asks the addresses of the own network, one after the other, whether a table is at a port.

Responsible for which addresses are asked, at most 254 of each of two networks, and for not asking
fast: it is what a person does by hand where multicast is filtered, and nothing does it unasked. The
handshake with an address that answers is done with a key of the moment, so that nobody learns who
asks; a program at no table, or at one for its players alone, does not answer it.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.net.errors import NetError
from p2p304.net.interfaces import Network
from p2p304.net.limits import LIMITS
from p2p304.net.links.handshake import HandshakeRefused
from p2p304.net.links.link import LEAVING
from p2p304.net.links.mesh import Mesh

MOST_NETWORKS: Final = 2
AT_ONCE: Final = 32
PATIENCE: Final = 1.2
"""Seconds for an address of the same network to answer and to prove itself. So a network takes ten
at most."""
NOBODY: Final = "-"
"""The name in the handshake of one who only asks."""


def addresses_to_ask(
    own: Iterable[Network], only: Collection[str] = (), first: str = ""
) -> list[str]:
    """Return the other addresses of this computer's own private IPv4 networks, of a large one those
    that differ from the own address in the last number. ``only``: the own addresses that count, if
    not all do; ``first``: the one whose network comes first. Networks of virtual machines would
    else displace the one to which the others belong."""
    networks: dict[ipaddress.IPv4Network, None] = {}
    here = set()
    for one in sorted(own, key=lambda each: str(each.ip) != first):
        if not isinstance(one, ipaddress.IPv4Interface):
            continue
        here.add(one.ip)
        lasting = one.ip.is_private and not one.ip.is_loopback and not one.ip.is_link_local
        others = one.network.prefixlen < 32  # a tunnel's end has none
        if lasting and others and (not only or str(one.ip) in only):
            prefix = max(24, one.network.prefixlen)
            networks[ipaddress.IPv4Network((one.ip, prefix), strict=False)] = None
    hosts = [host for network in list(networks)[:MOST_NETWORKS] for host in network.hosts()]
    return [str(host) for host in hosts if host not in here]


async def answering(addresses: Iterable[str], port: int) -> list[str]:
    """Return the addresses at which a table that takes players or spectators listens at this port,
    in their order."""
    places = asyncio.Semaphore(AT_ONCE)
    limits = replace(LIMITS, dial=PATIENCE)
    mesh = Mesh(SigningKey.generate(Rng.system()), NOBODY, "", 0, limits)

    async def answers(address: str) -> bool:
        async with places:
            return await _is_at_table(mesh, address, port)

    asked = list(addresses)
    try:
        found = await asyncio.gather(*(answers(address) for address in asked))
    finally:
        await mesh.close()
    return [address for address, listens in zip(asked, found, strict=True) if listens]


async def _is_at_table(mesh: Mesh, address: str, port: int) -> bool:
    """Whether a program of this game answers the handshake there. Another version of it counts: if
    somebody tries to join, that is told."""
    try:
        mesh.hang(await mesh.dial(address, port), LEAVING)
    except NetError as error:
        refused = error.__cause__
        return isinstance(refused, HandshakeRefused) and refused.check == "N06"
    return True
