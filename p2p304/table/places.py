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
        self._taken: dict[bytes, tuple[str, float | None]] = {}

    def take(self, visitor: bytes, host: str, known: bool, now: float) -> bool:
        """Give this visitor a place, or keep the one that it has; False if there is none."""
        if not self.has_room(visitor, host, known, now):
            return False
        self._taken[visitor] = address_of(host), None
        return True

    def has_room(self, visitor: bytes, host: str, known: bool, now: float) -> bool:
        """Whether this visitor has a place or can have one."""
        self._taken = {key: (address, until) for key, (address, until) in self._taken.items()
                       if until is None or until > now}  # fmt: skip
        address = address_of(host)
        same = sum(one == address for one, _ in self._taken.values())
        full = len(self._taken) >= self._most - (0 if known else self._kept)
        return visitor in self._taken or not (full or (same >= self._share and not known))

    def leave(self, visitor: bytes, until: float) -> None:
        """The place is free again from ``until`` on."""
        if visitor in self._taken:
            self._taken[visitor] = self._taken[visitor][0], until

    def free(self, visitor: bytes) -> None:
        self._taken.pop(visitor, None)


def address_of(host: str) -> str:
    """What counts as one address; a name stands for itself."""
    try:
        return network_of(host)
    except ValueError:
        return host
