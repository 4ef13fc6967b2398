"""The demonstration where loopback has one address, and where a node cannot begin."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.frontends import demo
from p2p304.net.interfaces import loopback_addresses
from p2p304.rules.variants.presets import PRESETS
from p2p304.wire.names import is_name
from tests.support.paths import TRANSCRIPTS


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


def test_lines_of_windows_are_read_as_those_of_other_systems() -> None:
    told: list[str] = []

    async def narrated() -> None:
        output = asyncio.StreamReader()
        output.feed_data("Asha opens a table.\r\n\r\nකපනවා\n".encode() + b"\x85\r\n")
        output.feed_eof()
        process: Any = SimpleNamespace(stdout=output)
        await demo._narrate(process, told.append)

    asyncio.run(narrated())
    assert told == ["Asha opens a table.", "", "කපනවා", "\N{REPLACEMENT CHARACTER}"]


def test_nodes_write_what_is_read_whatever_the_system_writes_into_pipes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environments: list[dict[str, str]] = []

    async def start(*words: str, env: dict[str, str], **streams: object) -> None:
        environments.append(env)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    monkeypatch.setenv("P2P304_LANG", "si")
    asyncio.run(demo._start("Asha", "127.0.0.1", tmp_path, "demo", 1, PRESETS["pagat"]))
    assert environments[0]["PYTHONIOENCODING"] == "utf-8"
    assert environments[0]["P2P304_LANG"] == "si"


def test_two_demonstrations_at_once_have_a_table_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables: list[str] = []

    async def start(nick: str, address: str, folder: Path, table: str, *_: object) -> Node:
        tables.append(table)
        return Node(0, 0, True)

    monkeypatch.setattr(demo, "_start", start)
    monkeypatch.setattr(demo, "_conclude", lambda *_: 0)
    for _ in range(2):
        asyncio.run(demo.run(1, PRESETS["online-2"], False, tmp_path, lambda line: None))
    assert all(is_name(table) for table in tables)
    assert tables[0] == tables[1] != tables[2] == tables[3]


class Node:
    """A node that tells these lines, one every so many seconds, and ends; or never ends."""

    def __init__(self, lines: int, pause: float, ends: bool) -> None:
        self.stdout, self.returncode = asyncio.StreamReader(), None
        self._work = asyncio.create_task(self._run(lines, pause, ends))

    async def _run(self, lines: int, pause: float, ends: bool) -> int:
        for _ in range(lines):
            await asyncio.sleep(pause)
            self.stdout.feed_data(b"Asha passes.\n")
        while not ends:
            await asyncio.sleep(60)
        self.stdout.feed_eof()
        return 0

    async def wait(self) -> int:
        return await self._work

    def terminate(self) -> None:
        self._work.cancel()
        self._work = asyncio.create_task(asyncio.sleep(0, 1))


@pytest.mark.parametrize("ends", [True, False])
def test_only_silence_lasts_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: bool
) -> None:
    """A slow computer plays on; a game that has stopped is ended."""

    async def start(nick: str, *_: object) -> Node:
        return Node(8 if ends else 1, 0.15, ends) if nick == "Asha" else Node(0, 0, True)

    monkeypatch.setattr(demo, "TIMEOUT", 0.4)
    monkeypatch.setattr(demo, "_start", start)
    monkeypatch.setattr(demo, "_conclude", lambda *_: 0)
    told: list[str] = []
    status = asyncio.run(demo.run(1, PRESETS["online-2"], False, tmp_path, told.append))
    assert told[0] == "Asha passes." and status == (0 if ends else 1)
    assert len(told) == (8 if ends else 2)
    assert ends or told[-1].startswith("The bots have stopped: they told nothing for 1 s. The logs")


def test_it_tells_the_hand_and_how_long_the_rest_takes() -> None:
    now = 10.0
    progress = demo.GameProgress(3, lambda: now)
    assert progress.after("Asha opens a table.") == ""
    assert progress.after("") == "Hand 1 of 3"
    now = 12.5
    assert progress.after("Asha bids 160.") == "Hand 1 of 3", "of the first hand nothing is known"
    assert progress.after("") == "Hand 2 of 3, about 6 s left"
    now = 20.0
    assert progress.after("") == "Hand 3 of 3, about 6 s left"
    assert progress.after("") == "Hand 4, 11 s so far", "a hand did not count"


def test_of_a_match_it_tells_the_hand_and_the_time_so_far() -> None:
    now = 10.0
    progress = demo.GameProgress(0, lambda: now)
    progress.after("")
    now = 200.0
    assert progress.after("") == "Hand 2, 4 min so far"


def test_the_audit_at_its_end_tells_how_far_it_has_come(tmp_path: Path) -> None:
    game = TRANSCRIPTS / "good.304"
    times = {"transcript": str(game), "seated": 1.0, "dealt": 2.0, "over": 3.0}
    (tmp_path / "Asha.json").write_text(json.dumps(times))
    told, shown = list[str](), list[str]()
    assert demo._conclude(tmp_path, ("Asha",), [], False, told.append, shown.append) == 0
    assert "1 of 1 transcripts" in shown[-2] and shown[-1] == ""
