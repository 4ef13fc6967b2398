"""Reads many transcripts at once, on all cores, and reports progress.

Responsible for the pool of processes and for which files a folder stands for. The verdict on each
transcript is audit.py's; one process reads a transcript from its beginning to its end.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from p2p304.log.transcript import SUFFIX, Unreadable
from p2p304.offline.audit import Report, audit
from p2p304.storage.data_folder import DataFolderError, read_file
from p2p304.storage.files import why

Progress = Callable[[str], None]
Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Audited:
    """One file's outcome: a report, or why it cannot be read."""

    path: Path
    report: Report | None
    why: str = ""

    @property
    def hands(self) -> int:
        return 0 if self.report is None else len(self.report.hands)


def transcripts(paths: Sequence[Path]) -> list[Path]:
    """List the files: a folder stands for every transcript in it and below, in order. Raises
    DataFolderError."""
    found: list[Path] = []
    for path in paths:
        try:
            found += sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
        except (OSError, RuntimeError) as error:
            reason = why(error) if isinstance(error, OSError) else "its symbolic links form a loop"
            raise DataFolderError(f"The folder {path} cannot be read ({reason}).") from error
    return found


def audit_path(path: Path) -> Audited:
    try:
        return Audited(path, audit(read_file(path)))
    except (DataFolderError, Unreadable) as error:
        return Audited(path, None, str(error))


def audit_all(
    paths: Sequence[Path], progress: Progress | None = None, workers: int | None = None
) -> Iterator[Audited]:
    """Yield the outcomes of an audit of each file, in the order of the files."""
    hands, done = 0, 0

    def note(outcome: Audited) -> None:
        nonlocal hands, done
        hands, done = hands + outcome.hands, done + 1
        if progress is not None:
            progress(f"{done} of {len(paths)} transcripts audited, {hands} hands")

    yield from each_file(audit_path, paths, note, workers)


def each_file(
    work: Callable[[Path], Outcome],
    paths: Sequence[Path],
    on_done: Callable[[Outcome], None],
    workers: int | None = None,
) -> Iterator[Outcome]:
    """Yield the outcomes of ``work`` in the order of the files; ``on_done`` gets each when it is
    there.

    ``workers`` processes are used (default: the number of cores); a single file is read in this
    process.
    """
    count = min(workers or os.cpu_count() or 1, len(paths))
    if count <= 1:
        for path in paths:
            outcome = work(path)
            on_done(outcome)
            yield outcome
        return
    # Forked processes start at once; where forking is not possible, or other threads run that would
    # not be forked, fresh ones are started.
    can_fork = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if can_fork else "spawn")
    with ProcessPoolExecutor(count, mp_context=context) as pool:
        pending = [pool.submit(work, path) for path in paths]
        for future in as_completed(pending):
            on_done(future.result())
        for future in pending:
            yield future.result()
