"""Asking the own network: which addresses, how many at once, and what answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from ipaddress import ip_interface

import pytest

from p2p304 import USUAL_PORT
from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.net.interfaces import own_addresses, way_out
from p2p304.net.links import sweep
from p2p304.net.links.handshake import VERSION, Handshake
from p2p304.net.links.mesh import Mesh
from p2p304.net.links.sweep import addresses_to_ask, answering
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.lobby.intents import AskNetwork, JoinAddress
from p2p304.ui.fullscreen.lobby.model import Mode
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.wire.canonical import encode


def asked(*own: str, only: Sequence[str] = (), first: str = "") -> list[str]:
    return addresses_to_ask([ip_interface(one) for one in own], only, first)


def test_at_most_254_addresses_of_the_own_network_are_asked() -> None:
    home = asked("192.168.1.7/24")
    assert len(home) == 253 and "192.168.1.7" not in home
    assert (home[0], home[-1]) == ("192.168.1.1", "192.168.1.254")
    assert asked("10.1.2.3/8")[0] == "10.1.2.1" and len(asked("10.1.2.3/8")) == 253
    assert asked("192.168.1.5/30") == ["192.168.1.6"]
    assert len(asked("10.0.0.1/24", "10.0.1.1/24", "10.0.2.1/24")) == 2 * 253
    assert asked("10.0.0.1/24", "10.0.1.1/30", only=["10.0.1.1"]) == ["10.0.1.2"]


def test_networks_of_virtual_machines_and_tunnels_do_not_displace_the_real_one() -> None:
    own = ("10.8.0.2/32", "172.17.0.1/16", "192.168.122.1/24", "192.168.178.5/24")
    found = asked(*own, first="192.168.178.5")
    assert found[0] == "192.168.178.1" and found[253] == "172.17.0.2" and len(found) == 2 * 253
    assert asked("10.8.0.2/32", "172.17.0.1/16", "192.168.1.5/24")[-1] == "192.168.1.254"


def test_the_way_out_is_an_own_address_or_none() -> None:
    assert way_out() in ("", *own_addresses())


@pytest.mark.parametrize("own", ["127.0.0.1/8", "8.8.8.8/24", "169.254.1.2/16", "fd00::2/64"])
def test_other_networks_are_left_alone(own: str) -> None:
    assert asked(own) == []


def test_a_table_is_found_and_a_port_that_admits_nobody_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A lobby, the port that is kept for a rematch and a foreign program are no tables."""
    monkeypatch.setattr(sweep, "AT_ONCE", 2)
    monkeypatch.setattr(sweep, "PATIENCE", 5.0)

    async def ask() -> tuple[list[str], list[bytes]]:
        dialers: list[bytes] = []

        def admits(dialer: bytes) -> bool:
            dialers.append(dialer)
            return len(dialers) > 1

        table = Mesh(SigningKey.generate(Rng.system()), "Asha", "127.0.0.1", 0)
        table.admits = admits
        await table.start()
        assert await answering(["127.0.0.1"], table.port) == []
        found = await answering(["127.0.0.1", "127.0.0.250"], table.port)
        await asyncio.sleep(0.1)
        assert not table.links
        await table.close()
        return found, dialers

    found, dialers = asyncio.run(ask())
    assert found == ["127.0.0.1"]
    assert len(set(dialers)) == 2, "each time under another key"


def test_a_foreign_program_is_no_table() -> None:
    async def ask() -> list[str]:
        server = await asyncio.start_server(lambda _, out: out.close(), "127.0.0.1", 0)
        async with server:
            found = await answering(["127.0.0.1"], server.sockets[0].getsockname()[1])
            await asyncio.sleep(0.1)  # its connections are closed
            return found

    assert asyncio.run(ask()) == []


def test_a_program_that_says_nothing_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One connection is made to it, and one bound ends the wait."""
    monkeypatch.setattr(sweep, "PATIENCE", 0.4)
    came: list[asyncio.StreamWriter] = []

    async def ask() -> tuple[list[str], float]:
        loop = asyncio.get_running_loop()
        server = await asyncio.start_server(lambda _, out: came.append(out), "127.0.0.1", 0)
        async with server:
            begun = loop.time()
            found = await answering(["127.0.0.1"], server.sockets[0].getsockname()[1])
            took = loop.time() - begun
            for out in came:
                out.close()
            return found, took

    found, took = asyncio.run(ask())
    assert found == [] and 0.4 <= took < 0.8 and len(came) == 1


def test_a_table_of_another_version_is_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check N06 refuses it, and a player who tries to join is told so."""
    monkeypatch.setattr(sweep, "PATIENCE", 5.0)

    async def ask() -> list[str]:
        table = Mesh(SigningKey.generate(Rng.system()), "Asha", "127.0.0.1", 0)
        await table.start()
        found = await answering(["127.0.0.1"], table.port)
        await table.close()
        return found

    def greets(one: Handshake) -> bytes | None:
        return encode({"nonce": one._nonce, "role": "listener", "v": VERSION + 1})

    own = Handshake.opening
    monkeypatch.setattr(Handshake, "opening", lambda one: None if own(one) is None else greets(one))

    assert asyncio.run(ask()) == ["127.0.0.1"]


def test_the_lobby_asks_and_proposes_what_has_answered() -> None:
    page = LobbyPage("Asha", Look())
    assert page.press("n", 0.0) == (AskNetwork(),)
    assert page.press("n", 0.0) == (), "it is busy: not twice at once"
    page.asked([], USUAL_PORT)
    assert "40304" in str(page.lobby.note)
    page.press("n", 0.0)
    page.asked(["192.168.1.9", "192.168.1.12"], USUAL_PORT)
    assert page.lobby.mode is Mode.ADDRESS
    assert "192.168.1.12" in str(page.lobby.note)
    assert page.press("enter", 0.0) == (JoinAddress("192.168.1.9", USUAL_PORT, None),)
