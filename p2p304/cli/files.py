"""The commands on files: transcripts, evidence, hand records, the rules, and the data folder.

Responsible for their options, and for handing them on. What a command does is offline/'s; commands
that play or find tables are in tables.py.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from p2p304.cli.completed import completed_rules, completed_transcript, completed_verifiable
from p2p304.cli.declarations import Argument, Option
from p2p304.cli.options import MANY, OUTPUT, AsJson, Home, Language, Plain, Set
from p2p304.cli.parser import UsageError
from p2p304.cli.start import (
    choose_language,
    house_rules,
    is_on_full_screen,
    run,
    show_status,
    tell_if_slow,
    unreadable_as_status,
)

if TYPE_CHECKING:
    from p2p304.offline.teacher.lessons import Lessons

NoOpen = Annotated[
    bool, Option("--no-open", help="Write the page, and open no browser.", group=OUTPUT)
]

Teach = Annotated[
    bool,
    Option(
        "--teach",
        help="Let the teacher judge the cards that were played. It takes about a second a hand.",
    ),
]


def audit(
    files: Annotated[
        list[Path],
        Argument(
            help="Transcripts (.304), or folders of transcripts.",
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
    from contextlib import ExitStack

    from p2p304.frontends.appearance import read_appearance
    from p2p304.offline import report

    if evidence and (jobs or state or scheduler):
        raise UsageError("--evidence does not go with --jobs, --state or --scheduler.")
    if jobs and scheduler:
        raise UsageError("--jobs does not go with --scheduler: the cluster has its own workers.")
    tell_if_slow()
    pages: list[Path] = []
    on_verdict = report.no_page
    if html is not None:
        from p2p304.offline.verifier_page import PageWriter

        writer = PageWriter(html, files)
        pages, on_verdict = writer.written, writer.write
    choose_language(language)
    translate = read_appearance(None).translate
    if evidence:
        status = report.audit_evidence(files, as_json, print, on_verdict, translate)
    else:
        with ExitStack() as opened:
            kept, executor = None, None
            if state is not None:
                from p2p304.offline.archives.results_file import ResultsFile

                kept = opened.enter_context(ResultsFile(state))
            if scheduler is not None:
                from p2p304.offline.archives.cluster import cluster_executor

                executor = opened.enter_context(cluster_executor(scheduler))
            status = report.audit_files(
                files,
                as_json,
                _print_over_status,
                show_status,
                on_verdict,
                translate,
                executor=executor,
                jobs=jobs,
                kept=kept,
            )
    if not as_json:
        _say_pages(pages, False)
    sys.exit(status)


def make_report(
    files: Annotated[
        list[Path],
        Argument(
            help="Transcripts (.304), or evidence files (.evidence).",
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
    from p2p304.frontends.appearance import read_appearance
    from p2p304.offline import report
    from p2p304.offline.archives.executors import transcripts
    from p2p304.offline.verifier_page import PageWriter

    tell_if_slow()
    paths = transcripts(files)
    proofs = [path for path in paths if report.is_evidence(path)]
    games = [path for path in paths if path not in proofs]
    choose_language(language)
    pages, status = PageWriter(output, files), 0
    if teach:
        pages.teach = _lessons
    translate = read_appearance(None).translate
    if games or not proofs:
        told = _print_over_status
        status = report.audit_files(games, False, told, show_status, pages.write, translate)
    if proofs:
        proven = report.audit_evidence(proofs, False, print, pages.write, translate)
        status = max(status, proven)
    _say_pages(pages.written, not no_open)
    sys.exit(status)


def _lessons(path: Path, data: bytes) -> Lessons | None:
    """Return what the teacher finds in a transcript, in the language of the settings."""
    from p2p304.frontends.appearance import read_appearance
    from p2p304.offline import report
    from p2p304.offline.teacher.lessons import lessons_of
    from p2p304.wire.names import shown

    if report.is_evidence(path):
        return None
    appearance = read_appearance(None)

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
) -> None:
    """Open a page that verifies files, with code of its own.

    The page needs no network, and nothing leaves your computer.
    """
    from p2p304.offline.verifier_page import EMPTY_NAME, PLACE, empty_page, page_place, write_page

    target = page_place(output, EMPTY_NAME, PLACE.encode())
    write_page(target, empty_page())
    _say_pages([target], not no_open)


def _say_pages(pages: list[Path], opens: bool) -> None:
    """Say where the pages are; open a single one in the browser if ``opens``."""
    from p2p304.offline.verifier_page import open_page
    from p2p304.wire.names import shown

    for path in pages:
        is_open = opens and len(pages) == 1 and open_page(path)
        words = "Opened in your browser" if is_open else "Open this page in a browser"
        print(f"{words}: {shown(str(path))}")


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


def _print_over_status(line: str) -> None:
    """Print a line where the status stood, which is shown again below it."""
    show_status("")
    print(line)


def replay(
    file: Annotated[Path, Argument(help="A transcript (.304).", complete=completed_transcript)],
    hand: Annotated[int | None, Option(help="Show only this hand; the first is 1.", min=1)] = None,
    records: Annotated[
        bool,
        Option("--records", help="Print every hand as a hand record, one a line.", group=OUTPUT),
    ] = False,
    notation: Annotated[
        bool,
        Option(
            "--notation", help="Print every hand as one line of 304N, for messages.", group=OUTPUT
        ),
    ] = False,
    plain: Plain = False,
    language: Language = None,
    home: Home = None,
) -> None:
    """Replay a game from its transcript and verify it.

    In a pipe, the game is printed line by line.
    """
    from p2p304.frontends.appearance import read_appearance
    from p2p304.offline import report
    from p2p304.storage.data_folder import DataFolder
    from p2p304.storage.files import read_file

    tell_if_slow()
    choose_language(language)
    folder = DataFolder(home).home
    if records or notation:
        from p2p304.offline.hand_records import write_records

        warn = partial(print, file=sys.stderr)
        with unreadable_as_status():
            sys.exit(write_records(read_file(file), hand, notation, print, warn))
    if is_on_full_screen(plain):
        from p2p304.frontends import replay_screen

        run(replay_screen.show(file, hand, folder, None))
    with unreadable_as_status():
        data = read_file(file)
    sys.exit(report.replay(data, hand, print, read_appearance(folder).translate))


def history(
    home: Home = None, as_json: AsJson = False, plain: Plain = False, language: Language = None
) -> None:
    """List your games, and replay them; each is verified once.

    In a pipe, the games are printed line by line. The exit status is then 0 if all are sound, 1 if
    one is not.
    """
    from p2p304.frontends.appearance import read_appearance
    from p2p304.offline import history_report
    from p2p304.storage.data_folder import DataFolder

    choose_language(language)
    store = DataFolder(home)
    if not as_json and is_on_full_screen(plain):
        from p2p304.frontends import history_screen

        games = history_report.verified(store, read_appearance(store.home).translate)
        run(history_screen.show(games, store))
    translate = read_appearance(store.home).translate
    sys.exit(history_report.history(store, as_json, print, translate))


def stats(
    home: Home = None, as_json: AsJson = False, teach: Teach = False, language: Language = None
) -> None:
    """Show statistics of your games."""
    from p2p304.frontends.appearance import read_appearance
    from p2p304.offline import history_report
    from p2p304.storage.data_folder import DataFolder

    choose_language(language)
    store = DataFolder(home)
    translate = read_appearance(store.home).translate
    sys.exit(history_report.stats(store, as_json, print, translate, teach))


def score(
    file: Annotated[Path, Argument(help="A hand record (JSON); - reads standard input.")],
    jsonl: Annotated[bool, Option("--jsonl", help="The file has one record per line.")] = False,
    explain: Annotated[
        bool, Option("--explain", help="Explain every action and name its rule before the result.")
    ] = False,
) -> None:
    """Score hands that are written down as records.

    The exit status is 0 if all are legal, 1 if one is not, 2 if the file is unreadable.
    """
    from p2p304.offline.score import score_file

    with unreadable_as_status():
        sys.exit(score_file(file, jsonl, print, explain))


def rules(
    name: Annotated[
        str | None,
        Argument(
            help="The name of the rules, or a file of house rules (default: list all names).",
            metavar="NAME|FILE",
            complete=completed_rules,
        ),
    ] = None,
    set_: Set = None,
    diff: Annotated[
        tuple[str, str] | None,
        Option(help="Show how two sets of rules differ.", metavar="A B", complete=completed_rules),
    ] = None,
    as_toml: Annotated[
        bool,
        Option("--toml", help="Print a file of house rules, to keep or to share.", group=OUTPUT),
    ] = False,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Print the rules of a game, or compare two games.

    With --json: the list of games, all options of one, or those in which two differ.
    """
    from shutil import get_terminal_size

    from p2p304.frontends.appearance import read_appearance
    from p2p304.rules.core.phrases import say
    from p2p304.rules.variants import page
    from p2p304.rules.variants.house_rules import house_rules_text
    from p2p304.ui.common.theme import Look
    from p2p304.ui.narration.phrase_renderer import PhraseRenderer
    from p2p304.ui.narration.rules_page import games_lines, rules_lines

    if diff is not None and name is not None:
        raise UsageError(f"--diff compares the two games behind it: leave {name} out.")
    if diff is not None:
        one, other = (house_rules(word, set_).options for word in diff)
        if as_json:
            first, second = one.to_data(), other.to_data()
            apart = {k: [v, second[k]] for k, v in first.items() if v != second[k]}
            print(json.dumps(apart))
            return
        choose_language(language)
        text = PhraseRenderer(Look(glyphs=False), read_appearance(None).translate).text
        print("\n".join(page.diff(one, other, text) or [text(say("Both have the same rules."))]))
        return
    options = house_rules(name or "pagat", set_).options
    if as_toml:
        print(house_rules_text(options).rstrip("\n"))
        return
    is_list = name is None and not set_
    if as_json:
        games = [
            {"preset": preset, "seats": seats, "description": str(told)}
            for preset, seats, told in page.listing()
        ]
        print(json.dumps(games if is_list else options.to_data()))
        return
    choose_language(language)
    appearance = read_appearance(None)
    renderer = PhraseRenderer(appearance.look, appearance.translate)
    width = min(get_terminal_size().columns, 100)
    lines = games_lines(renderer, width) if is_list else rules_lines(options, renderer, width)
    for line in lines:
        print("".join(text for _, text in line).rstrip())


