"""Discovery with a zeroconf that only writes down what it is asked: each step alone, at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import pytest
from zeroconf import ServiceStateChange

from p2p304.net.limits import LIMITS
from p2p304.net.mdns import discovery as mdns
from p2p304.net.mdns.discovery import Discovery
from p2p304.net.mdns.txt_record import Announcement, Found, to_txt
from tests.support.loopback import run, until

ADDED, UPDATED = ServiceStateChange.Added, ServiceStateChange.Updated
REMOVED = ServiceStateChange.Removed
ASHA = Announcement("Asha", "Asha's table", "classic304", 3, 4, "89abcdef01234567")
SEEKER = replace(ASHA, seeks="0123456789abcdef")
ROW = Found("n", ASHA, "1", "127.0.3.1", 4304, ("127.0.3.1",))


class Zeroconf:
    """Writes down what it is asked; a broadcast lasts until it is cancelled."""

    def __init__(self) -> None:
        self.did: list[str] = []

    def _broadcast(self) -> asyncio.Future[None]:
        return asyncio.ensure_future(forever())

    async def async_register_service(
        self, info: Any, cooperating_responders: bool
    ) -> asyncio.Future[None]:
        assert cooperating_responders, "names are random: no time is lost on a probe"
        self.did.append(f"register {info.port}")
        return self._broadcast()

    async def async_update_service(self, info: Any) -> asyncio.Future[None]:
        self.did.append(f"update {info.port}")
        return self._broadcast()

    async def async_unregister_service(self, info: Any) -> Awaitable[None]:
        self.did.append(f"unregister {info.port}")

        async def goodbye() -> None:
            self.did.append("goodbye")

        return goodbye()

    async def async_close(self) -> None:
        self.did.append("close")


class Browser:
    def __init__(self) -> None:
        self.cancelled = 0

    async def async_cancel(self) -> None:
        self.cancelled += 1


async def forever() -> None:
    await asyncio.Event().wait()


def made(zeroconf: Any = None, **limits: Any) -> Discovery:
    discovery = Discovery(["127.0.3.1"], replace(LIMITS, **limits))
    discovery._zeroconf = zeroconf
    return discovery


def test_an_announcement_is_changed_under_its_name_and_taken_back_with_a_goodbye() -> None:
    async def main() -> None:
        zeroconf = Zeroconf()
        discovery = made(zeroconf)
        await discovery.withdraw()
        assert zeroconf.did == []
        await discovery.announce(ASHA, 1)
        one = discovery._shown
        await discovery.announce(replace(ASHA, free=1), 2)
        other = discovery._shown
        assert one is not None and other is not None
        assert one.name == other.name and len(bytes.fromhex(one.name)) == 8
        sending = list(discovery._sending)
        assert len(sending) == 2
        await discovery.withdraw()
        assert zeroconf.did == ["register 1", "update 2", "unregister 2", "goodbye"]
        await asyncio.sleep(0)
        assert all(task.cancelled() for task in sending), "no announcement after the goodbye"
        await asyncio.sleep(0)
        assert discovery._shown is None and not discovery._sending

    run(main())


def test_closing_waits_for_what_is_sent_and_stops_all_that_runs() -> None:
    sent: list[str] = []

    async def shortly() -> None:
        await asyncio.sleep(0.02)
        sent.append("sent")

    async def fails() -> None:
        await asyncio.sleep(0.01)
        raise OSError("network is down")

    async def main() -> None:
        zeroconf, browser = Zeroconf(), Browser()
        discovery = made(zeroconf)
        holder: Any = browser
        discovery._browser = holder
        discovery._looking = True
        upkeep = discovery._upkeep = asyncio.create_task(forever())
        resolving = [asyncio.create_task(forever()), asyncio.create_task(fails())]
        discovery._resolving = dict(zip("ab", resolving, strict=True))
        discovery._send(shortly())
        discovery._send(fails())
        await discovery.close()
        assert sent == ["sent"] and zeroconf.did == ["close"] and browser.cancelled == 1
        assert upkeep.cancelled() and resolving[0].cancelled()
        await discovery.close()
        assert zeroconf.did == ["close"] and browser.cancelled == 1, "there is nothing left"
        assert not discovery.is_open and not discovery._looking

    run(main())


def test_only_so_many_names_are_kept_and_those_known_are_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    began: list[str] = []

    async def resolve(zeroconf: object, name: str) -> None:
        began.append(name)
        await forever()

    async def main() -> None:
        discovery, nothing = made(tables=3), Zeroconf()
        anything: Any = nothing
        monkeypatch.setattr(discovery, "_resolve", resolve)
        discovery.found, discovery.seekers = {"a": ROW}, {"b": ROW}

        async def changed(name: str, how: ServiceStateChange) -> None:
            discovery._changed(anything, "", name, how)
            await asyncio.sleep(0)

        await changed("c", ADDED)
        await changed("d", ADDED)
        assert began == ["c"], "two are kept, one is asked about"
        await changed("c", ADDED)
        assert began == ["c"], "it is being asked about already"
        asking = discovery._resolving["c"]
        await changed("c", UPDATED)
        await asyncio.sleep(0)
        assert began == ["c", "c"] and asking.cancelled()
        assert "c" in discovery._resolving, "the one that was cancelled takes no other away"
        await changed("a", UPDATED)
        await changed("b", UPDATED)
        assert began == ["c", "c", "a", "b"]
        now = list(discovery._resolving.values())
        for task in now:
            task.cancel()
        await asyncio.gather(*now, return_exceptions=True)
        await asyncio.sleep(0)
        assert not discovery._resolving
        told: list[int] = []
        discovery.on_change = lambda: told.append(len(discovery.found) + len(discovery.seekers))
        for name in ("a", "b", "x"):
            await changed(name, REMOVED)
        assert told == [1, 0], "of a name that is not kept nothing is told"

    run(main())


def test_a_record_is_kept_as_a_table_or_a_seeker_and_told_when_it_is_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[Announcement | None] = []

    class Info:
        port = 4304

        def __init__(self, service: str, name: str) -> None:
            what = heard[-1]
            told = to_txt(what) if what else {}
            self.properties = {key.encode(): value.encode() for key, value in told.items()}

        async def async_request(self, zeroconf: object, patience: int, question: object) -> bool:
            return bool(heard[-1])

        def parsed_scoped_addresses(self) -> list[str]:
            return ["127.0.3.1"]

    monkeypatch.setattr(mdns, "AsyncServiceInfo", Info)

    async def main() -> None:
        discovery, nothing = made(), Zeroconf()
        anything: Any = nothing
        changes: list[tuple[int, int]] = []
        discovery.on_change = lambda: changes.append((len(discovery.found), len(discovery.seekers)))

        async def resolved(name: str, what: Announcement | None) -> None:
            heard.append(what)
            await discovery._resolve(anything, name)

        await resolved("a", None)
        assert changes == []
        await resolved("a", ASHA)
        await resolved("b", SEEKER)
        await resolved("a", ASHA)
        assert changes == [(1, 0), (1, 1)]
        await resolved("a", replace(ASHA, free=1))
        assert changes[2:] == [(1, 1)] and discovery.found["a"].announcement.free == 1
        await resolved("a", replace(ASHA, seats=0))
        assert changes[3:] == [(0, 1)], "it describes no table any more"

    run(main())


def test_it_asks_soon_after_the_start_then_seldom_and_stops_the_browser_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    followed, asked = list[float](), list[float]()
    monkeypatch.setattr(mdns, "own_interfaces", lambda: ["the same"])

    async def main() -> None:
        loop, old = asyncio.get_running_loop(), Browser()
        discovery = made(Zeroconf(), look_around=0.01, ask_soon=0.1, ask_again=30.0)

        async def follow(zeroconf: object) -> None:
            followed.append(loop.time())

        async def bounded() -> None: ...

        monkeypatch.setattr(discovery, "_follow_interfaces", follow)
        monkeypatch.setattr(discovery, "_be_bounded", bounded)
        monkeypatch.setattr(discovery, "_ask", lambda zeroconf: asked.append(loop.time()))
        holder: Any = old
        discovery._looking, discovery._browser = True, holder
        began = loop.time()
        keeping = asyncio.create_task(discovery._keep_up())
        await until(lambda: old.cancelled)
        await asyncio.sleep(0.1)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        assert len(followed) == len(asked) == old.cancelled == 1
        assert followed[0] - began >= 0.1

    run(main())
