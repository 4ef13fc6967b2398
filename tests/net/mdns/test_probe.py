"""One question to every machine that speaks mDNS, and who answers; on loopback alone."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Sequence

import pytest
from zeroconf._protocol.incoming import DNSIncoming

from p2p304.net.errors import NetError
from p2p304.net.mdns import probe
from tests.support.loopback import run


def test_the_question_is_which_services_there_are() -> None:
    asked = DNSIncoming(probe.QUESTION)
    assert asked.valid and asked.is_query() and asked.id == asked.flags == 0
    assert asked.num_questions == 1 and asked.answers() == []
    assert asked.num_authorities == asked.num_additionals == 0
    question = asked.questions[0]
    assert (question.name, question.type, question.class_, question.unique) == (
        "_services._dns-sd._udp.local.",
        12,
        1,
        False,
    )


def test_a_machine_hears_itself_at_every_address_also_of_one_interface() -> None:
    async def main() -> None:
        heard = await probe.hear(["127.0.3.8", "127.0.3.9"], 0.5)
        assert {"127.0.3.8", "127.0.3.9"} <= set(heard) and heard == sorted(heard)
        assert "127.0.3.9" not in await probe.hear(["127.0.3.8"], 0.1)

    run(main())


class Recorder:
    """A socket that writes down what is set, and where a group cannot be joined, says so."""

    def __init__(self, *kind: int) -> None:
        self.did: list[tuple[object, ...]] = []
        self.failures: dict[bytes, int] = FAILURES
        SOCKETS.append(self)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self.did.append(("close",))

    def setsockopt(self, level: int, option: int, value: int | bytes) -> None:
        if option == socket.IP_ADD_MEMBERSHIP and isinstance(value, bytes):
            number = self.failures.get(value[4:])
            if number is not None:
                raise OSError(number, "it failed")
        self.did.append((level, option, value))

    def bind(self, address: tuple[str, int]) -> None:
        self.did.append(("bind", address))

    def sendto(self, data: bytes, address: tuple[str, int]) -> None:
        self.did.append(("send", data, address))


SOCKETS: list[Recorder] = []
FAILURES: dict[bytes, int] = {}
SHARED = [(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)]
if hasattr(socket, "SO_REUSEPORT"):
    SHARED.append((socket.SOL_SOCKET, socket.SO_REUSEPORT, 1))
GROUP = socket.inet_aton("224.0.0.251")


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[Recorder]:
    SOCKETS.clear()
    FAILURES.clear()
    monkeypatch.setattr(socket, "socket", Recorder)
    return SOCKETS


def test_the_question_goes_from_the_port_of_mdns_through_one_interface_as_rfc_6762_asks(
    recorded: list[Recorder],
) -> None:
    probe._ask("192.0.2.7")
    (asking,) = recorded
    own = socket.inet_aton("192.0.2.7")
    assert asking.did == [
        *SHARED,
        ("bind", ("192.0.2.7", 5353)),
        (socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own),
        (socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255),
        ("send", probe.QUESTION, ("224.0.0.251", 5353)),
        ("close",),
    ]


def test_the_group_is_joined_at_each_address_and_twice_on_one_interface_is_no_fault(
    recorded: list[Recorder],
) -> None:
    one, two, three = (socket.inet_aton(f"192.0.2.{n}") for n in (1, 2, 3))
    FAILURES[two] = errno.EADDRINUSE
    probe._joined(["192.0.2.1", "192.0.2.2", "192.0.2.3"])
    join = (socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP)
    expected = [("bind", ("", 5353)), (*join, GROUP + one), (*join, GROUP + three)]
    assert recorded[0].did == [*SHARED, *expected]
    FAILURES[two] = errno.ENODEV
    with pytest.raises(OSError, match="it failed"):
        probe._joined(["192.0.2.1", "192.0.2.2"])
    assert recorded[1].did[-1] == ("close",)


def test_the_ear_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[socket.socket] = []
    joined = probe._joined

    def kept(addresses: Sequence[str]) -> socket.socket:
        opened.append(joined(addresses))
        return opened[0]

    async def main() -> None:
        monkeypatch.setattr(probe, "_joined", kept)
        await probe.hear(["127.0.3.8"], 0)
        await asyncio.sleep(0)
        assert opened[0].fileno() == -1

    run(main())


def test_an_address_that_is_not_ours_is_told_in_one_sentence() -> None:
    async def main() -> None:
        with pytest.raises(NetError, match=r"^Cannot search for tables \(mDNS, UDP port 5353\): "):
            await probe.hear(["198.51.100.7"], 0)

    run(main())


def test_a_flood_of_answers_is_bounded() -> None:
    collector = probe._AnswerCollector()
    for number in range(2 * probe.MOST):
        collector.datagram_received(b"", (f"10.0.{number // 256}.{number % 256}", 5353))
    assert len(collector.heard) == probe.MOST
