"""Addresses as people type and say them: ``host:port``, and a short code for the same.

Responsible for both forms (SPEC.md, "Discovery"). A code is an IPv4 address and a port in ten
letters. Its two check bits detect three errors in four; the identity shown afterwards reveals the
rest. It opens nothing and asks no network.
"""

from __future__ import annotations

import ipaddress

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of the spoken code: without 0, O, 1 and I."""
LENGTH = 10


def table_code(host: str, port: int) -> str | None:
    """Return ``ABCDE-FGHJK`` for an IPv4 address and port; None for a name or another kind."""
    try:
        address = int(ipaddress.IPv4Address(host))
    except ValueError:
        return None
    number = address << 16 | port
    number = number << 2 | _check(number)
    letters = "".join(ALPHABET[number >> 5 * i & 31] for i in reversed(range(LENGTH)))
    return f"{letters[:5]}-{letters[5:]}"


def read_address(text: str) -> tuple[str, int] | None:
    """Parse ``host:port``, ``[v6]:port`` or a code; None for anything else."""
    line = text.strip()
    host, colon, port = line.rpartition(":")
    if colon and host and port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536:
        name = host.strip("[]")
        return (name, int(port)) if name and not any(c.isspace() for c in name) else None
    return None if colon else _from_code(line)


def _from_code(text: str) -> tuple[str, int] | None:
    letters = [c for c in text.upper() if c not in "- "]
    if len(letters) != LENGTH or any(c not in ALPHABET for c in letters):
        return None
    number = 0
    for letter in letters:
        number = number << 5 | ALPHABET.index(letter)
    number, check = number >> 2, number & 3
    port = number & 0xFFFF
    if check != _check(number) or not port:
        return None
    return str(ipaddress.IPv4Address(number >> 16)), port


def _check(number: int) -> int:
    """Return two check bits that depend on every pair of bits of the number."""
    return sum((number >> 2 * i & 3) * (1 + i % 3) for i in range(24)) % 4
