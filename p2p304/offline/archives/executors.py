"""Where work on files is done: in this process, on several cores, or by any executor.

Responsible for how much is under way at once, and for the order of the outcomes. What is done with
a file is its caller's; the executor of a Dask cluster is cluster.py's.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any, Final, Generic, ParamSpec, TypeVar

from p2p304.log.transcript import SUFFIX
from p2p304.offline.archives.file_reader import tell_reads
from p2p304.offline.archives.progress import Progress
from p2p304.rules.core.phrases import english
from p2p304.storage.files import DataFolderError, why

P = ParamSpec("P")
Outcome = TypeVar("Outcome")
MOST_FILES: Final = 64
"""Files under way or waiting for an earlier one: what is done out of order waits in memory."""
MOST_BYTES: Final = 256 * 1024 * 1024
"""Bytes of files that are sent to other computers and not answered; one file may be larger."""
POLL: Final = 0.25
MOST_PROCESSES: Final = 61
"""Windows can wait for no more."""
KILLED: Final = english(
    "A process of this work was killed, perhaps because memory ran out. No file is at fault. Start "
    "the work again; p2p304 audit --jobs 1 needs the least memory."
)


def transcripts(paths: Sequence[Path]) -> list[Path]:
    """List the files: a folder stands for every transcript in it and below, in order. A folder
    may have any name. Raises DataFolderError."""
    found: list[Path] = []
    for path in paths:
        try:
            inside = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
            found += [each for each in inside if not each.is_dir()]
        except (OSError, RuntimeError) as error:
            reason = (
                why(error)
                if isinstance(error, OSError)
                else english("its symbolic links form a loop")
            )
            raise DataFolderError(
                "The folder {folder} cannot be read ({why}).", folder=str(path), why=reason
            ) from error
    return found


class ThisProcess(Executor):
    """Does the work at once, in this process; ``on_read`` hears of every piece that is read."""

    def __init__(self, on_read: Callable[[int], None] | None = None) -> None:
        tell_reads(on_read)

    def submit(
        self, fn: Callable[P, Outcome], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[Outcome]:
        done = Future[Outcome]()
        done.set_result(fn(*args, **kwargs))
        return done

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        tell_reads(None)


class Cores(ProcessPoolExecutor):
    """So many processes of this computer; ``bytes_read`` counts what all of them have read."""

    def __init__(self, jobs: int) -> None:
        # Forked processes start at once; where forking is not possible, or other threads run that
        # would not be forked, fresh ones are started.
        methods = multiprocessing.get_all_start_methods()
        can_fork = "fork" in methods and threading.active_count() == 1
        context = multiprocessing.get_context("fork" if can_fork else "spawn")
        self._bytes: Synchronized[int] = context.Value("Q", 0)
        super().__init__(jobs, context, _count_reads, (self._bytes,))

    @property
    def bytes_read(self) -> int:
        return self._bytes.value


def _count_reads(count: Synchronized[int]) -> None:
    """Let the process that shows the progress know what this one reads, and end without a word when
    a person stops them all."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def on_read(size: int) -> None:
        with count.get_lock():
            count.value += size

    tell_reads(on_read)


@dataclass(frozen=True, slots=True)
class Begun(Generic[Outcome]):
    """Work on one file: ``finish`` makes its outcome of the future when that is done."""

    future: Future[Any]
    finish: Callable[[Future[Any]], Outcome] = Future.result


def finished(outcome: Outcome) -> Begun[Outcome]:
    """Return work that is finished before it is begun."""
    future = Future[Outcome]()
    future.set_result(outcome)
    return Begun(future)


def each_file(
    work: Callable[[Path], Outcome],
    paths: Sequence[Path],
    on_done: Callable[[Path, Outcome], None],
    progress: Progress | None = None,
    jobs: int | None = None,
    known: Callable[[Path], Outcome | None] = lambda path: None,
) -> Iterator[Outcome]:
    """Yield the outcomes of ``work`` in the order of the files, by so many processes (default: one
    for each core); a single file is read in this process. ``known`` says what needs no work.
    Raises DataFolderError if a process is killed."""
    count = min(jobs or os.cpu_count() or 1, len(paths), MOST_PROCESSES)
    pool = Cores(count) if count > 1 else ThisProcess(None if progress is None else progress.read)

    def begin(path: Path) -> Begun[Outcome]:
        found = known(path)
        return Begun(pool.submit(work, path)) if found is None else finished(found)

    def on_wait() -> None:
        if progress is not None and isinstance(pool, Cores):
            progress.has_read(pool.bytes_read)

    try:
        # One process has nothing under way while it tells of a file.
        yield from each_in_order(paths, begin, on_done, on_wait, MOST_FILES if count > 1 else 1)
    except BrokenProcessPool as error:
        raise DataFolderError(KILLED) from error
    finally:
        if progress is not None:
            progress.end()
        pool.shutdown(cancel_futures=True)


def each_in_order(
    paths: Sequence[Path],
    begin: Callable[[Path], Begun[Outcome]],
    on_done: Callable[[Path, Outcome], None],
    on_wait: Callable[[], None],
    most: int = MOST_FILES,
    weight: Callable[[Path], int] = lambda path: 0,
) -> Generator[Outcome]:
    """Yield the outcomes of what is begun, in the order of the files. ``on_done`` hears of each as
    soon as it is there, ``on_wait`` several times a second.

    At most ``most`` files, and those of ``weight`` MOST_BYTES together, are under way at once. What
    waits for its turn is cancelled if the caller asks for no more.
    """
    left, heavy, next_out, begun = deque(paths), 0, 0, 0
    running: dict[Future[Any], tuple[int, Path, Begun[Outcome]]] = {}
    waiting: dict[int, Outcome] = {}
    try:
        while left or running or waiting:
            while left and begun - next_out < most:
                if heavy and heavy + weight(left[0]) > MOST_BYTES:
                    break
                path = left.popleft()
                work = begin(path)
                running[work.future] = begun, path, work
                begun, heavy = begun + 1, heavy + weight(path)
            for future in wait(running, POLL, FIRST_COMPLETED).done if running else ():
                number, path, work = running.pop(future)
                heavy -= weight(path)
                waiting[number] = work.finish(future)
                on_done(path, waiting[number])
            on_wait()
            while next_out in waiting:
                yield waiting.pop(next_out)
                next_out += 1
    finally:
        for future in running:
            future.cancel()
