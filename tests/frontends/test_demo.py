"""The demonstration where loopback has one address, and where a node cannot begin."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from p2p304.frontends import demo
from p2p304.net.interfaces import loopback_addresses
from p2p304.rules.variants.presets import PRESETS


class OneAddress(socket.socket):
    """Loopback as on macOS."""

    def bind(self, address: Any) -> None:
        if address[0] != "127.0.0.1":
            raise OSError(49, "Can't assign requested address")
        super().bind(address)


def test_each_node_has_an_address_that_can_be_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", OneAddress)
    assert loopback_addresses(4) == ["127.0.0.1"] * 4


@pytest.mark.skipif(len(set(loopback_addresses(2))) < 2, reason="loopback has one address")
def test_each_node_has_an_address_of_its_own_where_there_are_more() -> None:
    assert loopback_addresses(3) == ["127.0.0.1", "127.0.0.2", "127.0.0.3"]


def test_it_ends_at_once_with_the_sentence_of_a_node_that_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = ["127.0.0.1", "192.0.2.1"]
    monkeypatch.setattr(demo, "loopback_addresses", lambda count: addresses)
    told: list[str] = []
    begun = time.monotonic()
    shown: list[str] = []
    work = demo.run(1, PRESETS["online-2"], True, tmp_path, told.append, shown.append)
    status = asyncio.run(work)
    assert shown[-1] == "", "the status is cleared"
    assert status == 1 and time.monotonic() - begun < demo.TIMEOUT
    said = json.loads(told[0])["error"]
    assert said.startswith("Bandu stopped early: ") and "192.0.2.1" in said
    assert str(tmp_path) in said
