"""Closes links that use an address which this machine no longer has.

Responsible for looking at the addresses at intervals, and for what follows a change. A link over a
lost address is dead, but TCP would notice only after minutes, and a heartbeat only after seconds.
So the link is cut at once and dialled again. Every other link is probed. Looking addresses up is
interfaces.py's; dialling is redialer.py's.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable, Iterable

from p2p304.net.interfaces import own_interfaces
from p2p304.net.limits import Limits
from p2p304.net.links.link import Link
from p2p304.rules.core.phrases import english

MOVED = english("this computer has another address now")


class AddressWatch:
    """Checks the addresses until it is cancelled. ``links`` returns the links that exist."""

    def __init__(self, links: Callable[[], Iterable[Link]], limits: Limits) -> None:
        self._links, self._limits = links, limits
        self._here = _own_addresses()
        self._task = asyncio.create_task(self._run())

    def cancel(self) -> asyncio.Task[None]:
        """Stop watching; returns the task to await."""
        self._task.cancel()
        return self._task

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._limits.look_around)
            before, self._here = self._here, _own_addresses()
            if self._here != before:
                self._check_links()

    def _check_links(self) -> None:
        for link in list(self._links()):
            if _plain(link.local) in self._here or _is_loopback(link.local):
                link.probe(self._limits.doubt)
            else:
                link.cut(MOVED)


def _own_addresses() -> frozenset[str]:
    return frozenset(_plain(str(one.ip)) for one in own_interfaces())


def _plain(address: str) -> str:
    """Return the address without the interface of a link-local address."""
    return address.partition("%")[0]


def _is_loopback(address: str) -> bool:
    return not address or ipaddress.ip_address(_plain(address)).is_loopback
