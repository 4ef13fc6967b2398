"""This machine's own addresses and the names of its interfaces, as they are now.

Owns the look-up alone; what follows from a change is its callers' to say (discovery.py announces
anew, address_watch.py lets go of links).
"""

from __future__ import annotations

import ipaddress
from typing import TypeAlias

import ifaddr

Network: TypeAlias = ipaddress.IPv4Interface | ipaddress.IPv6Interface


def own_interfaces() -> list[Network]:
    """This machine's addresses with their networks: IPv4 before IPv6, loopback last."""
    found: set[Network] = set()
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            address = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            found.add(ipaddress.ip_interface(f"{address}/{ip.network_prefix}"))
    return sorted(
        found, key=lambda one: (one.is_loopback, one.version, one.is_link_local, int(one.ip))
    )


def own_addresses() -> list[str]:
    """This machine's IPv4 addresses, loopback last."""
    return [str(interface.ip) for interface in own_interfaces() if interface.version == 4]


def outside_addresses() -> list[str]:
    """Where others can reach this machine; loopback only if there is nothing else."""
    own = own_interfaces()
    outside = [str(interface.ip) for interface in own if not interface.is_loopback]
    return outside or [str(interface.ip) for interface in own if interface.version == 4]


def interface_names() -> dict[str, str]:
    """From address to the interface's name, as ``eth0``."""
    return {
        ip.ip if isinstance(ip.ip, str) else ip.ip[0]: adapter.nice_name
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    }
