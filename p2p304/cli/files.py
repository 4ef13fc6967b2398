"""The commands on files: transcripts, evidence, hand records, the rules, and the data folder.

Responsible for their options, and for handing them on. What a command does is offline/'s; commands
that play or find tables are in tables.py.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from p2p304.cli.options import AsJson, Home, Language, Plain
from p2p304.cli.start import choose_language, is_on_full_screen, run, unreadable_as_status


def audit(
    files: Annotated[
        list[Path], typer.Argument(help="Transcripts (.304), or folders of transcripts.")
    ],
    evidence: Annotated[
        bool,
        typer.Option(
            "--evidence",
            help="Check evidence files instead: show which player each one proves guilty.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Verify games from their transcripts.

    The exit status is 0 if all are sound, 1 if one is not, 2 if one is unreadable.
    """
    from p2p304.offline import report

    if evidence:
        raise typer.Exit(report.audit_evidence(files, as_json, print))
    raise typer.Exit(report.audit_files(files, as_json, print, _progress()))


def fairness(
    files: Annotated[
        list[Path], typer.Argument(help="Transcripts (.304), or folders of transcripts.")
    ],
    as_json: AsJson = False,
    html: Annotated[
        Path | None, typer.Option(help="Write the figures as a page with drawings to this file.")
    ] = None,
) -> None:
    """Count where the cards went over many games, and compare with honest deals.

    The exit status is 0 if nothing is conspicuous, 1 if something is or a transcript is not sound,
    2 if one is unreadable.
    """
    from p2p304.offline.fairness_report import fairness

    raise typer.Exit(fairness(files, as_json, html, print, _progress()))


def _progress() -> Callable[[str], None] | None:
    """Return where progress is told: on a terminal alone."""
    return partial(print, file=sys.stderr) if sys.stderr.isatty() else None


def replay(
    file: Annotated[Path, typer.Argument(help="A transcript (.304).")],
    hand: Annotated[
        int | None, typer.Option(help="Show only this hand; the first is 1.", min=1)
    ] = None,
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

    choose_language(language)
    folder = DataFolder(home).home
    if is_on_full_screen(plain):
        from p2p304.frontends import replay_screen

        run(replay_screen.show(file, hand, folder))
    with unreadable_as_status():
        data = read_file(file)
    raise typer.Exit(report.replay(data, hand, print, read_appearance(folder).translate))


def history(home: Home = None, as_json: AsJson = False) -> None:
    """List your games; each is verified once.

    The exit status is 0 if all are sound, 1 if one is not.
    """
    from p2p304.offline import history_report
    from p2p304.storage.data_folder import DataFolder

    raise typer.Exit(history_report.history(DataFolder(home), as_json, print))


def stats(home: Home = None, as_json: AsJson = False) -> None:
    """Show statistics of your games."""
    from p2p304.offline import history_report
    from p2p304.storage.data_folder import DataFolder

    raise typer.Exit(history_report.stats(DataFolder(home), as_json, print))


def score(
    file: Annotated[Path, typer.Argument(help="A hand record (JSON); - reads standard input.")],
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="The file has one record per line.")
    ] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Explain every action and name its rule before the result."),
    ] = False,
) -> None:
    """Score hands that are written down as records.

    The exit status is 0 if all are legal, 1 if one is not, 2 if the file is unreadable.
    """
    from p2p304.offline.score import score_file

    with unreadable_as_status():
        raise typer.Exit(score_file(file, jsonl, print, explain))


def rules(
    name: Annotated[
        str | None, typer.Argument(help="The name of the rules (default: list all names).")
    ] = None,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Show how two sets of rules differ.", metavar="A B"),
    ] = None,
) -> None:
    """Print the rules of a game, or compare two games."""
    from p2p304.rules.variants import page
    from p2p304.rules.variants.presets import preset

    if diff is not None:
        lines = page.diff(preset(diff[0]), preset(diff[1])) or ["Both have the same rules."]
    else:
        lines = page.listing() if name is None else page.page(preset(name))
    print("\n".join(lines))


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
