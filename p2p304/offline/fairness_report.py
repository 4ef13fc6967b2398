"""`p2p304 fairness`: where the cards of many games went, as lines, data or a page.

Responsible for the files, the form of the answer, and the exit status. What is counted is
fairness/counts.py's, what it means fairness/account.py's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from p2p304.log.faults import Refused
from p2p304.log.transcript import Unreadable
from p2p304.offline.archives.executors import each_file, transcripts
from p2p304.offline.archives.file_reader import FileReader, size_of
from p2p304.offline.archives.progress import Progress
from p2p304.offline.fairness.account import INSTALL, MEANING, Account, accounts
from p2p304.offline.fairness.counts import LEVEL, Count, collections
from p2p304.offline.fairness.deals import TableDeals, read_deals
from p2p304.offline.fairness.page import page
from p2p304.offline.report import (
    EVIDENCE,
    NOT_SOUND,
    SOUND,
    UNREADABLE,
    is_evidence,
    named,
    no_status,
)
from p2p304.offline.verifier_page import check_target, page_place, write_page
from p2p304.storage.files import DataFolderError, read_file
from p2p304.ui.terminal.bar_chart import BandRow, band_lines, output_frame
from p2p304.wire.names import shown

Say = Callable[[str], None]
SHOWN_TESTS = 3
AUDIT = "p2p304 audit FILE says more about each file that is not sound"
FEW = "Figures so small say nothing. They are in --json, and on the page of --html."
PAGE_NAME = "p2p304-fairness"
BANDS = "Each count stands on its band, which is in brackets: there honest deals keep it."


@dataclass(frozen=True, slots=True)
class ReadDeals:
    """One file's outcome: its deals, or why there are none, with the exit status of that."""

    path: Path
    deals: TableDeals | None = None
    why: str = ""
    status: int = SOUND


def read_path(path: Path) -> ReadDeals:
    try:
        with FileReader(path) as file:
            found = read_deals(file)
    except Refused as refused:
        fault = f"{refused.finding.check}: {refused.finding.sentence}"
        return ReadDeals(path, None, f"not sound: {fault}", NOT_SOUND)
    except (DataFolderError, Unreadable) as error:
        reason = EVIDENCE if is_evidence(path) else str(error).removesuffix(".")
        return ReadDeals(path, None, f"unreadable: {reason}", UNREADABLE)
    return ReadDeals(path, found, "" if found else "no cards were dealt")


def fairness(
    files: Sequence[Path], as_json: bool, html: Path | None, say: Say, show: Say = no_status
) -> int:
    """Count the cards of all sound tables; returns 1 if a count is conspicuous or a transcript is
    not sound, 2 if one is unreadable or there is none."""
    paths = transcripts(files)
    if html is not None:
        check_target(html, paths)  # before the work
    sizes = {path: size_of(path) for path in paths}
    progress = Progress(show, len(paths), sum(sizes[path] for path in paths), "verified")

    def note(path: Path, outcome: ReadDeals) -> None:
        progress.finish(sizes[path])

    outcomes = list(each_file(read_path, paths, note, progress))
    tables, notes = _fair_tables(outcomes)
    found = accounts(collections(tables))
    status = max((outcome.status for outcome in outcomes), default=UNREADABLE)
    if any(one.is_judged and one.conspicuous for one in found):
        status = max(status, NOT_SOUND)
    if as_json:
        say(json.dumps(_data(found, notes), ensure_ascii=False))
    else:
        for line in lines(found, notes):
            say(line)
        if not paths:
            say("No transcripts found.")
    if html is not None:
        drawn = page(found, notes).encode()
        to = page_place(html, PAGE_NAME, drawn)
        write_page(to, drawn)
        if not as_json:
            say(f"The page is {shown(str(to))}.")
    return status


