"""The addresses and interface names of this machine, as they are now.

Responsible for looking them up; the reaction to a change is discovery.py's (it announces again) and
address_watch.py's (it closes links).
"""

from __future__ import annotations

import ipaddress
import socket
from typing import TypeAlias

import ifaddr

Network: TypeAlias = ipaddress.IPv4Interface | ipaddress.IPv6Interface


def own_interfaces() -> list[Network]:
    """Return this machine's addresses with their networks: IPv4 before IPv6, loopback last."""
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
    """Return the addresses at which others can reach this machine; loopback only if there is no
    other."""
    own = own_interfaces()
    outside = [str(interface.ip) for interface in own if not interface.is_loopback]
    return outside or [str(interface.ip) for interface in own if interface.version == 4]


def way_out() -> str:
    """Return the own IPv4 address from which the system would send to other networks; empty if it
    has no way there. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of no network (RFC 5737)
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def loopback_addresses(count: int) -> list[str]:
    """Return an address on loopback for each of so many nodes of this machine: one of its own, or
    127.0.0.1 where the system has no other (macOS)."""
    found = []
    for number in range(1, count + 1):
        address = f"127.0.0.{number}"
        with socket.socket() as probe:
            try:
                probe.bind((address, 0))
            except OSError:
                address = "127.0.0.1"
        found.append(address)
    return found


def interface_names() -> dict[str, str]:
    """Map each address to the name of its interface, such as ``eth0``."""
    return {
        ip.ip if isinstance(ip.ip, str) else ip.ip[0]: adapter.nice_name
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    }
