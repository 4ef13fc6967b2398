"""Tables of this node that were ended and continued without a player.

Responsible for the players of such a table who come back: they get its file there. The table itself
goes on in table_machine.py, and the table that continues it is node.py's.
"""

from __future__ import annotations

from collections.abc import Container

from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.wire.effects import Effect


class EndedTables:
    """The ended tables with their handling of absences, the oldest first."""

    def __init__(self) -> None:
        self._all: list[PlayerAbsence] = []

    def add(self, ended: PlayerAbsence) -> None:
        self._all.append(ended)

    def without(self, peer: bytes, present: Container[bytes]) -> PlayerAbsence | None:
        """Return the last table that was ended without this peer, if it is not ``present`` at the
        table of now."""
        gone = () if peer in present else reversed(self._all)
        return next((one for one in gone if peer in one.table.terms.keys), None)

    def has_player(self, peer: bytes) -> bool:
        return any(peer in one.table.terms.keys for one in self._all)

    def on_link_up(self) -> None:
        for one in self._all:
            one.on_link_up()

    def effects(self) -> list[Effect]:
        drained: list[Effect] = []
        for one in self._all:
            drained += [*one.effects(), *one.table.effects()]
        return drained
