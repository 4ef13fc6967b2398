"""How much work is under way at once, in which order outcomes come, and what is cancelled."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Future
from pathlib import Path

import pytest

from p2p304.offline.archives import executors
from p2p304.offline.archives.executors import (
    KILLED,
    MOST_BYTES,
    Begun,
    each_file,
    each_in_order,
    transcripts,
)
from p2p304.storage.files import DataFolderError


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "POLL", 0.01)


PATHS = [Path(str(number)) for number in range(10)]


class Bench:
    """Work that ends when the test says so."""

    def __init__(self) -> None:
        self.begun: dict[str, Future[str]] = {}
        self.done: list[str] = []
        self.most = 0

    def begin(self, path: Path) -> Begun[str]:
        future = self.begun[path.name] = Future[str]()
        running = sum(not each.done() for each in self.begun.values())
        self.most = max(self.most, running)
        return Begun(future)

    def on_done(self, path: Path, outcome: str) -> None:
        self.done.append(path.name)

    def finish_last(self) -> None:
        """End what was begun last."""
        left = [name for name, future in self.begun.items() if not future.done()]
        if left:
            self.begun[left[-1]].set_result(left[-1])


def test_a_folder_may_have_the_name_of_a_transcript(tmp_path: Path) -> None:
    inner = tmp_path / "friday.304" / "empty.304"
    inner.mkdir(parents=True)
    (game := inner.parent / "game.304").write_bytes(b"")
    assert transcripts([tmp_path]) == transcripts([tmp_path / "friday.304", inner]) == [game]


def test_outcomes_come_in_order_however_the_work_ends() -> None:
    bench = Bench()
    out = list(each_in_order(PATHS, bench.begin, bench.on_done, bench.finish_last, most=4))
    assert out == [path.name for path in PATHS]
    assert bench.done != out and sorted(bench.done) == out
    assert bench.most == 4


def test_bytes_on_their_way_are_bounded() -> None:
    bench = Bench()
    third = MOST_BYTES // 3
    out = each_in_order(
        PATHS[:6], bench.begin, bench.on_done, bench.finish_last, weight=lambda path: third
    )
    assert list(out) == [path.name for path in PATHS[:6]] and bench.most == 3
    large = Bench()
    one = each_in_order(
        PATHS[:3], large.begin, large.on_done, large.finish_last, weight=lambda p: 2 * MOST_BYTES
    )
    assert list(one) == ["0", "1", "2"] and large.most == 1


def test_what_nobody_asks_for_any_more_is_cancelled() -> None:
    bench = Bench()

    def first() -> None:
        if not bench.begun["0"].done():
            bench.begun["0"].set_result("0")

    outcomes = each_in_order(PATHS, bench.begin, bench.on_done, first, most=3)
    assert next(outcomes) == "0"
    outcomes.close()
    assert [bench.begun[name].cancelled() for name in ("1", "2")] == [True, True]
    assert "3" not in bench.begun


def _killed(path: Path) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return path.name


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on Windows")
def test_a_killed_process_is_no_fault_of_a_file_or_of_the_program() -> None:
    with pytest.raises(DataFolderError) as stopped:
        list(each_file(_killed, PATHS, lambda path, outcome: None, jobs=2))
    assert str(stopped.value) == KILLED