def _fair_tables(outcomes: Sequence[ReadDeals]) -> tuple[list[TableDeals], list[str]]:
    """Return each table once, its longest transcript, and a note for each file left out."""
    best: dict[str, tuple[Path, TableDeals]] = {}
    notes = []
    for outcome in outcomes:
        deals, name = outcome.deals, named(outcome.path)
        if deals is None:
            notes.append(f"{name}: left out: {shown(str(outcome.why))}.")
        elif not deals.is_uniform:
            notes.append(
                f"{name}: left out: its players agreed on shuffle=minimal, which keeps part of the "
                "order."
            )
        elif deals.table in best:
            known = best[deals.table]
            better = deals.length > known[1].length
            less, more = (known[0], outcome.path) if better else (outcome.path, known[0])
            notes.append(f"{named(less)}: left out: {_likeness(less, more)}.")
            if better:
                best[deals.table] = (outcome.path, deals)
        else:
            best[deals.table] = (outcome.path, deals)
    if any(outcome.status == NOT_SOUND for outcome in outcomes):
        notes.append(f"{AUDIT}.")
    return [deals for _, deals in best.values()], notes


def _likeness(less: Path, more: Path) -> str:
    """Say how a file is like another of the same table, which is counted instead."""
    left, kept = read_file(less), read_file(more)
    if left == kept:
        return f"a second copy of {named(more)}"
    if kept.startswith(left):
        return f"a shorter copy of {named(more)}"
    return f"it is of the same table as {named(more)}, and differs from it"


def lines(found: Sequence[Account], notes: Sequence[str]) -> Iterable[str]:
    frame = output_frame()
    yield from notes
    for one in found:
        if not one.is_judged:
            yield from (shown(one.head), one.verdict, FEW, "")
            continue
        yield from (shown(one.head), BANDS, "")
        for section in one.sections:
            yield f"{section.title}:"
            yield from band_lines([_row(count) for count in section.rows], frame)
            yield ""
        yield from _cells(one.cells)
        yield from _tests(one)
        yield from (shown(one.verdict), "")
    judged = [one for one in found if one.is_judged]
    if any(one.tests is None for one in judged):
        yield from (INSTALL, "")
    if judged:
        yield from MEANING


def _row(count: Count) -> BandRow:
    band = None if count.least is None or count.most is None else (count.least, count.most)
    return BandRow(shown(count.holder), count.count, band)


def _cells(cells: Sequence[Count]) -> Iterable[str]:
    """Yield a table: every card, how often it went to each seat."""
    seats = list(dict.fromkeys(cell.holder for cell in cells))
    band = cells[0]
    each = "" if band.least is None else f", each {band.least} to {band.most}"
    yield f"Every card by seat{each}:"
    yield "    " + "".join(f"{seat:>7}" for seat in seats)
    for start in range(0, len(cells), len(seats)):
        row = cells[start : start + len(seats)]
        marked = [f"{cell.count}*" if cell.is_outside else f"{cell.count} " for cell in row]
        yield f"{row[0].of:<4}" + "".join(f"{text:>7}" for text in marked)
    yield ""


def _tests(one: Account) -> Iterable[str]:
    if not one.tests:
        return
    first = sorted(one.tests, key=lambda test: test.p)[:SHOWN_TESTS]
    told = "; ".join(f"{t.name} p = {t.p:.2g} (corrected {t.corrected:.2g})" for t in first)
    yield f"{len(one.tests)} tests, corrected together by Holm's method. Smallest: {shown(told)}."


def _data(found: Sequence[Account], notes: Sequence[str]) -> dict[str, Any]:
    return {
        "level": LEVEL,
        "notes": list(notes),
        "collections": [
            {
                "games": sorted(one.collection.games),
                "seats": one.collection.deal.seats,
                "pack": one.collection.deal.pack,
                "tables": one.collection.tables,
                "seen": one.collection.whole.seen,
                "unseen": one.collection.whole.unseen,
                "counts": [asdict(row) for s in one.sections for row in s.rows],
                "cards": [asdict(cell) for cell in one.cells],
                "tests": None if one.tests is None else [asdict(test) for test in one.tests],
                "conspicuous": one.conspicuous if one.is_judged else None,
                "verdict": one.verdict,
            }
            for one in found
        ],
    }
