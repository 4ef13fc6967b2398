"""The lines that open a computer's firewall for p2p304, ready to be pasted.

Responsible for these lines alone; docs/when-they-do-not-find-each-other.md has all of them. When
they are shown is app/doctor.py's.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable

MDNS = 5353
_MAC = "/usr/libexec/ApplicationFirewall/socketfilterfw"


def firewall_lines(
    platform: str, has_program: Callable[[str], bool], port: int, python: str
) -> list[str]:
    """Return the lines for this system; on Linux those of the firewalls that it has, or of all."""
    if platform == "win32":
        rule = "New-NetFirewallRule -DisplayName p2p304 -Direction Inbound -Action Allow"
        return [
            f"{rule} -Profile Private -Protocol {protocol} -LocalPort {number}"
            for protocol, number in (("TCP", port), ("UDP", MDNS))
        ]
    if platform == "darwin":
        program = shlex.quote(python)
        return [f"sudo {_MAC} --add {program}", f"sudo {_MAC} --unblockapp {program}"]
    ufw = [f"sudo ufw allow {port}/tcp", f"sudo ufw allow {MDNS}/udp"]
    firewalld = [
        f"sudo firewall-cmd --permanent --add-port={port}/tcp --add-service=mdns",
        "sudo firewall-cmd --reload",
    ]
    known = {"ufw": ufw, "firewall-cmd": firewalld}
    own = [line for name, lines in known.items() if has_program(name) for line in lines]
    return own or [*ufw, *firewalld]
