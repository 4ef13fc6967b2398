"""What a session announces by mDNS: its open table, or that it misses members of its table.

Responsible for keeping the founder's announcement current, for the announcement of a node that
seeks its members, and for finding a table by its name. When members are sought is
net/mdns/rendezvous.py's, and the sockets are net/mdns/discovery.py's.
"""

from __future__ import annotations

import asyncio
import time

from p2p304.crypto.rng import Rng
from p2p304.net.errors import NetError
from p2p304.net.links.mesh import Mesh
from p2p304.net.mdns.discovery import Discovery
from p2p304.net.mdns.rendezvous import Rendezvous, meeting_place
from p2p304.net.mdns.txt_record import Announcement, Found, key_mark
from p2p304.rules.core.phrases import Phrase, say
from p2p304.table.node.node import Node


class Announcer:
    """The announcements of one node."""

    def __init__(self, node: Node, mesh: Mesh, discovery: Discovery) -> None:
        self._node, self._mesh, self._discovery = node, mesh, discovery
        self._announced: Announcement | None = None
        self.is_on = False
        """Whether mDNS works here."""
        self._why_off: Phrase | None = None
        self.rendezvous = Rendezvous(discovery, mesh, self._seek, mesh.limits, self._watchable)

    async def start(self) -> None:
        """Open mDNS; raises NetError, and so does `find` then."""
        try:
            await self._discovery.start()
        except NetError as error:
            self._why_off = say(
                "{why} The lobby can't find tables. Join by address (HOST:PORT) instead.",
                why=error.phrase,
            )
            raise NetError(self._why_off) from error
        self.is_on = True

    async def find(self, name: str, patience: float) -> Found:
        """Wait until a table of this name with a free seat is found; raises NetError after
        ``patience`` seconds, or at once where mDNS does not work."""
        if self._why_off is not None:
            raise NetError(self._why_off)
        self._discovery.look()
        end = time.monotonic() + patience
        while time.monotonic() < end:
            for found in self._discovery.found.values():
                if found.announcement.table == name and found.announcement.free > 0:
                    return found
            await asyncio.sleep(0.02)
        raise NetError(
            say(
                "No table named '{table}' with a free seat was found in {n} s. Check the name, or "
                "join by address (HOST:PORT).",
                table=name,
                n=round(patience),
            )
        )

    def update(self, free: int, seats: int) -> Announcement | None:
        """Make the founder's announcement with these free seats; None if nothing is to be shown."""
        meeting = self._node.meeting
        if not self.is_on or not meeting.is_founder or meeting.list is None:
            return None
        name, rules = meeting.list.name, meeting.list.rules.preset
        locked = meeting.admission.passphrase is not None
        self._announced = Announcement(
            meeting.nick, name, rules, free, seats, self._mark(), locked=locked
        )
        return self._announced

    async def show(self, what: Announcement, is_continued: bool) -> None:
        """Announce this, or nothing once the table is full; raises NetError.

        mDNS may be closed at a table that continues another one (``is_continued``): a game in play
        does not need it, and a player who is to take a seat does."""
        if is_continued:
            await self.rendezvous.rest()
            if not self._discovery.is_open:
                await self._discovery.start()
        if what.free == 0:
            await self._discovery.withdraw()  # a table that can be watched is shown once it begins
        elif what is self._announced:
            await self._discovery.announce(what, self._mesh.port)

    async def close(self) -> None:
        await self.rendezvous.close()

    def _seek(self) -> Announcement:
        """Return what this node announces while it misses members of its table."""
        place = meeting_place(self._node.table_id or b"")
        return Announcement(self._node.meeting.nick, "-", "-", 0, 0, self._mark(), seeks=place)

    def _watchable(self) -> Announcement | None:
        """Return what the player who opened the table announces while it is played, if it admits
        spectators: nothing that the table did not announce while it gathered."""
        node, table = self._node, self._node.table
        if not self.is_on or table is None or node.is_finished:
            return None
        if not table.terms.watch or not node.meeting.is_founder:
            return None
        seats, rules = len(table.terms.players), table.terms.rules.preset
        name = table.terms.name
        return Announcement(node.meeting.nick, name, rules, 0, seats, self._mark(), is_watched=True)

    def _mark(self) -> str:
        return key_mark(self._node.key.public, Rng.system().bytes(4))
