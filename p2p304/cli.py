"""The command line: `p2p304`.

Responsible for reading options, connecting the parts, printing, and exit statuses. Every trouble
that a person can meet ends as one sentence, never as a traceback. A command imports
what it needs once it runs, so that a short command is quick and the lobby opens soon. What a
command does is app/'s, frontends/' and offline/'s, and how it ends app/exit_status.py's.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import typer

from p2p304 import PROTOCOL_VERSION, __version__
from p2p304.app.exit_status import FAILED, UNREADABLE, sentence_and_status
from p2p304.table.agreement.limits import MAX_HANDS, WATCH
from p2p304.wire.names import shown

if TYPE_CHECKING:
    from p2p304.app.config import NewTable

app = typer.Typer(
    help="Play 304, the card game of Sri Lanka, on your local network without a server.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Home = Annotated[
    Path | None,
    typer.Option(help="Data folder (default: $P2P304_HOME, or your system's usual folder)."),
]
Nick = Annotated[str | None, typer.Option(help="Your nickname. It is remembered for next time.")]
Bind = Annotated[str, typer.Option(help="Address to listen on (default: all addresses).")]
Port = Annotated[
    int, typer.Option(help="TCP port to listen on; 0 chooses a free port.", min=0, max=65535)
]
Hands = Annotated[int, typer.Option(help="Hands to play; 0 means a match.", min=0, max=MAX_HANDS)]
Interface = Annotated[
    list[str] | None,
    typer.Option(
        help="Address of a network interface to search on. Can be repeated (default: all)."
    ),
]
Passphrase = Annotated[
    str | None,
    typer.Option(
        envvar="P2P304_PASSPHRASE", help="The table's passphrase. With - you are asked for it."
    ),
]
Spectators = Annotated[
    str,
    typer.Option(
        help=(
            "For a new table: when spectators see the open cards ('now', 'trick' or 'hand'). "
            "Default: no spectators."
        )
    ),
]
Away = Annotated[
    str | None,
    typer.Option(
        help=(
            "For a new table: what happens when a player leaves for good. 'wait': the table "
            "waits. 'replace': if all others agree, that side loses the hand and another "
            "player takes the seat. 'playout': if all others agree, the hand is played to "
            "its end with that player's cards face up."
        )
    ),
]
PlayFunction = Callable[..., Coroutine[Any, Any, int]]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Plain = Annotated[bool, typer.Option("--plain", help="Use text mode instead of the full screen.")]
Language = Annotated[
    Literal["en", "si", "ta"] | None,
    typer.Option(help="The language: English, Sinhala or Tamil. Default: as in the settings."),
]
Table = Annotated[str | None, typer.Option(help="Table to join: its name or HOST:PORT.")]
Open = Annotated[str | None, typer.Option("--open", help="Open a new table with this name.")]
Rules = Annotated[
    str, typer.Option(help="For a new table: the rules to play (p2p304 rules lists them).")
]
ChosenSeats = Annotated[
    bool,
    typer.Option(
        "--chosen-seats",
        help=(
            "For a new table: players choose their seats instead of drawing them, and the "
            "first seat deals."
        ),
    ),
]


def main() -> None:
    """Run the command line; print sentences instead of tracebacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        sys.exit(FAILED)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last place that can print
        if isinstance(error, OSError):
            _drop_output()
        _fail(*sentence_and_status(error))


def _fail(sentence: str, status: int) -> NoReturn:
    print(shown(sentence), file=sys.stderr)
    sys.exit(status)


def _drop_output() -> None:
    """Discard further output, also what Python writes when the process ends."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(work: Coroutine[Any, Any, int]) -> NoReturn:
    from p2p304.app import command_runner

    raise typer.Exit(command_runner.run(work))


def _ask_passphrase(passphrase: str | None) -> str | None:
    """Ask for the passphrase, without echo, if it was given as -."""
    if passphrase != "-":
        return passphrase
    import getpass

    return getpass.getpass("Passphrase: ")


def _choose_language(language: str | None) -> None:
    """Choose the language of this process and of the bots that it starts."""
    if language is not None:
        os.environ["P2P304_LANGUAGE"] = language


def _is_on_full_screen(plain: bool) -> bool:
    """Whether the full screen is wanted and possible; in a pipe none of it is loaded."""
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    from p2p304.frontends import fullscreen

    return fullscreen.is_usable()


def _play_function(plain: bool) -> PlayFunction:
    """Return the function that lets a person play: on the full screen, or in text mode."""
    if not _is_on_full_screen(plain):
        from p2p304.frontends import text

        return text.play
    from p2p304.frontends import fullscreen

    return fullscreen.play


def _check_spectators(spectators: str) -> str:
    """Check when spectators see what happens, as the rules of a table name it."""
    if spectators not in ("", *WATCH):
        from p2p304.rules.variants.options import OptionsError

        raise OptionsError(f"--spectators must be {' or '.join(WATCH)}.")
    return spectators


def _table_to_open(
    name: str | None, rules: str, hands: int, chosen: bool, bots: int, away: str | None
) -> NewTable | None:
    """Return the table to open, None if one is to be joined; a wrong ``away`` is an option's."""
    from p2p304.app.config import NewTable
    from p2p304.rules.variants.absence import WAYS

    if away is not None and away not in WAYS:
        raise typer.BadParameter(f"--away is one of {', '.join(WAYS)}.")
    if name or bots:
        return NewTable(name, rules, hands, chosen, bots, away)
    if away is not None:
        raise typer.BadParameter("--away is for a table that you open: add --open and its name.")
    return None


