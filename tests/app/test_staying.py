"""A finished node stays a while for who has not seen the end, and keeps what it takes to help."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from p2p304.app import session
from p2p304.app.config import NodeConfig
from p2p304.app.session import Session
from p2p304.rules.core.phrases import verbatim
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.unfinished import resumable_tables
from p2p304.table.exchange.journal_records import read_journal
from p2p304.table.exchange.sync import sync_bytes
from p2p304.table.node.notices import MOST
from p2p304.wire.framing import FrameKind
from tests.support.table.crashes import Memo, World
from tests.support.table.folders import data_folder

BRIEF, LONG = 0.3, 20.0
"""Seconds, in place of 5 and 30: so long as a test waits for, and as it would not."""


@pytest.fixture(scope="module")
def over() -> Iterator[World]:
    """A table that is over for all four."""
    with pytest.MonkeyPatch.context() as patch:
        Memo(patch)
        world = World()
        world.run()
        assert world.finished
        yield world


@pytest.fixture
def asha(over: World, tmp_path: Path) -> Iterator[DataFolder]:
    with closing(data_folder(over, 0, tmp_path)) as store:
        yield store


def stay(
    asha: DataFolder, over: World, leaves: bool, seen: tuple[int, ...], linger: float, hurry: float
) -> tuple[float, list[str]]:
    """How long the node stays, and what it says: ``seen`` have told it that they saw the end."""

    async def end() -> tuple[float, list[str]]:
        said: list[str] = []
        memory = read_journal(asha.games()[0].journal.records())
        running = Session(asha, "Asha", NodeConfig("127.0.0.1"), lambda event: None, memory=memory)
        running.reports.show = lambda phrase: said.append(str(phrase))
        table, theirs = running.node.table, over.nodes[1].table  # type: ignore[union-attr]
        assert table is not None and theirs is not None
        for receipt in theirs.chain.receipts_at(theirs.chain.next_seq - 1):
            peer = table.terms.keys[receipt.author]
            table.receive(peer, FrameKind.RECEIPT, receipt.encode(), 0.0)
        assert table.is_finished and not table.has_everybody_finished
        for player in seen:
            peer = table.terms.keys[player]
            table.receive(peer, FrameKind.SYNC, sync_bytes(theirs.chain), 0.0)
        running._over.set()
        if leaves:
            running.leave()
        begun = time.monotonic()
        await running.run()
        return time.monotonic() - begun, said

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "LINGER", linger)
        patch.setattr(session, "HURRY", hurry)
        return asyncio.run(end())


@pytest.mark.parametrize(("leaves", "linger"), [(False, 2 * BRIEF), (True, LONG)])
def test_it_stays_for_who_has_not_seen_the_end_and_keeps_its_journal(
    asha: DataFolder, over: World, leaves: bool, linger: float
) -> None:
    waited, said = stay(asha, over, leaves, (1, 3), linger, BRIEF)
    assert (BRIEF if leaves else linger) <= waited < LONG
    assert said == [
        "Waiting a few seconds: another player's program still needs the end of the game."
    ]
    assert asha.games()[0].journal.records()


def test_once_all_have_seen_the_end_it_goes_and_erases_the_secrets(
    asha: DataFolder, over: World
) -> None:
    waited, said = stay(asha, over, False, (1, 2, 3), LONG, LONG)
    assert waited < LONG and said == [] and asha.games() == []


def test_what_had_happened_before_is_told_once_and_then_left(asha: DataFolder) -> None:
    """A long table's journal and its events take more memory than all that a node needs."""

    async def story() -> tuple[int, int]:
        (left,) = resumable_tables(asha)
        assert left.moves == len(left.memory.past) > 50 and left.memory is not left.memory
        memory = left.memory
        session = Session(asha, "Asha", NodeConfig("127.0.0.1"), lambda event: None, memory=memory)
        told = len(session.take_past()), len(session.take_past())
        session.driver.flush()  # the transcript is written
        assert session.node.table is not None
        chain = session.node.table.chain
        chain.forget(10)
        assert chain.first_kept >= 10
        assert [chain.entry(seq).raw for seq in range(10)] == [
            place.entry for place in memory.past[:10]
        ]
        await session.close()
        return told

    first, again = asyncio.run(story())
    assert first > 50 and again == 0


def test_an_address_that_is_tried_every_second_is_told_once(tmp_path: Path) -> None:
    """Only other things that are left out are counted."""

    async def story() -> list[str]:
        session = Session(DataFolder(tmp_path), "Asha", NodeConfig("127.0.0.1"), lambda event: None)
        told: list[str] = []
        session.reports.show = lambda phrase: told.append(str(phrase))
        for _ in range(100):
            session.reports.tell_of_network(
                verbatim("Cannot reach 127.0.0.1:1: connection refused.")
            )
        for number in range(MOST):
            session.reports.tell_of_network(verbatim(f"Another trouble, {number}."))
        await session.close()
        return told

    told = asyncio.run(story())
    assert len(told) == MOST + 1 and told[-1].startswith("1 more")
