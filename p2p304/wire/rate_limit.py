"""Limits how much one peer, or one address, may ask of this node: token buckets.

Responsible for the arithmetic, and for which network addresses count as one. The sizes of the
buckets are for those to say who use them.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allowance:
    """At most ``most`` at once, and ``rate`` more with every second."""

    most: float
    rate: float


class RateLimit:
    """A token bucket, full at first. Times are seconds on one clock."""

    __slots__ = ("_allowance", "_left", "_since")

    def __init__(self, allowance: Allowance, now: float) -> None:
        self._allowance, self._left, self._since = allowance, allowance.most, now

    def take(self, cost: float, now: float) -> bool:
        """Spend ``cost``; returns False, and spends nothing, if too little is left."""
        filled = self._left + (now - self._since) * self._allowance.rate
        left = min(self._allowance.most, filled) - cost
        if left < 0:
            return False
        self._left, self._since = left, now
        return True


class RateLimits:
    """One bucket per name; the ``most_names`` names used last are kept."""

    def __init__(self, allowance: Allowance, most_names: int) -> None:
        self._allowance, self._most_names = allowance, most_names
        self._by_name: OrderedDict[str, RateLimit] = OrderedDict()

    def __len__(self) -> int:
        return len(self._by_name)

    def take(self, name: str, now: float) -> bool:
        """Spend one unit of this name's bucket."""
        if name not in self._by_name:
            self._by_name[name] = RateLimit(self._allowance, now)
        self._by_name.move_to_end(name)
        if len(self._by_name) > self._most_names:
            self._by_name.popitem(last=False)
        return self._by_name[name].take(1, now)


def network_of(address: str) -> str:
    """Return the least network that one computer has to itself: an IPv4 address, or an IPv6 network
    of 64 bits."""
    plain = address.partition("%")[0]
    if ":" not in plain:
        return plain
    return str(ipaddress.ip_network(f"{plain}/64", strict=False))
