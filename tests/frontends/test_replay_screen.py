"""The searches of a replay run beside the screen."""

from __future__ import annotations

import asyncio
import threading

from p2p304.frontends.fullscreen.replay_screen import SearchThread


def test_a_search_runs_in_a_thread_and_its_answer_comes_to_the_loop() -> None:
    going, told, drawn = threading.Event(), list[tuple[str, bool]](), list[int]()

    def work() -> str:
        assert going.wait(10)
        return threading.current_thread().name

    def done(found: str) -> None:
        told.append((found, threading.current_thread() is threading.main_thread()))

    async def run() -> None:
        search = SearchThread(lambda: drawn.append(len(told)))
        search(work, done)
        await asyncio.sleep(0.01)
        assert not told  # and the loop goes on
        going.set()
        while not drawn:
            await asyncio.sleep(0.001)

    asyncio.run(run())
    ((name, is_main),) = told
    assert name != threading.main_thread().name and is_main and drawn == [1]
