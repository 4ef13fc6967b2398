"""Network addresses as text: which of them count as one.

Owns that rule alone. Who connects to where is net/links/connect.py's.
"""

from __future__ import annotations

import ipaddress


def network_of(address: str) -> str:
    """What one computer has at least to itself: an IPv4 address, or an IPv6 network of 64 bits."""
    plain = address.partition("%")[0]
    if ":" not in plain:
        return plain
    return str(ipaddress.ip_network(f"{plain}/64", strict=False))
