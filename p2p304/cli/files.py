"""The commands on games that are over, on hand records, the rules, and the data folder.

Responsible for their options, and for handing them on. What a command does is offline/'s; commands
that verify files for others are in verification.py.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from p2p304.cli.arguments.completed import completed_rules, completed_transcript
from p2p304.cli.arguments.declarations import Argument, Option
from p2p304.cli.arguments.parser import UsageError
from p2p304.cli.options import OUTPUT, AsJson, GameSet, Home, Language, Plain, Teach
from p2p304.cli.start import (
    appearance_in,
    house_rules,
    is_on_full_screen,
    run,
    sentences_of,
    tell_if_slow,
    unreadable_as_status,
)

if TYPE_CHECKING:
    from p2p304.rules.variants.options import Options


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
    from p2p304.offline import report
    from p2p304.storage.files import read_file

    tell_if_slow()
    translate = appearance_in(language, home).translate
    if records or notation:
        from p2p304.offline.hand_records import write_records

        warn = partial(print, file=sys.stderr)
        with unreadable_as_status():
            sys.exit(write_records(read_file(file), hand, notation, print, warn))
    if is_on_full_screen(plain):
        from p2p304.frontends.fullscreen import replay_screen

        run(replay_screen.show(file, hand, home))
    with unreadable_as_status():
        data = read_file(file)
    sys.exit(report.replay(data, hand, print, translate))


def history(
    home: Home = None, as_json: AsJson = False, plain: Plain = False, language: Language = None
) -> None:
    """List your games, and replay them; each is verified once.

    In a pipe, the games are printed line by line. The exit status is then 0 if all are sound, 1 if
    one is not.
    """
    from p2p304.offline.history import history_report
    from p2p304.storage.data_folder import DataFolder

    store = DataFolder(home)
    translate = appearance_in(language, store.home).translate
    if not as_json and is_on_full_screen(plain):
        from p2p304.frontends.fullscreen import history_screen

        own = history_report.key_of_reader(store, translate)
        games = history_report.verified(store, own, translate)
        run(history_screen.show(games, store, own))
    sys.exit(history_report.history(store, as_json, print, translate))


def stats(
    home: Home = None, as_json: AsJson = False, teach: Teach = False, language: Language = None
) -> None:
    """Show statistics of your games."""
    from p2p304.offline.history import history_report
    from p2p304.storage.data_folder import DataFolder

    store = DataFolder(home)
    translate = appearance_in(language, store.home).translate
    sys.exit(history_report.stats(store, as_json, print, translate, teach))


def score(
    file: Annotated[
        Path, Argument(help="A hand record (JSON), or a line of 304N; - reads standard input.")
    ],
    jsonl: Annotated[bool, Option("--jsonl", help="The file has one record per line.")] = False,
    explain: Annotated[
        bool, Option("--explain", help="Explain every action and name its rule before the result.")
    ] = False,
    as_json: Annotated[
        bool,
        Option(
            "--json", help="With --explain, put the explanations into the result.", group=OUTPUT
        ),
    ] = False,
) -> None:
    """Score hands that are written down as records, as p2p304 replay --records writes them.

    The results are JSON in any case. The exit status is 0 if all are legal, 1 if one is not, 2 if
    the file is unreadable.
    """
    from p2p304.offline.score import score_file

    with unreadable_as_status():
        sys.exit(score_file(file, jsonl, print, explain, as_json))


def rules(
    name: Annotated[
        str | None,
        Argument(
            help="The name of the rules, or a file of house rules (default: list all names).",
            metavar="NAME|FILE",
            complete=completed_rules,
        ),
    ] = None,
    set_: GameSet = None,
    diff: Annotated[
        tuple[str, str] | None,
        Option(
            help="Show how two sets of rules differ.",
            metavar="A B",
            example="pagat bank",
            complete=completed_rules,
        ),
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

    from p2p304.rules.variants import page
    from p2p304.rules.variants.house_rules import house_rules_text
    from p2p304.ui.guidance.rules_page import games_lines, rules_lines
    from p2p304.ui.narration.phrase_renderer import PhraseRenderer

    if diff is not None and name is not None:
        raise UsageError(f"--diff compares the two games behind it: leave {name} out.")
    if diff is not None:
        one, other = (house_rules(word, set_).options for word in diff)
        _print_difference(one, other, diff, as_json, language)
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
    appearance = appearance_in(language)
    renderer = PhraseRenderer(appearance.look, appearance.translate)
    width = min(get_terminal_size().columns, 100)
    lines = games_lines(renderer, width) if is_list else rules_lines(options, renderer, width)
    for line in lines:
        print("".join(text for _, text in line).rstrip())


def _print_difference(
    one: Options, other: Options, names: tuple[str, str], as_json: bool, language: str | None
) -> None:
    from p2p304.rules.core.phrases import say
    from p2p304.rules.variants import page

    if as_json:
        first, second = one.to_data(), other.to_data()
        print(json.dumps({k: [v, second[k]] for k, v in first.items() if v != second[k]}))
    else:
        text = sentences_of(appearance_in(language))
        same = [text(say("Both have the same rules."))]
        print("\n".join(page.diff(one, other, text, names) or same))


def identity(home: Home = None, as_json: AsJson = False) -> None:
    """Show your nickname, identity and data folder."""
    from p2p304.net.mdns.txt_record import fingerprint
    from p2p304.storage.data_folder import DataFolder

    store = DataFolder(home)
    key, nick = store.identity().public, store.nick(None)
    if as_json:
        told = {"nick": nick, "key": key.hex(), "fingerprint": fingerprint(key)}
        print(json.dumps({**told, "home": str(store.home)}))
    else:
        print(f"{nick}, identity {fingerprint(key)} ({store.home})")
