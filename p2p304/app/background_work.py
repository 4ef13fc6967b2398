"""What a node does while it waits for others or for its player, mostly in worker threads, so that
its links are served meanwhile.

Responsible for when entries are prepared (table/player/preparation.py), and for running searches:
for a call of Caps (table/player/pending_claim.py), and for the hint of a turn whose time is nearly
up (table/machine/turn_timer.py). It stops such work at the end of a session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from p2p304.net.links.driver import Driver
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.machine.turn_timer import HintSearch
from p2p304.table.node.node import Node
from p2p304.table.player.pending_claim import Search
from p2p304.table.player.preparation import Preparation
from p2p304.table.state.events import Event

PREPARES_AFTER = 0.05
"""Seconds from a player's turn to the preparation of its entries."""


class BackgroundWork:
    """The background work of one node. Call `on_quiet` after everything due was sent."""

    def __init__(self, node: Node, driver: Driver[Event], prepares: bool) -> None:
        self.prepares = prepares
        """Whether entries are prepared while the player thinks. A program chooses at once."""
        self._node, self._driver = node, driver
        self._tasks: set[asyncio.Task[None]] = set()
        self._searched: tuple[bytes, int] | None = None

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop all work."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def on_quiet(self) -> None:
        """Make the next entry of a deal; begin a search that is due, and the preparation of what
        the player may choose."""
        table = self._node.table
        if table is None:
            return
        table.turns.prepare_ahead()  # not in a thread: nothing goes on here before it is made
        table.searched_elsewhere = True
        search, preparation = table.search, table.turns.preparation if self.prepares else None
        if search is not None and self._searched != (table.terms.table, search.place):
            self._searched = table.terms.table, search.place
            self.start(self._run_search(table, search))
        hint = table.turns.hint_search(self._driver.now)
        if hint is not None:
            self.start(_run_hint(table, hint))
        if preparation is not None and not preparation.is_begun:
            preparation.is_begun = True
            self.start(_prepare(preparation))

    async def _run_search(self, table: TableMachine, search: Search) -> None:
        order = await asyncio.to_thread(search.order)
        self._searched = None
        if self._node.table is table:
            table.take_search_result(search.place, order, self._driver.now)
            self._driver.flush()


async def _run_hint(table: TableMachine, search: HintSearch) -> None:
    action = None
    with suppress(Exception):  # what the hint does not know is left to chance
        action = await asyncio.to_thread(search.action)
    table.turns.hint.found(search.place, action)


async def _prepare(preparation: Preparation) -> None:
    """Prepare what the player may choose, once the others had a moment to go on with what was
    sent."""
    await asyncio.sleep(PREPARES_AFTER)
    await asyncio.to_thread(preparation.run)
