"""A person's session prepares entries in a thread, once for a turn."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from p2p304.app import session
from p2p304.app.config import NodeConfig
from p2p304.app.session import Session
from p2p304.rules.state.hand import Phase
from p2p304.storage.data_folder import DataFolder
from p2p304.table.player.preparation import Preparation
from tests.support.table.paused import paused


@pytest.mark.parametrize("person", [True, False])
def test_entries_are_prepared_for_a_person_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, person: bool
) -> None:
    _, table = paused(Phase.PLAY, 2)
    monkeypatch.setattr(session, "PREPARES_AFTER", 0.0)
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
        running._on_quiet()
        running._on_quiet()
        await asyncio.gather(*running._background)
        if not person:
            assert not threads
        else:
            assert len(threads) == 1 and threads[0] is not threading.main_thread()
            preparation = table.preparation
            assert preparation is not None and preparation._prepared
        running.driver.close()
        await running.mesh.close()
        store.close()

    asyncio.run(main())
