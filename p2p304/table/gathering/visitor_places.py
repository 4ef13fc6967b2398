"""Places for visitors of a table that gathers: bounded, shared out, some kept for friends.

Owns who gets one. Identities are free, addresses less so; so of all places an address has a
share, and some are kept for players whom the founder has met (SPEC.md, "Limits").
"""

from __future__ import annotations

from p2p304.wire.addresses import network_of


class Places:
    """``most`` places, ``share`` of them for one address, ``kept`` for players who are known."""

    def __init__(self, most: int, share: int, kept: int) -> None:
        self._most, self._share, self._kept = most, share, kept
        self._taken: dict[bytes, str] = {}
        self._resting: list[tuple[bytes, str, float]] = []
        """Places of those who left: whose, its address, and the second from which it is free."""

    def take(self, visitor: bytes, host: str, known: bool, now: float) -> bool:
        """Give this visitor a place, or keep the one that it has; False if there is none."""
        if not self.has_room(visitor, host, known, now):
            return False
        self._taken[visitor] = address_of(host)
        return True

    def has_room(self, visitor: bytes, host: str, known: bool, now: float) -> bool:
        """Whether this visitor has a place or can have one."""
        self._resting = [place for place in self._resting if place[2] > now]
        addresses = [*self._taken.values(), *(address for _, address, _ in self._resting)]
        own = sum(whose == visitor for whose, _, _ in self._resting)
        same = own if known else addresses.count(address_of(host))
        full = len(addresses) >= self._most - (0 if known else self._kept)
        return visitor in self._taken or not (full or same >= self._share)

    def leave(self, visitor: bytes, until: float) -> None:
        """The place is free again from ``until`` on, for the visitor itself too: one identity
        that comes and goes takes as many places as many identities."""
        if visitor in self._taken:
            self._resting.append((visitor, self._taken.pop(visitor), until))

    def free(self, visitor: bytes) -> None:
        self._taken.pop(visitor, None)


def address_of(host: str) -> str:
    """What counts as one address; a name stands for itself."""
    try:
        return network_of(host)
    except ValueError:
        return host
