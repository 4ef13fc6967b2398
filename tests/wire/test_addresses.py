"""Addresses: what one computer has to itself counts as one."""

from __future__ import annotations

import pytest

from p2p304.wire.rate_limit import network_of


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:ffff:ffff:ffff", "2001:db8::/64"),
        ("2001:db8:0:1::", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("10.0.0.1%1", "10.0.0.1"),
        ("", ""),
    ],
)
def test_an_ipv4_address_or_64_bits_of_ipv6(address: str, network: str) -> None:
    assert network_of(address) == network
