"""What the system calls the interface of each address.

Owns this one look-up; what a name suggests is the reader's to say.
"""

from __future__ import annotations

import ifaddr


def interface_names() -> dict[str, str]:
    """From address to the interface's name, as ``eth0``."""
    return {
        ip.ip if isinstance(ip.ip, str) else ip.ip[0]: adapter.nice_name
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    }
