"""The links of a node: those that serve no table are closed, and those that players lose are told.

Responsible for the times of both. Which links serve a table is node.py's; for which players the
table waits is table/machine/table_waits.py's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from p2p304.rules.core.phrases import english
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.wire.effects import Outbox

IDLE = 15.0
"""Seconds after which a link that serves no table is closed."""
NO_PURPOSE = english("you are not allowed to do this here")
LEFT = 3.0
"""Seconds without a link after which the others are told that a player is gone."""


class LinkWatch:
    """The links of one node; ``out`` takes what is told, and which links are to be closed."""

    def __init__(self, out: Outbox[Event], now: float) -> None:
        self._out = out
        self._idle_since: dict[bytes, float] = {}
        self._lost: dict[bytes, float] = {}
        """When the links of players of this table were lost."""
        self._told_until = now
        """The time up to which the player was told of lost links."""
        self._linked: dict[bytes, float] = {}
        """When each link came up."""
        self._leaving: set[bytes] = set()
        """The peers that have said goodbye on a link that is about to end."""

    def on_link_up(self, peer: bytes, nicks: Mapping[bytes, str], now: float) -> bool:
        """Record a link; tell of a player who is back, and return whether that was told."""
        self._idle_since[peer] = self._linked[peer] = now
        lost = self._lost.pop(peer, None)
        if lost is None or now - lost < LEFT:
            return False
        self._out.emit(events.PlayerBack(nicks[peer]))
        return True

    def hear_goodbye(self, peer: bytes, now: float) -> None:
        """Note that a peer closes its link because its player leaves. It proves nothing: it is told
        at once, and everything else is as for a link that breaks. After a link of a moment it is
        not heard, so that nobody can come and go faster than links that break are told."""
        if now - self._linked.get(peer, -math.inf) >= LEFT:
            self._leaving.add(peer)

    def on_link_down(self, peer: bytes, nick: str | None, now: float) -> bool:
        """Record the end of a link, to the player ``nick`` if that player is missed now; return
        whether its goodbye was heard."""
        said = peer in self._leaving
        self._idle_since.pop(peer, None)
        self._linked.pop(peer, None)
        if nick is not None:
            self._lost[peer] = now
        if nick is not None and said:
            self._lost[peer] = self._told_until - LEFT  # it is told already
            self._out.emit(events.PlayerLeft(nick, said=True))
        self._leaving.discard(peer)
        return said

    def close_idle(self, has_purpose: Callable[[bytes], bool], now: float) -> None:
        """Close the links that have served nothing for long, so that other peers find a place."""
        for peer, since in list(self._idle_since.items()):
            if has_purpose(peer):
                self._idle_since[peer] = now
            elif now - since >= IDLE:
                del self._idle_since[peer]
                self._out.hang_up(peer, NO_PURPOSE)

    def tell_lost(self, nicks: Mapping[bytes, str], now: float) -> None:
        """Tell once of each player whose link has been lost for a while."""
        for peer, lost in self._lost.items():
            if self._told_until < lost + LEFT <= now and peer in nicks:
                self._out.emit(events.PlayerLeft(nicks[peer]))
        self._told_until = now

    def next_timeout(self) -> float:
        """Return when to tell of a lost link."""
        times = [lost + LEFT for lost in self._lost.values()]
        return min((time for time in times if time > self._told_until), default=math.inf)

    def forget_lost(self) -> None:
        """Forget the lost links of a table that is continued without its absent player."""
        self._lost.clear()
