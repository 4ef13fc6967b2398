"""The commands that verify files: transcripts and evidence, on the terminal and on pages.

Responsible for their options, and for handing them on. What a command does is offline/'s.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from p2p304.cli.arguments.completed import completed_transcript, completed_verifiable
from p2p304.cli.arguments.declarations import Argument, Option
from p2p304.cli.arguments.parser import UsageError
from p2p304.cli.options import MANY, OUTPUT, AsJson, Language, Teach
from p2p304.cli.start import appearance_in, print_over_status, show_status, tell_if_slow

if TYPE_CHECKING:
    from p2p304.offline.report import OnVerdict
    from p2p304.offline.teacher.lessons import Lessons
    from p2p304.ui.narration.phrase_renderer import Translate

NoOpen = Annotated[
    bool, Option("--no-open", help="Write the page, and open no browser.", group=OUTPUT)
]


def audit(
    files: Annotated[
        list[Path],
        Argument(
            help="Transcripts (.304), or folders of them; with --evidence: evidence files.",
            metavar="FILE...",
            complete=completed_verifiable,
        ),
    ],
    evidence: Annotated[
        bool,
        Option(
            "--evidence",
            help="Check evidence files instead: show which player each one proves guilty.",
        ),
    ] = False,
    html: Annotated[
        Path | None,
        Option(
            help="Write a page that shows and checks the file in a browser; for several files the "
            "name of a folder.",
            group=OUTPUT,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        Option(help="Processes that work at once (default: one for each core).", group=MANY, min=1),
    ] = None,
    state: Annotated[
        Path | None,
        Option(
            help="Keep results in this file, and take from it what is finished: an audit that was "
            "stopped goes on. A person who can write the file can forge results.",
            group=MANY,
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        Option(
            help="Let the Dask cluster with this scheduler do the work (tcp://HOST:PORT). It needs "
            "the extra dask, and you must trust all of its computers.",
            group=MANY,
            metavar="ADDRESS",
        ),
    ] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Verify games from their transcripts.

    The exit status is 0 if all are sound, 1 if one is not, 2 if one is unreadable.
    """
    from p2p304.offline import report
    from p2p304.offline.evidence_report import audit_evidence
    from p2p304.offline.verifier_page import PageWriter

    if evidence and (jobs or state or scheduler):
        raise UsageError("--evidence does not go with --jobs, --state or --scheduler.")
    if jobs and scheduler:
        raise UsageError("--jobs does not go with --scheduler: the cluster has its own workers.")
    tell_if_slow()
    appearance = appearance_in(language)
    translate, asked = appearance.translate, appearance.asked
    pages = None if html is None else PageWriter(html, files, language=asked)
    on_verdict = report.no_page if pages is None else pages.write
    if evidence:
        status = audit_evidence(files, as_json, print, on_verdict, translate)
    else:
        status = _audit(files, as_json, on_verdict, translate, jobs, state, scheduler)
    if pages is not None and not as_json:
        _say_pages(pages.written, False)
    sys.exit(status)


def _audit(
    files: list[Path],
    as_json: bool,
    on_verdict: OnVerdict,
    translate: Translate,
    jobs: int | None,
    state: Path | None,
    scheduler: str | None,
) -> int:
    """Audit transcripts, with the file of results and the cluster that the options name."""
    from contextlib import nullcontext

    from p2p304.offline.archives.cluster import cluster_executor
    from p2p304.offline.archives.results_file import ResultsFile
    from p2p304.offline.report import audit_files

    with (
        nullcontext() if state is None else ResultsFile(state) as kept,
        nullcontext() if scheduler is None else cluster_executor(scheduler) as executor,
    ):
        return audit_files(
            files,
            as_json,
            print_over_status,
            show_status,
            on_verdict,
            translate,
            executor=executor,
            jobs=jobs,
            kept=kept,
        )


