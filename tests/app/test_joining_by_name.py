"""A table is named where this computer cannot search for one."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from p2p304.app.config import NodeConfig
from p2p304.app.joining import join_typed, take_seat
from p2p304.app.session import Session
from p2p304.net.errors import NetError
from p2p304.net.mdns.discovery import Discovery
from p2p304.rules.core.phrases import say
from p2p304.storage.data_folder import DataFolder


def test_the_reason_is_told_and_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program may hold the port of mDNS for itself."""

    async def refuse(self: Discovery) -> None:
        raise NetError(say("Cannot search for tables on {address}: {why}.", address="x", why="y"))

    said: list[str] = []

    async def join(store: DataFolder) -> None:
        session = Session(store, "Asha", NodeConfig("127.0.0.1"), lambda event: None)
        session.reports.show = lambda phrase: said.append(str(phrase))
        try:
            await take_seat(session, "Friday")
        finally:
            await session.close()

    monkeypatch.setattr(Discovery, "start", refuse)
    with closing(DataFolder(tmp_path)) as store, pytest.raises(NetError) as told:
        asyncio.run(join(store))
    assert str(told.value) == (
        "Cannot search for tables on x: y. The lobby can't find tables. "
        "Join by address (HOST:PORT) instead."
    )
    assert said == [], "it is told once"


@pytest.mark.parametrize("typed", ["192.0.2.7:99999", "192.0.2.7:0", "[::1]:65536"])
def test_an_address_with_a_port_that_there_is_not_is_no_name(tmp_path: Path, typed: str) -> None:
    async def join(store: DataFolder) -> None:
        session = Session(store, "Asha", NodeConfig("127.0.0.1"), lambda event: None)
        try:
            await join_typed(session, typed)
        finally:
            await session.close()

    with closing(DataFolder(tmp_path)) as store, pytest.raises(NetError, match="1 to 65535"):
        asyncio.run(join(store))
