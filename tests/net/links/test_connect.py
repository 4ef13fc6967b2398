"""One of several addresses is reached, whatever the others do."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
import time

import pytest

from p2p304.net.links.connect import peer_address, reach, where, why


def listening(host: str = "127.0.0.1") -> socket.socket:
    return socket.create_server((host, 0))


def test_an_address_that_refuses_costs_nothing() -> None:
    async def story() -> None:
        with listening() as there, listening() as gone:
            port, closed = there.getsockname()[1], gone.getsockname()[1]
            gone.close()
            way = await reach((("127.0.0.1", closed), ("127.0.0.1", port)), lambda _: None, 0.05)
            with way.socket:
                assert way.port == port

    begun = time.monotonic()
    asyncio.run(story())
    assert time.monotonic() - begun < 1.0


def test_an_address_that_is_silent_is_overtaken() -> None:
    async def story() -> None:
        with listening() as there:
            port = there.getsockname()[1]
            full = socket.create_server(("127.0.0.2", 0), backlog=0)
            crowd = [socket.socket() for _ in range(4)]
            for one in crowd:
                one.setblocking(False)
                one.connect_ex(full.getsockname())
            way = await reach((full.getsockname(), ("127.0.0.1", port)), lambda _: None, 0.05)
            with way.socket:
                assert way.port == port
            for one in (*crowd, full):
                one.close()

    begun = time.monotonic()
    asyncio.run(story())
    assert time.monotonic() - begun < 1.0


def test_where_none_answers_the_first_reason_is_raised() -> None:
    async def story() -> None:
        with listening() as gone:
            closed = gone.getsockname()[1]
            gone.close()
            await reach((("127.0.0.1", closed), ("127.0.0.3", closed)), lambda _: None, 0.01)

    with pytest.raises(ConnectionRefusedError):
        asyncio.run(story())


def test_addresses_are_written_as_people_type_them() -> None:
    assert where("10.0.0.1", 5) == "10.0.0.1:5" and where("fd00::1", 5) == "[fd00::1]:5"
    assert peer_address(("::ffff:10.0.0.1", 1, 0, 0)) == "10.0.0.1"
    assert peer_address(("fe80::1", 1, 0, 3)) == "fe80::1%3"
    assert peer_address(("fd00::1", 1, 0, 0)) == "fd00::1" and peer_address(None) == ""


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.ECONNREFUSED, "Connect call failed ('::1', 1)"), "connection refused"),
        (socket.gaierror(-2, "Name or service not known"), "name or service not known"),
        (ssl.SSLError(1, "[SSL] no certificate"), "[ssl] no certificate"),
        (OSError("Multiple exceptions"), "multiple exceptions"),
        (UnicodeError("label empty"), "label empty"),
        (OSError(), "oserror"),
        (ConnectionResetError(), "the other side closed it"),
    ],
)
def test_failures_are_told_in_words(error: Exception, told: str) -> None:
    assert why(error) == told
