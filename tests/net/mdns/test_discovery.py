"""Real mDNS, each node on a loopback address of its own: nothing leaves the machine."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from zeroconf import IPVersion
from zeroconf._protocol.outgoing import DNSOutgoing
from zeroconf.asyncio import AsyncServiceInfo

from p2p304.net.errors import NetError
from p2p304.net.interfaces import outside_addresses
from p2p304.net.limits import LIMITS, Limits
from p2p304.net.mdns import discovery as mdns
from p2p304.net.mdns.discovery import SERVICE, Announcement, Discovery
from p2p304.rules.core.phrases import verbatim
from tests.support.loopback import run, until

ASHA = Announcement("Asha", "Asha's table", "classic304", 3, 4, "89abcdef01234567")
APART = f"_p304t{os.getpid() % 10**7}._tcp.local."
"""A service of this process alone: tests that run beside these have tables of their own."""
SHORT = replace(LIMITS, ask_again=0.3)


@asynccontextmanager
async def discovery(number: int, limits: Limits = LIMITS) -> AsyncIterator[Discovery]:
    made = Discovery([f"127.0.3.{number}"], limits, APART)
    await made.start()
    try:
        yield made
    finally:
        await made.close()


def test_a_table_is_found_changes_and_goes() -> None:
    async def main() -> None:
        async with discovery(1) as founder, discovery(2) as guest:
            changes: list[int] = []
            guest.on_change = lambda: changes.append(len(guest.found))
            guest.look()
            await founder.announce(ASHA, 4304)
            await until(lambda: guest.found)
            (found,) = guest.found.values()
            assert (found.announcement, found.version) == (ASHA, "1")
            assert (found.host, found.port) == ("127.0.3.1", 4304)
            await founder.announce(replace(ASHA, free=1), 4304)
            await until(lambda: [f.announcement.free for f in guest.found.values()] == [1])
            assert len(guest.found) == 1
            await founder.withdraw()
            await until(lambda: not guest.found)
            assert changes == [1, 1, 0]

    run(main())


def test_a_table_that_was_there_before_is_found() -> None:
    async def main() -> None:
        async with discovery(1) as founder:
            await founder.announce(ASHA, 4304)
            async with discovery(2) as guest:
                guest.look()
                await until(lambda: guest.found)

    run(main())


def test_closing_says_goodbye() -> None:
    async def main() -> None:
        async with discovery(2) as guest:
            guest.look()
            async with discovery(1) as founder:
                await founder.announce(ASHA, 4304)
                await until(lambda: guest.found)
            await until(lambda: not guest.found)

    run(main())


def test_it_closes_where_a_signal_has_cancelled_its_opening() -> None:
    """A bot loses its table, begins to seek the others, and is told to end."""
    closed = list[bool]()

    async def work(made: Discovery) -> None:
        opening = asyncio.create_task(made.start())
        try:
            await asyncio.sleep(60)
        finally:
            opening.cancel()
            await asyncio.gather(opening, return_exceptions=True)
            await made.close()
            closed.append(not made.is_open)

    async def main() -> None:
        made = Discovery(["127.0.3.1"], service=APART)
        working = asyncio.create_task(work(made))
        while not made.is_open:  # it is being opened: the sockets are not ready yet
            await asyncio.sleep(0)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)

    run(main())
    assert closed == [True]


def test_the_question_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """One browser would ask at 0, 1, 5 and 14 s."""

    async def main() -> None:
        async with discovery(2, SHORT) as guest:
            questions: list[DNSOutgoing] = []
            asker = guest._opened().zeroconf
            send = asker.async_send

            def counting(out: DNSOutgoing, *rest: Any) -> None:
                if out.is_query():
                    questions.append(out)
                send(out, *rest)

            monkeypatch.setattr(asker, "async_send", counting)
            guest.look()
            await until(lambda: len(questions) >= 5)
            assert {question.name for out in questions for question in out.questions} == {APART}

    run(main())


def test_a_browser_that_another_replaces_is_stopped() -> None:
    async def main() -> None:
        async with discovery(2, replace(SHORT, look_around=0.1)) as guest:
            guest.look()
            first = guest._browser
            assert first is not None
            await until(lambda: guest._browser is not first)
            await until(lambda: first.done)

    run(main())


def test_it_looks_again_after_it_was_closed() -> None:
    async def main() -> None:
        async with discovery(1) as founder, discovery(2) as guest:
            guest.look()
            first = guest._browser
            await guest.close()
            assert first is not None and first.done
            await guest.start()
            guest.look()
            assert guest._browser is not None, "it asks at once, not only when it asks again"
            await founder.announce(ASHA, 4304)
            await until(lambda: guest.found)

    run(main())


def test_a_table_whose_announcement_was_lost_is_found() -> None:
    """It began on the other side of a cut, which has healed since."""

    async def main() -> None:
        async with discovery(2, SHORT) as guest, discovery(1) as founder:
            guest.look()
            await asyncio.sleep(0.05)
            announcer = founder._opened().zeroconf
            send = announcer.async_send
            announcer.async_send = lambda *a, **k: None  # type: ignore[method-assign]
            await founder.announce(ASHA, 4304)
            await asyncio.sleep(0.6)
            assert not guest.found
            announcer.async_send = send  # type: ignore[method-assign]
            await until(lambda: guest.found)

    run(main())


def test_two_tables_of_one_name_stay_apart() -> None:
    async def main() -> None:
        async with discovery(1) as one, discovery(2) as two, discovery(3) as guest:
            guest.look()
            await one.announce(ASHA, 1)
            await two.announce(ASHA, 2)
            await until(lambda: {found.port for found in guest.found.values()} == {1, 2})

    run(main())


def test_the_name_is_fresh_every_time() -> None:
    async def main() -> None:
        names = set()
        async with discovery(1) as founder:
            for _ in range(2):
                await founder.announce(ASHA, 4304)
                if founder._shown is None:
                    raise AssertionError("nothing announced")
                names.add(founder._shown.info.name)
                assert founder._shown.info.server != "localhost"
                await founder.withdraw()
        assert len(names) == 2
        assert all(len(name.split(".")[0]) == 16 for name in names)

    run(main())


def test_a_flood_of_tables_is_bounded() -> None:
    async def main() -> None:
        async with discovery(1) as flood, discovery(2, replace(LIMITS, tables=5)) as guest:
            guest.look()
            zeroconf = flood._opened()
            infos = [
                flood._service(replace(ASHA, table=f"T{n}"), n + 1, f"f{n}") for n in range(20)
            ]
            for info in infos:
                await zeroconf.async_register_service(info, cooperating_responders=True)
            await until(lambda: len(guest.found) == 5)
            await asyncio.sleep(0.2)
            assert len(guest.found) == 5
            for info in infos:
                await zeroconf.async_unregister_service(info)

    run(main())


def test_a_cache_over_its_limit_is_begun_anew_and_the_table_announced_again() -> None:
    async def main() -> None:
        async with discovery(1) as founder:
            troubles: list[str] = []
            founder.trouble = lambda phrase: troubles.append(str(phrase))
            await founder.announce(ASHA, 4304)
            founder.look()
            first, shown = founder._opened(), founder._shown
            known, browser = len(first.zeroconf.cache.names()), founder._browser
            assert browser is not None
            founder.limits = replace(LIMITS, names=known)
            await founder._be_bounded()
            assert founder._opened() is first and founder._shown == shown and not troubles
            founder.limits = replace(LIMITS, names=known - 1)
            await founder._be_bounded()
            assert founder._opened() is not first and browser.done
            assert founder._browser not in (None, browser)
            assert troubles == ["Too many tables are announced on this network. Searching again."]
            assert shown is not None and founder._shown is not None
            again = founder._shown
            assert (again.what, again.port) == (ASHA, 4304) and again.name != shown.name

    run(main())


def test_a_flood_while_the_network_is_gone_does_not_end_the_search() -> None:
    async def main() -> None:
        async with discovery(1) as founder:
            told, open_truly, failures = list[str](), founder._open, [1, 2]
            founder.trouble = lambda phrase: told.append(str(phrase))
            await founder.announce(ASHA, 4304)

            async def open_later() -> None:
                if failures:
                    failures.pop()
                    raise NetError(verbatim("There is no network."))
                await open_truly()
                founder.limits = LIMITS

            founder._open = open_later  # type: ignore[method-assign]
            founder.limits = replace(LIMITS, names=-1, look_around=0.01)
            await until(lambda: founder.limits is LIMITS and founder._shown is not None)
            assert founder._upkeep is not None and not founder._upkeep.done()
            assert told[1:] == ["There is no network."] * 2

    run(main())


def test_a_hostile_record_is_cleaned_or_left() -> None:
    async def main() -> None:
        async with discovery(1) as hostile, discovery(2) as guest:
            guest.look()
            zeroconf = hostile._opened()
            good: dict[str, str | bytes] = {"v": "1", "table": "T", "free": "1", "seats": "4"}
            records: list[dict[str, str | bytes]] = [
                {**good, "nick": b"\x1b[31mred\xff"},
                {**good, "nick": "\u202e"},
                {},
                {"v": b"\xff"},
            ]
            for n, properties in enumerate(records):
                info = AsyncServiceInfo(
                    APART,
                    f"h{n}.{APART}",
                    addresses=[socket.inet_aton("127.0.3.1")],
                    port=n + 1,
                    properties=properties,
                    server=f"h{n}.local.",
                )
                await zeroconf.async_register_service(info, cooperating_responders=True)
            await until(lambda: guest.found)
            await asyncio.sleep(0.3)
            assert [f.announcement.nick for f in guest.found.values()] == ["[31mred�"]

    run(main())


def test_long_names_are_cut_before_they_are_announced() -> None:
    async def main() -> None:
        async with discovery(1) as founder, discovery(2) as guest:
            guest.look()
            await founder.announce(replace(ASHA, nick="\U0001f0a1" * 99, table="x" * 999), 4304)
            await until(lambda: guest.found)
            (found,) = guest.found.values()
            assert found.announcement.nick == "\U0001f0a1" * 48
            assert found.announcement.table == "x" * 64

    run(main())


def test_an_address_that_is_not_ours_is_one_clear_sentence() -> None:
    async def main() -> None:
        made = Discovery(["198.51.100.7"])
        with pytest.raises(NetError, match=r"^Cannot search for tables on 198\.51\.100\.7: .*\.$"):
            await made.start()
        await made.close()

    run(main())


def test_it_says_where_it_listens() -> None:
    assert Discovery(["127.0.3.1"]).addresses == ("127.0.3.1",)
    assert outside_addresses()[0] in Discovery().addresses


def test_the_name_of_the_service() -> None:
    assert Discovery().service == SERVICE == "_p2p304._tcp.local."


def test_looking_before_starting_is_told() -> None:
    async def main() -> None:
        with pytest.raises(NetError, match="not open"):
            Discovery(["127.0.3.1"]).look()

    run(main())


def test_only_the_chosen_address_is_announced() -> None:
    async def main() -> None:
        async with discovery(1) as founder:
            info = founder._service(ASHA, 1, "n")
            assert info.parsed_addresses() == ["127.0.3.1"]

    run(main())


def test_a_changed_address_is_announced_anew() -> None:
    async def main() -> None:
        async with discovery(1, SHORT) as founder, discovery(2) as guest:
            guest.look()
            await founder.announce(ASHA, 4304)
            await until(lambda: guest.found)
            founder.interfaces = ["127.0.3.1", "127.0.3.7"]
            await until(lambda: any(len(f.addresses) == 2 for f in guest.found.values()))

    run(main())


def test_no_packet_goes_to_another_interface() -> None:
    async def main() -> None:
        async with discovery(1) as founder:
            senders = founder._opened().zeroconf.engine.senders
            assert {s.transport.get_extra_info("sockname")[0] for s in senders} == {"127.0.3.1"}

    run(main())


@pytest.mark.parametrize(
    ("addresses", "versions"),
    [
        (["127.0.0.1", "::1", "192.0.2.1"], IPVersion.V4Only),
        (["127.0.0.1", "fe80::1"], IPVersion.All),
        ([], IPVersion.V4Only),
    ],
)
def test_ipv6_is_used_only_where_it_leads_anywhere(
    addresses: list[str], versions: IPVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [ipaddress.ip_interface(address) for address in addresses]
    monkeypatch.setattr(mdns, "own_interfaces", lambda: own)
    assert mdns._versions() is versions


class Asked:
    """Stands for zeroconf, and writes down what it is asked."""

    def __init__(self) -> None:
        self.did: list[object] = []

    async def async_update_interfaces(self, ip_version: IPVersion) -> None:
        self.did.append(ip_version)

    async def async_update_service(self, info: AsyncServiceInfo) -> Any:
        self.did.append(tuple(info.parsed_addresses()))
        return asyncio.sleep(0)


def test_interfaces_are_followed_unless_they_were_chosen_and_an_address_is_told_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> None:
        chosen, free, asked = Discovery(["127.0.3.1"]), Discovery(), Asked()
        zeroconf: Any = asked
        await chosen._follow_interfaces(zeroconf)
        assert asked.did == []
        monkeypatch.setattr(mdns, "_versions", lambda: IPVersion.All)
        await free._follow_interfaces(zeroconf)
        assert asked.did == [IPVersion.All], "nothing is announced that could change"
        asked.did.clear()
        chosen._shown = mdns._Shown(ASHA, 1, "n", chosen._service(ASHA, 1, "n"))
        for addresses in (["127.0.3.1"], ["127.0.3.7", "127.0.3.1"], ["127.0.3.1", "127.0.3.7"]):
            chosen.interfaces = addresses
            await chosen._follow_interfaces(zeroconf)
        assert asked.did == [("127.0.3.7", "127.0.3.1")]
        await chosen.close()

    run(main())


def test_a_change_of_interfaces_is_followed_at_once_and_a_failure_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They change before the fourth look, and stay so."""
    looks, followed, told = iter(range(100)), list[int](), list[str]()
    looked: list[int] = []

    def own() -> list[str]:
        looked.append(next(looks))
        return ["a"] if looked[-1] < 4 else ["a", "b"]

    async def follow(zeroconf: object) -> None:
        followed.append(looked[-1])
        raise OSError("network is down")

    async def bounded() -> None: ...

    async def main() -> None:
        made = Discovery(["127.0.3.1"], replace(LIMITS, look_around=0.0))
        made.trouble = lambda sentence: told.append(str(sentence))
        nothing: Any = Asked()
        monkeypatch.setattr(mdns, "own_interfaces", own)
        monkeypatch.setattr(made, "_zeroconf", nothing)
        monkeypatch.setattr(made, "_follow_interfaces", follow)
        monkeypatch.setattr(made, "_be_bounded", bounded)
        keeping = asyncio.create_task(made._keep_up())
        await until(lambda: looked and looked[-1] >= 8)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)

    run(main())
    assert followed == [4] and len(told) == 1 and "network is down" in told[0]
