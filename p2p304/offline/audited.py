"""Audits of many transcripts: on all cores, or by any executor, with results that are kept.

Responsible for what is sent to a worker and what comes back, and for a report as JSON. The verdict
on each transcript is audit.py's; one process reads a transcript from its beginning to its end. How
work is spread is archives/executors.py's, and the file of results archives/results_file.py's.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from p2p304.log.faults import Finding
from p2p304.log.transcript import Unreadable
from p2p304.offline.archives.executors import Begun, each_file, each_in_order, finished
from p2p304.offline.archives.file_reader import FileReader, size_of
from p2p304.offline.archives.program import program_digest
from p2p304.offline.archives.progress import Progress
from p2p304.offline.archives.results_file import ResultsFile
from p2p304.offline.audit import HandAudit, Report, audit
from p2p304.offline.phrase_data import is_phrase, phrase_from, to_data
from p2p304.storage.files import LARGEST_FILE, DataFolderError, read_file
from p2p304.table.agreement.limits import MAX_HANDS
from p2p304.wire.forms import (
    Form,
    Malformed,
    anything,
    checked,
    exactly,
    many,
    maybe,
    number,
    one_of,
    string,
)

AUDITED = "audited, {} hands"


@dataclass(frozen=True, slots=True)
class Audited:
    """One file's outcome: a report, or why it cannot be read; with its size in bytes and its
    SHA-256, where it could be read to its end. ``is_kept``: the report was reached before."""

    path: Path
    report: Report | None
    why: str = ""
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
    except (DataFolderError, Unreadable) as error:
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
        return finished(Audited(path, None, str(error)))
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


_SAID: Form[tuple[Any, ...]] = many(checked(anything(), is_phrase, "no phrase"))
_TEXTS = many(string())
_HAND = exactly(
    {
        "number": number(1, MAX_HANDS),
        "entries": number(0),
        "proofs": many(exactly({"player": string(), "kind": string(), "count": number(0)})),
        "reason": maybe(string()),
        "offences": _TEXTS,
        "told": _SAID,
    }
)
_REPORT = exactly(
    {
        "table": string(),
        "code": string(),
        "players": _TEXTS,
        "accounts": _TEXTS,
        "tokens": many(number()),
        "nicks": _TEXTS,
        "account": _SAID,
        "hands": many(_HAND, 0, MAX_HANDS),
        "entries": number(0),
        "receipts": number(0),
        "parts": number(0),
        "without": string(),
        "complete": one_of(True, False),
        "fault": maybe(
            exactly({"check": string(), "sentence": string(), "player": maybe(number(0))})
        ),
        "at": maybe(number(0)),
        "guilty": maybe(string()),
        "seat": maybe(number(0)),
    }
)


def _keep(kept: ResultsFile, outcome: Audited) -> None:
    """Keep a report. A file that cannot be read is tried again, and so is one that continues a
    table or may be continued: those are compared by more than a report says (check A05)."""
    report = outcome.report
    if report is None or report.left is not None or not outcome.digest:
        return
    if report.terms is not None and report.terms.after is not None:
        return
    kept.add(outcome.path.name, outcome.size, outcome.digest, report_data(report))


def _kept(kept: ResultsFile, path: Path) -> Audited | None:
    """Return the outcome of a file with these bytes that was audited before."""
    try:
        with FileReader(path, is_told=False) as file:
            size, digest = file.size, file.digest()
        data = kept.find(digest)
        if data is None:
            return None
        return Audited(path, report_from(data), "", size, digest, is_kept=True)
    except (DataFolderError, Malformed):
        return None


def report_data(report: Report) -> dict[str, Any]:
    """Return a report as JSON, but for ``terms`` and ``left``."""
    data = {name: getattr(report, name) for name in _REPORT.schema["properties"]}
    data["fault"] = None if report.fault is None else asdict(report.fault)
    data["account"] = [to_data(phrase) for phrase in report.account]
    data["hands"] = [
        {
            "number": hand.number,
            "entries": hand.entries,
            "proofs": [
                {"player": player, "kind": kind, "count": count}
                for (player, kind), count in hand.proofs.items()
            ],
            "reason": hand.reason,
            "offences": hand.offences,
            "told": [to_data(phrase) for phrase in hand.told],
        }
        for hand in report.hands
    ]
    return data


def report_from(data: Any) -> Report:
    """Read a report that `report_data` wrote; raises Malformed."""
    fields = _REPORT.read(data)
    fault = fields.pop("fault")
    hands = [
        HandAudit(
            proofs=Counter({(p["player"], p["kind"]): p["count"] for p in hand.pop("proofs")}),
            told=tuple(map(phrase_from, hand.pop("told"))),
            **hand,
        )
        for hand in fields.pop("hands")
    ]
    account = tuple(map(phrase_from, fields.pop("account")))
    found = None if fault is None else Finding(**fault)
    report = Report(account=account, hands=hands, fault=found, **fields)
    accounts = len(report.tokens) == len(report.accounts)
    if not accounts or (report.seat is not None and report.seat >= len(report.players)):
        raise Malformed("figures that do not fit")
    return report
