"""Audits many transcripts at once, on all cores, and reports progress.

Responsible for the pool of processes and for which files a folder stands for. The verdict on each
transcript is audit.py's; one process audits a transcript from its beginning to its end.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from p2p304.log.transcript import SUFFIX, Unreadable
from p2p304.offline.audit import Report, audit
from p2p304.storage.data_folder import DataFolderError, read_file
from p2p304.storage.files import why

Progress = Callable[[str], None]


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
    """Yield the outcomes in the order of the files.

    ``workers`` processes are used (default: the number of cores); a single file is audited in this
    process.
    """
    count = min(workers or os.cpu_count() or 1, len(paths))
    if count <= 1:
        yield from _reporting(map(audit_path, paths), len(paths), progress)
        return
    # Forked processes start at once; where forking is not possible, or other threads run that would
    # not be forked, fresh ones are started.
    can_fork = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if can_fork else "spawn")
    with ProcessPoolExecutor(count, mp_context=context) as pool:
        pending = [pool.submit(audit_path, path) for path in paths]
        done = (future.result() for future in as_completed(pending))
        for _ in _reporting(done, len(paths), progress):
            pass
        for future in pending:
            yield future.result()


def _reporting(
    outcomes: Iterator[Audited], total: int, progress: Progress | None
) -> Iterator[Audited]:
    """Yield the outcomes as they come, and report each."""
    hands = 0
    for number, outcome in enumerate(outcomes, start=1):
        hands += outcome.hands
        if progress is not None:
            progress(f"{number} of {total} transcripts audited, {hands} hands")
        yield outcome