def _version(wanted: bool) -> None:
    if wanted:
        from p2p304.crypto.group import engine_name

        print(f"p2p304 {__version__} (protocol {PROTOCOL_VERSION}), group engine: {engine_name()}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Play 304, the card game of Sri Lanka, on your local network without a server."""


@app.command()
def play(
    table: Table = None,
    open_: Open = None,
    bots: Annotated[
        int, typer.Option(help="Number of bots that join. They are marked [bot].", min=0, max=3)
    ] = 0,
    rules: Rules = "pagat",
    hands: Hands = 0,
    chosen: ChosenSeats = False,
    seat: Annotated[
        str,
        typer.Option(
            help=(
                "The seat that you want, if seats are chosen: a number, a direction such as "
                "north, or a partner's name."
            )
        ),
    ] = "",
    passphrase: Passphrase = None,
    spectators: Spectators = "",
    away: Away = None,
    ask: Annotated[
        bool,
        typer.Option("--ask", help="For a new table: you approve each player who wants to join."),
    ] = False,
    plain: Plain = False,
    language: Language = None,
    nick: Nick = None,
    home: Home = None,
    bind: Bind = "",
    port: Port = 0,
    interface: Interface = None,
) -> None:
    """Find or open a table, and play."""
    from p2p304.app.config import NodeConfig
    from p2p304.frontends.seat_request import check_seat_word
    from p2p304.storage.data_folder import DataFolder

    _choose_language(language)
    wish, interfaces = check_seat_word(seat), tuple(interface) if interface else None
    chosen = chosen or bool(wish)
    opening = _table_to_open(open_, rules, hands, chosen, bots, away)
    place = NodeConfig(
        bind,
        port,
        interfaces,
        _ask_passphrase(passphrase),
        ask,
        _check_spectators(spectators),
        wish,
    )
    play_table = _play_function(plain)
    _run(play_table(DataFolder(home), nick, place, table, opening))


@app.command()
def resume(
    table: Annotated[
        str | None,
        typer.Option(
            help="The table to resume: the first digits of its number (default: the latest table)."
        ),
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option(
            help="HOST:PORT of a player, if p2p304 does not find that player. Can be repeated."
        ),
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="List your unfinished tables and exit.")
    ] = False,
    give_up: Annotated[
        bool,
        typer.Option(
            "--forget",
            help="Give the table up and delete its secret keys. You cannot resume it then.",
        ),
    ] = False,
    ended: Annotated[
        Path | None,
        typer.Option(
            help="Import another player's transcript, if the others ended the table without you."
        ),
    ] = None,
    plain: Plain = False,
    language: Language = None,
    home: Home = None,
    bind: Bind = "",
    port: Port = 0,
    interface: Interface = None,
) -> None:
    """Resume a table after a crash, a power cut or a break."""
    from p2p304.app import joining
    from p2p304.app.config import NodeConfig, ResumeTarget
    from p2p304.app.network_phrases import left_table
    from p2p304.storage.data_folder import DataFolder
    from p2p304.storage.unfinished import Unfinished, forget, unfinished_tables

    _choose_language(language)
    store = DataFolder(home)
    if list_:
        own = store.identity().public
        for item in unfinished_tables(store):
            if isinstance(item, Unfinished):
                print(left_table(item, own))
            else:
                print(f"{item.table}: {item.why}")
        return
    if ended is not None:
        from p2p304.offline.adopt_ending import learn

        with store.locked():
            raise typer.Exit(learn(store, ended, print))
    if give_up:
        with store.locked():
            given_up = joining.find_unfinished(store, table)
            forget([given_up.game])
        if isinstance(given_up, Unfinished):
            print(f"Forgotten: {left_table(given_up, store.identity().public)}.")
        else:
            print(f"Forgotten: {given_up.table}.")
        return
    store.lock()  # before the journal is read, so that no other process writes to it
    place = NodeConfig(bind, port, tuple(interface) if interface else None)
    back = ResumeTarget(joining.find_resumable(store, table), tuple(peer or ()))
    play_table = _play_function(plain)
    _run(play_table(store, None, place, None, None, back))


