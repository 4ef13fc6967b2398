"""The port of a finished table, which the player who opened it keeps until it opens another.

Responsible for what a guest who waits for that table sees: that its player is still there. It
admits nobody; the next table listens for itself (session.py).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from p2p304.net.errors import NetError
from p2p304.net.links.mesh import Mesh
from p2p304.table.node.node import Node
from p2p304.table.state.events import WantsAgain


class HeldPort:
    """The port of ``node``, on which ``mesh`` listened; ``on_event`` is told of guests."""

    def __init__(self, node: Node, mesh: Mesh, on_event: Callable[[WantsAgain], None]) -> None:
        self._node, self._mesh, self._on_event = node, mesh, on_event
        self._listens: Mesh | None = None
        self._told = {node.key.public}
        """The players who were told to want another table, and this one."""

    async def hold(self) -> None:
        """Listen again, once the node's mesh is closed."""
        self._listens = Mesh(self._node.key, self._mesh.nick, self._mesh.bind, self._mesh.port)
        self._listens.admits = self.hear
        with contextlib.suppress(NetError):  # another program may have taken it
            await self._listens.start()

    async def release(self) -> None:
        """Free the port for the next table."""
        listens, self._listens = self._listens, None
        if listens is not None:
            await listens.close()

    def hear(self, dialer: bytes) -> bool:
        """Tell once of each player of the finished table who asks for another; admit nobody. One
        who may lack the table's end asks for that."""
        table, nick = self._node.table, self._node.nicks().get(dialer)
        if nick is None or dialer in self._told or table is None:
            return False
        ended = self._node.has_ended and dialer in table.replica.present
        if ended or table.has_finished(dialer):
            self._told.add(dialer)
            self._on_event(WantsAgain(nick))
        return False