def puzzle(
    number: Annotated[
        int | None, Argument(help="The number of a puzzle (default: list all).", metavar="NUMBER")
    ] = None,
    plain: Plain = False,
    language: Language = None,
) -> None:
    """Solve positions that have one right answer.

    In a pipe, answers are read line by line.
    """
    from p2p304.frontends.appearance import read_appearance
    from p2p304.puzzles import text
    from p2p304.puzzles.puzzle import collection

    choose_language(language)
    appearance = read_appearance(None)
    if number is None:
        print("\n".join(text.list_lines(appearance.translate)))
        return
    count = len(collection())
    if not 1 <= number <= count:
        raise UsageError(f"There is no puzzle {number}. Choose 1 to {count}.")
    if is_on_full_screen(plain):
        from p2p304.puzzles import screen
        from p2p304.puzzles.page import PuzzlePage

        look, controls = appearance.look, appearance.controls
        page = PuzzlePage(collection(), number - 1, look, appearance.translate, controls)
        run(screen.show(page))
    sys.exit(text.play(number, sys.stdin, print, appearance.translate))


def identity(home: Home = None, as_json: AsJson = False) -> None:
    """Show your nickname, identity and data folder."""
    from p2p304.net.mdns.txt_record import fingerprint
    from p2p304.storage.data_folder import DataFolder

    store = DataFolder(home)
    key, nick = store.identity().public, store.nick(None)
    if as_json:
        print(json.dumps({"nick": nick, "key": key.hex(), "fingerprint": fingerprint(key)}))
    else:
        print(f"{nick}, identity {fingerprint(key)} ({store.home})")
