"""Network addresses as text: which of them count as one.

Responsible for that rule alone. Making connections is net/links/connect.py's.
"""

from __future__ import annotations

import ipaddress


def network_of(address: str) -> str:
    """Return the least network that one computer has to itself: an IPv4 address, or an IPv6 network
    of 64 bits."""
    plain = address.partition("%")[0]
    if ":" not in plain:
        return plain
    return str(ipaddress.ip_network(f"{plain}/64", strict=False))
