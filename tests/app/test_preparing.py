"""A person's session prepares entries in a thread, once for a turn; every session prepares the next
entry of a deal, at once. Hints are found in a thread, too."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from p2p304.app import background_work
from p2p304.app.config import NodeConfig
from p2p304.app.session import Session
from p2p304.rules.core.actions import Action
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.table.machine.turn_timer import LEAD
from p2p304.table.player.preparation import Preparation
from tests.support.table.paused import paused
from tests.table.player.test_prepared_deals import waiting


@pytest.mark.parametrize("person", [True, False])
def test_entries_are_prepared_for_a_person_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, person: bool
) -> None:
    _, table = paused(Phase.PLAY, 2)
    monkeypatch.setattr(background_work, "PREPARES_AFTER", 0.0)
    threads: list[threading.Thread] = []
    run = Preparation.run

    def noted(preparation: Preparation) -> None:
        threads.append(threading.current_thread())
        run(preparation)

    monkeypatch.setattr(Preparation, "run", noted)

    async def main() -> None:
        store = DataFolder(tmp_path)
        running = Session(store, "Asha", NodeConfig("127.0.0.1"), lambda event: None, person)
        running.node.table = table
        running.background.on_quiet()
        running.background.on_quiet()
        await asyncio.gather(*running.background._tasks)
        assert table.searched_elsewhere
        if not person:
            assert not threads
        else:
            assert len(threads) == 1 and threads[0] is not threading.main_thread()
            preparation = table.turns.preparation
            assert preparation is not None and preparation._prepared
        running.driver.close()
        await running.mesh.close()
        store.close()

    asyncio.run(main())


@pytest.mark.parametrize("person", [True, False])
def test_the_next_entry_of_a_deal_is_made_as_soon_as_everything_is_sent(
    tmp_path: Path, person: bool
) -> None:
    _, _, first = waiting()

    async def main() -> None:
        store = DataFolder(tmp_path)
        running = Session(store, "Asha", NodeConfig("127.0.0.1"), lambda event: None, person)
        running.node.table = first
        running.background.on_quiet()
        prepared = first.turns._preparation
        assert prepared is not None and prepared.body("unlock") is not None
        running.driver.close()
        await running.mesh.close()
        store.close()

    asyncio.run(main())


def test_the_hint_of_a_turn_whose_time_is_nearly_up_is_found_beside_the_loop(
    tmp_path: Path,
) -> None:
    rules = preset("pagat").override({"timer": 30})
    _, table = paused(Phase.PLAY, 2, rules=rules)
    threads: list[threading.Thread] = []

    def choose(view: View) -> Action:
        threads.append(threading.current_thread())
        if len(threads) > 1:
            raise LookupError("this game is not known")
        return legal(view)[-1]

    async def main() -> None:
        store = DataFolder(tmp_path)
        running = Session(store, "Asha", NodeConfig("127.0.0.1"), lambda event: None, False)
        running.node.table = table
        table.turns.hint.choose = choose
        for wanted in (legal(table.view)[-1], None):
            now = running.driver.now
            table.turns.clock.until = now + LEAD / 2
            running.background.on_quiet()
            running.background.on_quiet()
            await asyncio.gather(*running.background._tasks)
            seq = table.chain.next_seq
            assert table.turns.hint.action(seq, table.view) == wanted
            assert not table.turns.hint.is_awaited(seq)
            table.turns.hint.reset()
        assert len(threads) == 2 and threading.main_thread() not in threads
        running.driver.close()
        await running.mesh.close()
        store.close()

    asyncio.run(main())
