"""Audits of many transcripts: on all cores, or by any executor, with results that are kept.

Responsible for what is sent to a worker and what comes back, and for a report as JSON. The verdict
on each transcript is audit.py's; one process reads a transcript from its beginning to its end. How
work is spread is archives/executors.py's, and the file of results archives/results_file.py's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from p2p304.log.transcript import Unreadable
from p2p304.offline.archives.executors import Begun, each_file, each_in_order, finished
from p2p304.offline.archives.file_reader import FileReader, size_of
from p2p304.offline.archives.program import program_digest
from p2p304.offline.archives.progress import Progress
from p2p304.offline.archives.results_file import ResultsFile
from p2p304.offline.audit import Report, audit
from p2p304.rules.core.phrases import Phrase
from p2p304.storage.files import LARGEST_FILE, DataFolderError, read_file
from p2p304.wire.forms import Malformed, checked, record

AUDITED = "audited, {} hands"


@dataclass(frozen=True, slots=True)
class Audited:
    """One file's outcome: a report, or why it cannot be read; with its size in bytes and its
    SHA-256, where it could be read to its end. ``is_kept``: the report was reached before."""

    path: Path
    report: Report | None
    why: str | Phrase = ""
    size: int = 0
    digest: str = ""
    is_kept: bool = False

    @property
    def hands(self) -> int:
        return 0 if self.report is None else len(self.report.hands)


class WorkLost(DataFolderError):
    """An executor has failed before the work was done. No file is at fault."""


def audit_path(path: Path) -> Audited:
    """Audit a file as it is read."""
    try:
        with FileReader(path) as file:
            report = audit(file)
            # A sound file was read to its end. Behind a fault there may be bytes without end.
            has_digest = report.sound or file.size <= LARGEST_FILE
            return Audited(path, report, size=file.size, digest=file.digest() if has_digest else "")
    except DataFolderError as error:
        return Audited(path, None, error.phrase)
    except Unreadable as error:
        return Audited(path, None, str(error))


def audit_sent(data: bytes, program: str) -> Report | str:
    """Audit the bytes of a file, on a computer that need not have the file; return why if they are
    no transcript. ``program`` is the sender's: another one might say something else."""
    if program != program_digest():
        raise WorkLost(
            "A worker has another version of p2p304 than this computer. Install the same on both."
        )
    try:
        return audit(data)
    except Unreadable as error:
        return str(error)


def audit_all(
    paths: Sequence[Path],
    executor: Executor | None = None,
    *,
    jobs: int | None = None,
    kept: ResultsFile | None = None,
    show: Callable[[str], None] = lambda told: None,
) -> Iterator[Audited]:
    """Yield the outcomes of an audit of each file, in the order of the files.

    ``jobs`` processes read the files (default: one for each core). An ``executor`` gets their bytes
    instead: its workers need p2p304 and no file; WorkLost is raised if it fails. What ``kept``
    holds is not done again, and what is done is added to it. ``show`` hears how far the work is.
    """
    sizes = {path: size_of(path) for path in paths}
    progress = Progress(show, len(paths), sum(sizes[path] for path in paths), AUDITED.format(0))
    hands = 0

    def note(path: Path, outcome: Audited) -> None:
        nonlocal hands
        hands += outcome.hands
        if kept is not None and not outcome.is_kept:
            _keep(kept, outcome)
        progress.finish(sizes[path], AUDITED.format(hands), outcome.is_kept)

    def known(path: Path) -> Audited | None:
        return _kept(kept, path) if kept is not None and kept.has_size(sizes[path]) else None

    if executor is None:
        yield from each_file(audit_path, paths, note, progress, jobs, known)
        return

    def begin(path: Path) -> Begun[Audited]:
        found = known(path)
        return _send(executor, path) if found is None else finished(found)

    try:
        yield from each_in_order(paths, begin, note, progress.show, weight=sizes.__getitem__)
    finally:
        progress.end()


def _send(executor: Executor, path: Path) -> Begun[Audited]:
    """Send a file's bytes to a worker."""
    try:
        data = read_file(path)
    except DataFolderError as error:
        return finished(Audited(path, None, error.phrase))
    sent = Audited(path, None, "", len(data), hashlib.sha256(data).hexdigest())
    return Begun(executor.submit(audit_sent, data, program_digest()), partial(_received, sent))


def _received(sent: Audited, future: Future[Report | str]) -> Audited:
    """Return the outcome of a file that was sent. What an executor raises is its own fault."""
    try:
        found = future.result()
    except WorkLost:
        raise
    except Exception as error:
        told = f"{type(error).__name__}: {error}".split("\n")[0]
        raise WorkLost(
            f"The workers have failed, and the audit is not finished ({told[:200]}). Start it "
            "again when they run."
        ) from error
    if isinstance(found, str):
        return replace(sent, why=found)
    return replace(sent, report=found)


def _fits(report: Report) -> bool:
    """Whether all figures are by account, and a seat is one of the table's."""
    is_seated = report.seat is None or report.seat < len(report.players)
    return is_seated and len(report.tokens) == len(report.accounts)


REPORT = checked(record(Report), _fits, "figures that do not fit")
"""A report, but for what it says of a table that continues, or is continued."""


def _keep(kept: ResultsFile, outcome: Audited) -> None:
    """Keep a report. A file that cannot be read is tried again, and so is one that continues a
    table or may be continued: those are compared by more than a report says (check A05)."""
    report = outcome.report
    if report is None or report.left or report.after or not outcome.digest:
        return
    data = REPORT.write(replace(report, terms=None))
    kept.add(outcome.path.name, outcome.size, outcome.digest, data)


def _kept(kept: ResultsFile, path: Path) -> Audited | None:
    """Return the outcome of a file with these bytes that was audited before."""
    try:
        with FileReader(path, is_told=False) as file:
            size, digest = file.size, file.digest()
        data = kept.find(digest)
        if data is None:
            return None
        return Audited(path, REPORT.read(data), "", size, digest, is_kept=True)
    except (DataFolderError, Malformed):
        return None