def make_report(
    files: Annotated[
        list[Path],
        Argument(
            help="Transcripts (.304), folders of them, or evidence files (.evidence).",
            metavar="FILE...",
            complete=completed_verifiable,
        ),
    ],
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            help="Where to write the page: a file or a folder; for several files a folder "
            "(default: your downloads, else the current folder).",
            group=OUTPUT,
        ),
    ] = None,
    no_open: NoOpen = False,
    teach: Teach = False,
    language: Language = None,
) -> None:
    """Verify files, and show each on a page that verifies it again.

    The exit status is that of the audit.
    """
    from p2p304.offline import report
    from p2p304.offline.archives.executors import transcripts
    from p2p304.offline.evidence_report import audit_evidence
    from p2p304.offline.verifier_page import PageWriter

    tell_if_slow()
    paths = transcripts(files)
    proofs = [path for path in paths if report.is_evidence(path)]
    games = [path for path in paths if path not in proofs]
    appearance = appearance_in(language)
    translate = appearance.translate
    pages, status = PageWriter(output, files, language=appearance.asked), 0
    if teach:
        pages.teach = _lessons
    if games or not proofs:
        told = print_over_status
        status = report.audit_files(games, False, told, show_status, pages.write, translate)
    if proofs:
        proven = audit_evidence(proofs, False, print, pages.write, translate)
        status = max(status, proven)
    _say_pages(pages.written, not no_open)
    sys.exit(status)


def _lessons(path: Path, data: bytes) -> Lessons | None:
    """Return what the teacher finds in a transcript, in the language of the settings."""
    from p2p304.offline import report
    from p2p304.offline.teacher.lessons import lessons_of
    from p2p304.wire.names import shown

    if report.is_evidence(path):
        return None
    appearance = appearance_in(None)

    def on_hand(number: int) -> None:
        show_status(shown(f"{path.name}: the teacher looks at hand {number}"))

    try:
        return lessons_of(data, appearance.language, appearance.translate, on_hand)
    finally:
        show_status("")


def verifier(
    output: Annotated[
        Path | None,
        Option(
            "--output",
            "-o",
            help="Where to write the page: a file or a folder (default: your downloads, else the "
            "current folder).",
            group=OUTPUT,
        ),
    ] = None,
    no_open: NoOpen = False,
    language: Language = None,
) -> None:
    """Open a page in your browser that verifies games with a second program.

    The page needs no network, and nothing leaves your computer.
    """
    from p2p304.offline.verifier_page import EMPTY_NAME, PLACE, empty_page, page_place, write_page

    target = page_place(output, EMPTY_NAME, PLACE.encode())
    write_page(target, empty_page(appearance_in(language).asked))
    _say_pages([target], not no_open)


def _say_pages(pages: list[Path], opens: bool) -> None:
    """Say where the pages are; open a single one in the browser if ``opens``."""
    from p2p304.offline.verifier_page import open_page
    from p2p304.rules.core.phrases import say
    from p2p304.ui.common.theme import LETTERS
    from p2p304.ui.narration.phrase_renderer import PhraseRenderer
    from p2p304.wire.names import shown

    text = PhraseRenderer(LETTERS, appearance_in(None).translate).text
    for path in pages:
        is_open = opens and len(pages) == 1 and open_page(path)
        told = (
            say("Opened in your browser: {file}")
            if is_open
            else say("Open this page in a browser: {file}")
        )
        print(text(told.filled(file=shown(str(path)))))


def fairness(
    files: Annotated[
        list[Path],
        Argument(
            help="Transcripts (.304), or folders of transcripts.",
            metavar="FILE...",
            complete=completed_transcript,
        ),
    ],
    as_json: AsJson = False,
    html: Annotated[
        Path | None,
        Option(
            help="Write the figures as a page with drawings to this file or folder.", group=OUTPUT
        ),
    ] = None,
) -> None:
    """Count where the cards went over many games.

    The exit status is 0 if nothing is conspicuous, 1 if something is or a transcript is not sound,
    2 if one is unreadable.
    """
    from p2p304.offline.fairness_report import fairness

    tell_if_slow()
    sys.exit(fairness(files, as_json, html, print, show_status))