@app.command()
def bot(
    table: Table = None,
    open_: Open = None,
    rules: Rules = "pagat",
    hands: Hands = 0,
    chosen: ChosenSeats = False,
    random_play: Annotated[bool, typer.Option("--random", help="Play random legal cards.")] = False,
    tell: Annotated[bool, typer.Option(help="Print the game as a spectator sees it.")] = False,
    language: Language = None,
    times: Annotated[
        Path | None,
        typer.Option(help="Write the times and the path of the transcript to this file."),
    ] = None,
    back: Annotated[
        bool, typer.Option("--resume", help="Resume the latest unfinished table.")
    ] = False,
    passphrase: Passphrase = None,
    spectators: Spectators = "",
    away: Away = None,
    nick: Nick = None,
    home: Home = None,
    bind: Bind = "",
    port: Port = 0,
    interface: Interface = None,
) -> None:
    """Run a bot: a program that plays by itself and is marked [bot]."""
    from p2p304.app.config import NodeConfig
    from p2p304.frontends.bot import play_as_bot
    from p2p304.storage.data_folder import DataFolder

    _choose_language(language)
    opening = _table_to_open(open_, rules, hands, chosen, 0, away)
    interfaces = tuple(interface) if interface else None
    place = NodeConfig(
        bind, port, interfaces, _ask_passphrase(passphrase), watch=_check_spectators(spectators)
    )
    seat = play_as_bot(
        DataFolder(home), nick, place, table, opening, random_play, tell, times, back
    )
    _run(seat)


@app.command()
def tables(
    seconds: Annotated[
        float, typer.Option(help="How many seconds to search for tables.", min=0.1, max=60)
    ] = 3.0,
    interface: Interface = None,
    as_json: AsJson = False,
) -> None:
    """List the tables found on the network."""
    from p2p304.app import joining

    _run(joining.list_tables(tuple(interface) if interface else None, seconds, as_json))


@app.command(name="watch")
def watch_command(
    table: Annotated[str, typer.Argument(help="HOST:PORT of any player of the table.")],
    save: Annotated[Path | None, typer.Option(help="Save the transcript to this file.")] = None,
    plain: Plain = False,
    language: Language = None,
) -> None:
    """Watch a table that admits spectators, and verify it."""
    from p2p304.app import joining
    from p2p304.frontends import spectator, spectator_screen
    from p2p304.frontends.appearance import read_appearance

    _choose_language(language)
    address = joining.address_of(table)
    if address is not None and save is None and _is_on_full_screen(plain):
        _run(spectator_screen.show(*address, read_appearance(None)))
    _run(spectator.watch(table, save, print, read_appearance(None).translate))


@app.command(name="doctor")
def doctor_command(
    seconds: Annotated[
        float, typer.Option(help="How many seconds to listen.", min=0.1, max=60)
    ] = 3.0,
    home: Home = None,
    bind: Bind = "",
    port: Port = 0,
    interface: Interface = None,
) -> None:
    """Check your network and data folder, and say what to fix."""
    from p2p304.app import doctor
    from p2p304.app.config import NodeConfig
    from p2p304.storage.data_folder import DataFolder

    place = NodeConfig(bind, port, tuple(interface) if interface else None)
    _run(doctor.examine(DataFolder(home), place, seconds, print))


@app.command(name="id")
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


@app.command()
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
    is_terminal = sys.stderr.isatty()
    show_progress = (lambda line: print(line, file=sys.stderr)) if is_terminal else None
    raise typer.Exit(report.audit_files(files, as_json, print, show_progress))


@app.command()
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
    from p2p304.storage.files import DataFolderError, read_file

    _choose_language(language)
    folder = DataFolder(home).home
    if _is_on_full_screen(plain):
        from p2p304.frontends import replay_screen

        _run(replay_screen.show(file, hand, folder))
    try:
        data = read_file(file)
    except DataFolderError as error:
        _fail(str(error), UNREADABLE)
    raise typer.Exit(report.replay(data, hand, print, read_appearance(folder).translate))


@app.command()
def history(home: Home = None, as_json: AsJson = False) -> None:
    """List your games; each is verified once.

    The exit status is 0 if all are sound, 1 if one is not.
    """
    from p2p304.offline import history_report
    from p2p304.storage.data_folder import DataFolder

    raise typer.Exit(history_report.history(DataFolder(home), as_json, print))


@app.command()
def stats(home: Home = None, as_json: AsJson = False) -> None:
    """Show statistics of your games."""
    from p2p304.offline import history_report
    from p2p304.storage.data_folder import DataFolder

    raise typer.Exit(history_report.stats(DataFolder(home), as_json, print))


@app.command()
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
    from p2p304.offline import score
    from p2p304.storage.files import DataFolderError

    try:
        raise typer.Exit(score.score_file(file, jsonl, print, explain))
    except DataFolderError as error:
        _fail(str(error), UNREADABLE)


@app.command(name="rules")
def rules_command(
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


@app.command(name="demo")
def demo_command(
    hands: Annotated[int, typer.Option(help="Hands to play.", min=1, max=MAX_HANDS)] = 1,
    match: Annotated[bool, typer.Option("--match", help="Play a whole match instead.")] = False,
    rules: Annotated[str, typer.Option(help="The rules to play.")] = "pagat",
    language: Language = None,
    as_json: AsJson = False,
    keep: Annotated[
        Path | None, typer.Option(help="Keep the data folders of all bots in this folder.")
    ] = None,
) -> None:
    """Let bots play a game on this computer, and audit it."""
    from p2p304.frontends import demo
    from p2p304.rules.variants.presets import preset

    _choose_language(language)
    _run(demo.run(0 if match else hands, preset(rules), as_json, keep, print))
