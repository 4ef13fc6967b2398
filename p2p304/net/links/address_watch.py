"""A machine that moves: links that hang on addresses which are not this machine's any more.

Owns when that is looked at and what follows: such a link is dead, though TCP would find out only
after minutes and a heartbeat after seconds, so it is cut at once and dialled anew; every other
link is asked whether it lives. It looks at nothing but addresses.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable, Iterable

from p2p304.net.interfaces import own_interfaces
from p2p304.net.limits import Limits
from p2p304.net.links.link import Link

MOVED = "this computer has another address now"


class AddressWatch:
    """Looks around for as long as it is not closed. ``links`` are those that are there."""

    def __init__(self, links: Callable[[], Iterable[Link]], limits: Limits) -> None:
        self._links, self._limits = links, limits
        self._here = _own()
        self._task = asyncio.create_task(self._look_around())

    def cancel(self) -> asyncio.Task[None]:
        """Stop; the task to be awaited."""
        self._task.cancel()
        return self._task

    async def _look_around(self) -> None:
        while True:
            await asyncio.sleep(self._limits.look_around)
            before, self._here = self._here, _own()
            if self._here != before:
                self._moved()

    def _moved(self) -> None:
        for link in list(self._links()):
            if _plain(link.local) in self._here or _is_loopback(link.local):
                link.probe(self._limits.doubt)
            else:
                link.cut(MOVED)


def _own() -> frozenset[str]:
    return frozenset(_plain(str(one.ip)) for one in own_interfaces())


def _plain(address: str) -> str:
    """Without the interface of a link-local address."""
    return address.partition("%")[0]


def _is_loopback(address: str) -> bool:
    return not address or ipaddress.ip_address(_plain(address)).is_loopback
