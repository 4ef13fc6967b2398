"""Places for visitors of a table that gathers: bounded, shared by address, some of them reserved.

Responsible for which visitor gets a place. Identities cost nothing and addresses cost little, so
each address has a share of all places, and some are reserved for players whom the founder has met
(SPEC.md, "Limits"). What the places are for is admission.py's.
"""

from __future__ import annotations

from p2p304.wire.rate_limit import network_of


class VisitorPlaces:
    """``most`` places, ``share`` of them for one address, ``kept`` reserved for known players."""

    def __init__(self, most: int, share: int, kept: int) -> None:
        self._most, self._share, self._kept = most, share, kept
        self._taken: dict[bytes, str] = {}
        self._resting: list[tuple[bytes, str, float]] = []
        """Places of visitors who left: the key, its address, and the time when the place is free.
        """

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
        own = sum(key == visitor for key, _, _ in self._resting)
        same = own if known else addresses.count(address_of(host))
        full = len(addresses) >= self._most - (0 if known else self._kept)
        return visitor in self._taken or not (full or same >= self._share)

    def release_at(self, visitor: bytes, until: float) -> None:
        """Release the place at ``until``. It stays taken for the visitor itself too, so that one
        identity that comes and goes uses as many places as many identities do."""
        if visitor in self._taken:
            self._resting.append((visitor, self._taken.pop(visitor), until))

    def release(self, visitor: bytes) -> None:
        self._taken.pop(visitor, None)


def address_of(host: str) -> str:
    """Return what counts as one address; a host name stands for itself."""
    try:
        return network_of(host)
    except ValueError:
        return host
