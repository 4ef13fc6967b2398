"""`play --hands N` without a table: a table that is opened in the lobby has so many hands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
import typer

from p2p304.app.config import NewTable, NodeConfig
from p2p304.cli import tables
from p2p304.frontends import text


def test_the_command_hands_it_to_the_lobby(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    configs: list[tuple[NodeConfig, object]] = []

    async def play(store: object, nick: object, config: NodeConfig, target: object) -> int:
        configs.append((config, target))
        return 0

    monkeypatch.setattr(tables, "_play_function", lambda plain: play)
    with pytest.raises(typer.Exit):
        tables.play(hands=3, home=tmp_path)
    ((config, target),) = configs
    assert config.hands == 3 and target is None


class Nobody:
    """A network on which nobody offers a table."""

    found: ClassVar[dict[str, Any]] = {}
    trouble = None

    async def start(self) -> None: ...

    def look(self) -> None: ...

    async def close(self) -> None: ...


def test_text_mode_opens_a_table_of_so_many_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    async def lines() -> AsyncIterator[str]:
        yield "open Friday"

    async def no_wait(seconds: float) -> None: ...

    monkeypatch.setattr("asyncio.sleep", no_wait)
    monkeypatch.setattr(NodeConfig, "discovery", Nobody())
    monkeypatch.setattr(text, "_offer", lambda *_: None)
    opened = asyncio.run(text._ask_for_table(NodeConfig(hands=3), lines(), lambda told: None))
    assert opened == NewTable("Friday", "pagat", 3, False, 0)
