"""One proven link to every peer, and the choice between two.

Responsible for which of two links to one peer stays, and for when (SPEC.md, "Links"). Who may have
a link at all is mesh.py's.
"""

from __future__ import annotations

from collections.abc import Callable

from p2p304.net.limits import Limits
from p2p304.net.links.link import Link
from p2p304.rules.core.phrases import Phrase, english, say

_REPLACED = english("a newer connection replaced it")


class PeerLinks:
    """The links of the node with the identity key ``own``. ``up`` and ``down`` are told when the
    link to a peer begins to serve, and when it is lost; ``trouble`` of one identity on two
    machines."""

    def __init__(
        self,
        own: bytes,
        limits: Limits,
        up: Callable[[Link], None],
        down: Callable[[Link], None],
        trouble: Callable[[Phrase], None],
    ) -> None:
        self.by_peer: dict[bytes, Link] = {}
        self._own, self._limits = own, limits
        self._up, self._down, self._trouble = up, down, trouble
        self._next: dict[bytes, Link] = {}
        """Links that take the place of those in `by_peer` once their dialers have confirmed
        them."""

    def take(self, link: Link) -> None:
        """Keep one link to a peer. Of two links both sides keep the one that the lower key dialled.
        If the same side dialled both, or one is old, they keep the newer: the side that dialled has
        given up the older one."""
        old = self.by_peer.get(link.peer.key)
        if old is not None and self._is_better(old, link):
            # The kept link may be dead without this node's knowledge.
            old.probe(self._limits.doubt)
            link.bye(english("there is already a connection"))
        elif old is None or link.dialled is not None:
            self._keep(link)
        else:
            # The dialer may have expected somebody else here: then it closes this link.
            self._close_next(link.peer.key, _REPLACED)
            self._next[link.peer.key] = link
            link.probe()

    def confirm(self, link: Link) -> None:
        """Note that the other side has sent something over a link that it could have refused."""
        if self._next.get(link.peer.key) is link:
            self._keep(link)

    def lose(self, link: Link) -> None:
        """Note that a link has ended."""
        peer = link.peer.key
        if self._next.get(peer) is link:
            del self._next[peer]
        if self.by_peer.get(peer) is not link:
            return
        del self.by_peer[peer]
        self._down(link)
        if peer in self._next:
            self._keep(self._next[peer])

    def close(self, peer: bytes, reason: str) -> None:
        """Close every link to a peer with a reason."""
        self._close_next(peer, reason)
        if peer in self.by_peer:
            self._let_go(self.by_peer[peer], reason)

    def _keep(self, link: Link) -> None:
        """Make this the link to its peer, in the place of an older one."""
        peer = link.peer.key
        if self._next.get(peer) is link:
            del self._next[peer]
        self._close_next(peer, _REPLACED)
        old = self.by_peer.get(peer)
        if old is not None:
            self._count_replaced(old, link)
            self._let_go(old, _REPLACED)
        self.by_peer[peer] = link
        self._up(link)

    def _close_next(self, peer: bytes, reason: str) -> None:
        waiting = self._next.pop(peer, None)
        if waiting is not None:
            waiting.bye(reason)

    def _let_go(self, link: Link, reason: str) -> None:
        link.bye(reason)
        self.lose(link)

    def _is_better(self, old: Link, new: Link) -> bool:
        if old.age > self._limits.elder:
            return False
        lower_is_mine = self._own < new.peer.key
        by_lower = [(link.dialled is not None) == lower_is_mine for link in (old, new)]
        return by_lower == [True, False]

    def _count_replaced(self, old: Link, link: Link) -> None:
        """Count replacements: two machines with one identity replace each other's link again and
        again."""
        link.replaced = old.replaced + 1 if old.age < self._limits.elder else 0
        if link.replaced == self._limits.flapping:
            self._trouble(
                say(
                    "{nick} connects again and again. Their identity may run on two computers: ask "
                    "them to stop one.",
                    nick=link.peer.nick,
                )
            )
