"""Looking for members of one's table: begun again after every failure, and by both sides."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2p304.app.config import NodeConfig
from p2p304.app.session import Session
from p2p304.frontends.state_dump import state
from p2p304.net.errors import NetError
from p2p304.net.mdns.discovery import Announcement, Discovery
from p2p304.net.mdns.rendezvous import Rendezvous, meeting_place
from p2p304.net.mdns.txt_record import Found, key_mark
from p2p304.rules.core.phrases import verbatim
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.unfinished import book
from p2p304.table.state.events import Event
from tests.support.loopback import BRISK, KEYS, node, run, until

SAID = Announcement("Asha", "-", "-", 0, 0, "0" * 16, seeks="1" * 16)
NICKS = ("Asha", "Bandu", "Chitra", "Dilan")


@pytest.mark.parametrize(
    "error", [NetError(verbatim("no network")), OSError("gone"), RuntimeError()]
)
def test_what_fails_is_begun_again(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """A network that comes only later, as after waking or booting; a pause follows each failure."""
    failures, opened = [error, error], Discovery._open

    async def sometimes(discovery: Discovery) -> None:
        if failures:
            raise failures.pop()
        await opened(discovery)

    monkeypatch.setattr(Discovery, "_open", sometimes)

    async def main() -> None:
        limits = replace(BRISK, look_around=0.02)
        async with node(0, limits) as one:
            discovery = Discovery(["127.0.0.1"], limits, "_p2p304seek._tcp.local.")
            said = Announcement("Asha", "-", "-", 0, 0, "0" * 16, seeks="1" * 16)
            told: list[str] = []
            discovery.trouble = lambda phrase: told.append(str(phrase))
            meeting = Rendezvous(discovery, one.mesh, lambda: said, limits)
            loop = asyncio.get_running_loop()
            began = loop.time()
            meeting.missing([KEYS[3].public])
            await until(lambda: discovery.is_open)
            assert loop.time() - began >= 2 * limits.look_around
            why = str(error) or type(error).__name__
            expected = why if isinstance(error, NetError) else f"mDNS failed: {why}."
            assert told == [expected] * 2, "each failure is told"
            await meeting.close()
            await discovery.close()

    run(main())


def test_it_is_closed_or_rests_whatever_it_is_doing() -> None:
    class Hanging:
        """A discovery that never opens, or fails in a way that nobody foresaw."""

        is_open, error = False, None

        async def start(self) -> None:
            if self.error is not None:
                raise self.error
            await asyncio.Event().wait()

    def meeting(error: Exception | None) -> Rendezvous:
        discovery: Any = Hanging()
        discovery.error = error
        return Rendezvous(discovery, discovery, lambda: SAID, BRISK)

    async def main() -> None:
        await meeting(None).close()
        hanging = meeting(None)
        hanging.missing([KEYS[3].public])
        await asyncio.sleep(0)
        await hanging.close()
        failing = meeting(LookupError("unforeseen"))
        failing.missing([KEYS[3].public])
        await failing.rest()

    run(main())


def test_mdns_is_opened_anew_after_an_announcement_that_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failures, opened, announced = [OSError("gone")], Discovery._open, Discovery.announce
    openings: list[Discovery] = []

    async def counted(discovery: Discovery) -> None:
        openings.append(discovery)
        await opened(discovery)

    async def sometimes(discovery: Discovery, what: Announcement, port: int) -> None:
        if failures:
            raise failures.pop()
        await announced(discovery, what, port)

    monkeypatch.setattr(Discovery, "_open", counted)
    monkeypatch.setattr(Discovery, "announce", sometimes)

    async def main() -> None:
        limits = replace(BRISK, look_around=0.02)
        async with node(0, limits) as one:
            discovery = Discovery(["127.0.0.1"], limits, "_p2p304seek._tcp.local.")
            said = Announcement("Asha", "-", "-", 0, 0, "0" * 16, seeks="1" * 16)
            meeting = Rendezvous(discovery, one.mesh, lambda: said, limits)
            meeting.missing([KEYS[3].public])
            await until(lambda: discovery._shown)
            assert openings == [discovery, discovery]
            await meeting.close()
            await discovery.close()

    run(main())


def test_only_missing_members_of_this_table_are_dialled(monkeypatch: pytest.MonkeyPatch) -> None:
    """At all addresses that they announce; the most promising is added last, as the newest."""
    missing, other = KEYS[3].public, KEYS[4].public
    here, elsewhere = meeting_place(bytes(32)), meeting_place(bytes([1]) * 32)
    assert len(here) == len(elsewhere) == 16 and here != elsewhere
    dialled: list[tuple[bytes, str, int]] = []

    def found(key: bytes, table: str) -> Found:
        mark = key_mark(key, b"salt")
        said = Announcement("Dilan", "-", "-", 0, 0, mark, seeks=table)
        return Found("x", said, "1", "10.0.0.3", 4304, ("10.0.0.3", "10.0.0.4"))

    async def main() -> None:
        async with node(0) as one:
            monkeypatch.setattr(one.mesh, "want", lambda *told: dialled.append(told))
            discovery = Discovery(["127.0.0.1"], BRISK, "_p2p304seek._tcp.local.")
            own = Announcement("Asha", "-", "-", 0, 0, "0" * 24, seeks=here)
            meeting = Rendezvous(discovery, one.mesh, lambda: own, BRISK)
            monkeypatch.setattr(meeting, "_missing", (missing,))
            discovery.seekers = {
                "a": found(other, here),
                "b": found(missing, elsewhere),
                "c": found(missing, here),
            }
            meeting._look()

    run(main())
    assert dialled == [(missing, "10.0.0.4", 4304), (missing, "10.0.0.3", 4304)]


class Recorded(Discovery):
    """A discovery that opens nothing and writes down what it was asked to do."""

    def __init__(self, is_open: bool = False) -> None:
        super().__init__(["127.0.0.1"], BRISK, "_p2p304seek._tcp.local.")
        self.did: list[object] = []
        self.opened = is_open

    @property
    def is_open(self) -> bool:
        return self.opened

    async def start(self) -> None:
        self.did.append("start")
        self.opened = True

    def look(self) -> None:
        self.did.append("look")

    async def announce(self, what: Announcement, port: int) -> None:
        self.did.append(port)

    async def close(self) -> None:
        self.did.append("close")
        self.opened = False


MISSING = KEYS[3].public
OWN = Announcement("Asha", "-", "-", 0, 0, "0" * 24, seeks="1" * 16)


def seeker(host: str) -> Found:
    """The missing member, who looks for this table too."""
    said = replace(OWN, mark=key_mark(MISSING, b"salt"))
    return Found("x", said, "1", host, 4304, (host,))


@pytest.mark.parametrize("is_open", [False, True])
def test_mdns_is_open_while_somebody_is_missing_and_no_longer(is_open: bool) -> None:
    async def main() -> None:
        async with node(0) as one:
            discovery = Recorded(is_open)
            meeting = Rendezvous(discovery, one.mesh, lambda: OWN, BRISK)
            sought = ["look", one.mesh.port]
            meeting.missing([MISSING])
            meeting.missing([MISSING])
            await until(lambda: len(discovery.did) >= 2 + (not is_open))
            assert discovery.did == ([] if is_open else ["start"]) + sought
            discovery.did.clear()
            meeting.missing([MISSING])
            await asyncio.sleep(0.01)
            assert discovery.did == [], "it is open already"
            meeting.missing([])
            await until(lambda: discovery.did)
            meeting.missing([])
            await asyncio.sleep(0.01)
            assert discovery.did == ["close"]
            meeting.missing([MISSING])
            await until(lambda: len(discovery.did) == 4)
            assert discovery.did == ["close", "start", *sought]
            await meeting.close()

    run(main())


def test_a_member_who_is_found_is_dialled_whether_it_was_missing_before_or_after() -> None:
    async def main() -> None:
        async with node(0) as one:
            discovery = Recorded()
            meeting = Rendezvous(discovery, one.mesh, lambda: OWN, BRISK)
            discovery.seekers = {"x": seeker("127.0.0.7")}
            meeting.missing([MISSING])
            assert not one.mesh.dialled, "it has not begun to look"
            await until(lambda: one.mesh.dialled)
            one.mesh.hang(MISSING, "next")
            discovery.seekers = {"x": seeker("127.0.0.8")}
            discovery.on_change()
            assert one.mesh.dialled == {MISSING: (("127.0.0.8", 4304),)}
            one.mesh.hang(MISSING, "next")
            meeting.missing([MISSING])
            assert one.mesh.dialled == {MISSING: (("127.0.0.8", 4304),)}
            await meeting.close()

    run(main())


def test_after_a_rest_mdns_is_closed_and_whoever_opened_it_meanwhile() -> None:
    async def main() -> None:
        async with node(0) as one:
            discovery = Recorded()
            meeting = Rendezvous(discovery, one.mesh, lambda: OWN, BRISK)
            await meeting.rest()
            assert discovery.did == []
            meeting.missing([MISSING])
            await meeting.rest()
            assert discovery.did == ["close"]
            discovery.did, discovery.opened = [], True
            meeting.missing([])
            await until(lambda: discovery.did)
            assert discovery.did == ["close"]
            await meeting.close()

    run(main())


def test_closing_ends_a_search_that_cannot_begin() -> None:
    class Failing(Recorded):
        async def start(self) -> None:
            raise OSError("no network")

    async def main() -> None:
        async with node(0) as one:
            meeting = Rendezvous(Failing(), one.mesh, lambda: OWN, BRISK)
            meeting.missing([MISSING])
            await asyncio.sleep(0.01)
            async with asyncio.timeout(1.0):
                await meeting.close()

    run(main())


def test_all_members_look_for_each_other_whoever_dialled_first(tmp_path: Path) -> None:
    def ignore(event: Event) -> None: ...

    async def main() -> None:
        sessions = [
            Session(DataFolder(tmp_path / nick), nick, NodeConfig(f"127.0.0.{n + 1}", 0), ignore)
            for n, nick in enumerate(NICKS)
        ]
        try:
            await asyncio.gather(*(session.start() for session in sessions))
            await sessions[0].found("t", preset("pagat"), 1)
            for session in sessions[1:]:
                await session.join_address("127.0.0.1", sessions[0].mesh.port)
            await until(lambda: all(session.times.seated for session in sessions))
            for session in sessions:
                others = {other.key.public for other in sessions if other is not session}
                assert set(session.mesh._wanted) == others
                assert session.game is not None and set(book(session.game).peers) == others
                told = json.loads(json.dumps(state(session)))
                assert set(told["links"]) == set(NICKS) - {session.nick}
                assert told["place"] >= 5 and set(told["dials"]) == set(told["links"])
            await until(lambda: not any(session.discovery.is_open for session in sessions))
        finally:
            await asyncio.gather(*(session.close() for session in sessions))

    run(main())


def test_a_table_that_can_be_watched_is_announced_while_nobody_is_missing() -> None:
    """As soon as there is such a table; mDNS is not used to look for anybody meanwhile."""

    async def main() -> None:
        async with node(0) as one:
            discovery, played = Recorded(), list[Announcement]()
            meeting = Rendezvous(
                discovery, one.mesh, lambda: OWN, BRISK, lambda: played[0] if played else None
            )
            for missing in ([], [MISSING], []):
                meeting.missing(missing)
                await until(lambda: meeting._task is not None and meeting._task.done())
                if not played:
                    assert discovery.did == ["close"]
                    played.append(replace(OWN, is_watched=True))
                    meeting.missing([])
                    await until(lambda: meeting._task is not None and meeting._task.done())
                    assert discovery.did == ["close", "close", "start", one.mesh.port]
                    discovery.did.clear()
            assert discovery.did == ["look", one.mesh.port, "close", "start", one.mesh.port]
            await meeting.close()

    run(main())
