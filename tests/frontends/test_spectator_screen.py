"""What a spectator reads at the full screen when the other end goes and comes back."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.frontends.fullscreen import spectator_screen
from p2p304.table.node.spectator_machine import SpectatorMachine
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.model import Model

EVERY = 0.001


async def until_noted(page: TablePage, is_noted: bool) -> None:
    async with asyncio.timeout(5):
        while (page.ui.note is not None) != is_noted:
            await asyncio.sleep(EVERY)


def test_a_lost_connection_is_told_until_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectator_screen, "LOOK_EVERY", EVERY)
    machine, page = SpectatorMachine(), TablePage(Model(watches=True), Look())
    drawn: list[object] = []
    terminal: Any = SimpleNamespace(refresh=lambda: drawn.append(page.ui.note), now=0.0)

    async def main() -> None:
        watching = asyncio.create_task(spectator_screen._watch(machine, page, terminal))
        await until_noted(page, True)
        assert str(page.ui.note) == "The connection to the table was lost. Trying again."
        machine.link_up(b"asha", "Asha", "h", 1, 0.0)
        await until_noted(page, False)
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)

    asyncio.run(main())
    assert len(drawn) == 2 and drawn[-1] is None
