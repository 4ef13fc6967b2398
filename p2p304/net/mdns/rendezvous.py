"""Finds the members of the table again after they, or this node, got a new address.

Responsible for when a node announces itself and looks for others by mDNS after the table has begun:
only while a member is missing. What it finds is an address to dial; handshake.py proves which
player answers there.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Sequence
from enum import Enum

from p2p304.net.errors import NetError
from p2p304.net.limits import Limits
from p2p304.net.links.mesh import Mesh
from p2p304.net.mdns.discovery import FAILURES, Discovery
from p2p304.net.mdns.txt_record import Announcement, Found, is_mark_of
from p2p304.rules.core.phrases import Phrase, say


def meeting_place(table: bytes) -> str:
    """Return the mark by which members of a table recognise each other's announcements: 16 hex
    digits that do not reveal the table's identifier."""
    return hashlib.sha256(b"p2p304 rendezvous\x00" + table).hexdigest()[:16]


class _Use(Enum):
    """What mDNS is used for while a table is played."""

    SEEK = "seek"
    SHOW = "show"
    REST = "rest"


class Rendezvous:
    """Call `missing` with the missing members, again and again; ``say`` makes the announcement.

    While nobody is missing mDNS is closed altogether: a game does not depend on it, and nobody can
    burden it by mDNS. Only a table that can be watched is announced then (``watchable``), without
    looking for others.
    """

    def __init__(
        self,
        discovery: Discovery,
        mesh: Mesh,
        say: Callable[[], Announcement],
        limits: Limits,
        watchable: Callable[[], Announcement | None] = lambda: None,
    ) -> None:
        self._discovery, self._mesh, self._say, self._limits = discovery, mesh, say, limits
        self._watchable = watchable
        self._missing: tuple[bytes, ...] = ()
        self._doing: _Use | None = None
        self._task: asyncio.Task[None] | None = None

    def missing(self, keys: Sequence[bytes]) -> None:
        """Set which members have no link now."""
        self._missing = tuple(keys)
        if self._doing is _Use.SEEK:
            self._look()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._change())

    async def rest(self) -> None:
        """Close mDNS, because nobody is missing, until `missing` is called again."""
        self._missing = ()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        self._doing = None

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _look(self) -> None:
        for found in list(self._discovery.seekers.values()):
            self._try(found)

    def _try(self, found: Found) -> None:
        what = found.announcement
        peer = next((key for key in self._missing if is_mark_of(what.mark, key)), None)
        if peer is None or what.seeks != self._say().seeks:
            return
        for host in reversed(found.addresses):
            self._mesh.want(peer, host, found.port)

    async def _change(self) -> None:
        """Open or close mDNS as needed, as often as the need changes meanwhile."""
        while self._doing is not (wanted := self._wanted()):
            try:
                if wanted is _Use.SEEK:
                    await self._seek()
                else:
                    await self._discovery.close()
                    await self._show_watchable()
                self._doing = wanted
            except NetError as error:
                await self._again(error.phrase)
            except FAILURES as error:
                why = str(error) or type(error).__name__
                await self._again(say("mDNS failed: {why}.", why=why))

    async def _again(self, phrase: Phrase) -> None:
        """Start again a moment after a failure: the network may not be up yet."""
        self._discovery.trouble(phrase)
        with contextlib.suppress(*FAILURES):
            await self._discovery.close()
        await asyncio.sleep(self._limits.look_around)

    def _wanted(self) -> _Use:
        if self._missing:
            return _Use.SEEK
        return _Use.REST if self._watchable() is None else _Use.SHOW

    async def _show_watchable(self) -> None:
        what = self._watchable()
        if what is not None:
            await self._discovery.start()
            await self._discovery.announce(what, self._mesh.port)

    async def _seek(self) -> None:
        if not self._discovery.is_open:
            await self._discovery.start()
        self._discovery.on_change = self._look
        self._discovery.look()
        await self._discovery.announce(self._say(), self._mesh.port)
        self._look()
