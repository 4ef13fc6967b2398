"""The command line: `p2p304`.

The composition root: reads options, puts parts together, prints, chooses exit statuses. Every
trouble a person can meet ends as one sentence here, never as a traceback. What only one command
needs is imported there, so that the lobby opens soon.
"""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from p2p304 import PROTOCOL_VERSION, __version__
from p2p304.app import joining
from p2p304.app.config import NewTable, NodeConfig, ResumeTarget
from p2p304.app.fault_report import write_fault
from p2p304.crypto.group import engine_name
from p2p304.frontends import text
from p2p304.frontends.bot import robot as play_bot
from p2p304.frontends.seat_request import checked
from p2p304.log.faults import Refused
from p2p304.log.transcript import Unreadable
from p2p304.net.links.mesh import NetError
from p2p304.net.mdns.discovery import fingerprint
from p2p304.rules.variants.options import OptionsError
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder, DataFolderError, read_file
from p2p304.storage.files import why
from p2p304.storage.unfinished import Unfinished, forget, left
from p2p304.table.agreement.terms import MAX_HANDS, WATCH
from p2p304.wire.names import shown

app = typer.Typer(
    help="304, the card game of Sri Lanka, on your network: no server, nobody to trust.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Home = Annotated[
    Path | None, typer.Option(help="Data folder (default: the system's place, or $P2P304_HOME).")
]
Nick = Annotated[str | None, typer.Option(help="Your nickname, remembered for next time.")]
Bind = Annotated[str, typer.Option(help="Address to listen on (default: all).")]
Port = Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)]
Hands = Annotated[int, typer.Option(help="Hands to play; 0 is a match.", min=0, max=MAX_HANDS)]
Interface = Annotated[
    list[str] | None,
    typer.Option(help="Address of an interface for mDNS; may be given again (default: all)."),
]
Passphrase = Annotated[
    str | None,
    typer.Option(envvar="P2P304_PASSPHRASE", help="The table's passphrase; - asks for it."),
]
Spectators = Annotated[
    str,
    typer.Option(help="When opening: let spectators see 'now', after the 'trick' or the 'hand'."),
]
Away = Annotated[
    str | None,
    typer.Option(
        help="When opening: what happens when a player has left for good: 'wait', or if "
        "all others agree 'replace' (that side loses the hand, somebody else takes the "
        "seat) or 'playout' (the hand is played on, that seat's cards open)."
    ),
]
Person = Callable[..., Coroutine[Any, Any, int]]
AsJson = Annotated[bool, typer.Option("--json", help="Print data instead of lines.")]


FAILED, UNREADABLE, FAULT, LEFT = 1, 2, 70, 128
"""Exit statuses (docs/commands.md); LEFT is added to the number of the signal."""


def main() -> None:
    """Run the command line; sentences instead of tracebacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except (DataFolderError, NetError, OptionsError) as error:
        _fail(str(error), FAILED)
    except Unreadable as error:
        _fail(f"Not a readable transcript: {error}.", UNREADABLE)
    except Refused as refused:
        _fail(f"{refused.finding.sentence[:1].upper()}{refused.finding.sentence[1:]}.", FAILED)
    except KeyboardInterrupt:
        _fail("Left.", LEFT + signal.SIGINT)
    except Told as told:
        _fail("Left.", LEFT + told.number)
    except BrokenPipeError:
        _drop_output()
        sys.exit(FAILED)
    except OSError as error:
        _drop_output()
        what = shown(str(error.filename)) if error.filename else "The output"
        _fail(f"{what} cannot be used ({why(error)}).", FAILED)
    except Exception as error:  # noqa: BLE001 - the last place that can say it in a sentence
        _fail(write_fault(error), FAULT)


def _fail(sentence: str, status: int) -> NoReturn:
    print(shown(sentence), file=sys.stderr)
    sys.exit(status)


def _drop_output() -> None:
    """What is left of it cannot be written, at the end of the process neither."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Told(Exception):
    """The system has told this process to end: its window was closed, or its session is over."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _run(work: Coroutine[Any, Any, int]) -> None:
    raise typer.Exit(asyncio.run(_watched(work)))


async def _watched(work: Coroutine[Any, Any, int]) -> int:
    """Do the work. A signal to end cancels it, so that whatever is linked is told; what goes wrong
    where nobody waits for it is told once."""
    loop, task, told = asyncio.get_running_loop(), asyncio.ensure_future(work), list[int]()

    def end(number: int) -> None:
        told.append(number)
        task.cancel()

    def fault(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and not isinstance(error, OSError):
            print(write_fault(error), file=sys.stderr)

    loop.set_exception_handler(fault)
    for name in ("SIGHUP", "SIGTERM"):
        number = getattr(signal, name, None)
        if number is not None:
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, end, number)
    try:
        return await task
    except asyncio.CancelledError:
        if not told:
            task.cancel()
            raise
        raise Told(told[0]) from None


def _secret(passphrase: str | None) -> str | None:
    """A passphrase typed unseen where only - was given."""
    return getpass.getpass("Passphrase: ") if passphrase == "-" else passphrase


def _on_full_screen(plain: bool) -> bool:
    """Whether the full screen is wanted and can be; in a pipe none of it is loaded."""
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    from p2p304.frontends import fullscreen

    return fullscreen.usable()


def _sit_down(plain: bool) -> Person:
    """What carries a person's evening: the full screen, or plain lines."""
    if not _on_full_screen(plain):
        return text.person
    from p2p304.frontends import fullscreen

    return fullscreen.person


def _when(spectators: str) -> str:
    """When spectators see what happens, as the rules of a table know it."""
    if spectators not in ("", *WATCH):
        raise OptionsError(f"Spectators see {', '.join(WATCH)}, or nothing.")
    return spectators


def _version(wanted: bool) -> None:
    if wanted:
        print(f"p2p304 {__version__} (protocol {PROTOCOL_VERSION}), group engine: {engine_name()}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """304, the card game of Sri Lanka, on your network: no server, nobody to trust."""


@app.command()
def play(
    table: Annotated[str | None, typer.Option(help="Table to join (by NAME or HOST:PORT).")] = None,
    open_: Annotated[str | None, typer.Option("--open", help="Open a table of this name.")] = None,
    bots: Annotated[int, typer.Option(help="Seats for bots, marked [bot].", min=0, max=3)] = 0,
    rules: Annotated[str, typer.Option(help="The rules' preset, when opening.")] = "pagat",
    hands: Hands = 0,
    chosen: Annotated[
        bool,
        typer.Option(
            "--chosen-seats", help="Seats are chosen as people come, no draw; the first seat deals."
        ),
    ] = False,
    seat: Annotated[
        str, typer.Option(help="Seat to ask for where they are chosen: 1, north, or a partner.")
    ] = "",
    passphrase: Passphrase = None,
    spectators: Spectators = "",
    away: Away = None,
    ask: Annotated[bool, typer.Option("--ask", help="Be asked about everybody who comes.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines, no full screen.")] = False,
    nick: Nick = None,
    home: Home = None,
    bind: Bind = "",
    port: Port = 0,
    interface: Interface = None,
) -> None:
    """Sit down: find a table, or open one, and play."""
    wish, interfaces = checked(seat), tuple(interface) if interface else None
    chosen = chosen or bool(wish)
    opening = NewTable(open_, rules, hands, chosen, bots, away) if open_ or bots else None
    place = NodeConfig(bind, port, interfaces, _secret(passphrase), ask, _when(spectators), wish)
    sit_down = _sit_down(plain)
    _run(sit_down(DataFolder(home), nick, place, table, opening))


@app.command()
def resume(
    table: Annotated[
        str | None, typer.Option(help="Which table: its first digits (default: the last).")
    ] = None,
    peer: Annotated[
        list[str] | None, typer.Option(help="HOST:PORT of a player, if they are not found.")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List what can be resumed.")] = False,
    give_up: Annotated[
        bool, typer.Option("--forget", help="Give the table up: its secrets are erased.")
    ] = False,
    ended: Annotated[
        Path | None,
        typer.Option(help="The transcript of another player, where they ended it without you."),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines, no full screen.")] = False,
    home: Home = None,
    bind: Bind = "",
    port: Port = 0,
    interface: Interface = None,
) -> None:
    """Come back to a table after a crash, a power cut or a break."""
    store = DataFolder(home)
    if list_:
        for item in left(store):
            print(item.describe(store.identity().public))
        return
    if ended is not None:
        from p2p304.offline.adopt_ending import learn

        store.lock()
        raise typer.Exit(learn(store, ended, print))
    if give_up:
        with store.locked():
            given_up = joining.the_left(store, table)
            forget([given_up.game])
        readable = isinstance(given_up, Unfinished)
        own = store.identity().public
        print(f"Forgotten: {given_up.describe(own) if readable else given_up.table}.")
        return
    store.lock()  # before the journal is read: nobody else writes to it from now on
    place = NodeConfig(bind, port, tuple(interface) if interface else None)
    back = ResumeTarget(joining.the_unfinished(store, table), tuple(peer or ()))
    sit_down = _sit_down(plain)
    _run(sit_down(store, None, place, None, None, back))


@app.command()
def bot(
    table: Annotated[str | None, typer.Option(help="Table to join (by NAME or HOST:PORT).")] = None,
    open_: Annotated[str | None, typer.Option("--open", help="Open a table of this name.")] = None,
    rules: Annotated[str, typer.Option(help="The rules' preset, when opening.")] = "pagat",
    hands: Hands = 0,
    chosen: Annotated[
        bool,
        typer.Option(
            "--chosen-seats", help="Seats are chosen as people come, no draw; the first seat deals."
        ),
    ] = False,
    random_play: Annotated[bool, typer.Option("--random", help="Play any legal card.")] = False,
    tell: Annotated[bool, typer.Option(help="Tell the game as a spectator sees it.")] = False,
    times: Annotated[Path | None, typer.Option(help="Write times and transcript here.")] = None,
    back: Annotated[
        bool, typer.Option("--resume", help="Go on with the table that was begun last.")
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
    """Let a bot sit down: a program that plays by itself, marked [bot] where people sit."""
    opening = NewTable(open_, rules, hands, chosen, 0, away) if open_ else None
    interfaces = tuple(interface) if interface else None
    place = NodeConfig(bind, port, interfaces, _secret(passphrase), watch=_when(spectators))
    seat = play_bot(DataFolder(home), nick, place, table, opening, random_play, tell, times, back)
    _run(seat)


@app.command()
def tables(
    seconds: Annotated[float, typer.Option(help="How long to look.", min=0.1, max=60)] = 3.0,
    interface: Interface = None,
    as_json: AsJson = False,
) -> None:
    """List the tables found on the network."""
    _run(joining.list_tables(tuple(interface) if interface else None, seconds, as_json))


@app.command(name="watch")
def watch_command(
    table: Annotated[str, typer.Argument(help="HOST:PORT of any player of the table.")],
    save: Annotated[Path | None, typer.Option(help="Write the transcript here.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines, no full screen.")] = False,
) -> None:
    """Watch a table that lets spectators in, verifying everything."""
    from p2p304.frontends import spectator, spectator_screen
    from p2p304.frontends.appearance import read_appearance

    where = joining.address_of(table)
    if where is not None and save is None and _on_full_screen(plain):
        _run(spectator_screen.show(*where, read_appearance(None)))
    _run(spectator.watch(table, save, print))


@app.command(name="doctor")
def doctor_command(
    seconds: Annotated[float, typer.Option(help="How long to listen.", min=0.1, max=60)] = 3.0,
    home: Home = None,
    bind: Bind = "",
    port: Port = 0,
    interface: Interface = None,
) -> None:
    """Say where you would listen, what is heard, and what to open."""
    from p2p304.app import doctor

    place = NodeConfig(bind, port, tuple(interface) if interface else None)
    _run(doctor.examine(DataFolder(home), place, seconds, print))


@app.command(name="id")
def identity(home: Home = None, as_json: AsJson = False) -> None:
    """Show who you are to others."""
    store = DataFolder(home)
    key, nick = store.identity().public, store.nick(None)
    if as_json:
        print(json.dumps({"nick": nick, "key": key.hex(), "fingerprint": fingerprint(key)}))
    else:
        print(f"{nick}, identity {fingerprint(key)} ({store.home})")


@app.command()
def audit(
    files: Annotated[list[Path], typer.Argument(help="Transcripts, or folders of them.")],
    evidence: Annotated[
        bool, typer.Option("--evidence", help="The files are evidence: say whom each convicts.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Verify games from their transcripts: 0 sound, 1 not sound, 2 unreadable."""
    from p2p304.offline import report

    if evidence:
        raise typer.Exit(report.audit_evidence(files, as_json, print))
    far = sys.stderr.isatty()
    how_far = (lambda line: print(line, file=sys.stderr)) if far else None
    raise typer.Exit(report.audit_files(files, as_json, print, how_far))


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A transcript (.304).")],
    hand: Annotated[int | None, typer.Option(help="Only this hand (from 1).", min=1)] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines, no full screen.")] = False,
    home: Home = None,
) -> None:
    """Show a game from its transcript, verifying as it goes; in a pipe, tell it in lines."""
    from p2p304.frontends import replay_screen
    from p2p304.offline import report

    if _on_full_screen(plain):
        _run(replay_screen.show(file, hand, DataFolder(home).home))
    try:
        data = read_file(file)
    except DataFolderError as error:
        _fail(str(error), UNREADABLE)
    raise typer.Exit(report.replay(data, hand, print))


@app.command()
def history(home: Home = None, as_json: AsJson = False) -> None:
    """The tables kept, each verified once: 0 all sound, 1 not."""
    from p2p304.offline import history_report

    raise typer.Exit(history_report.history(DataFolder(home), as_json, print))


@app.command()
def stats(home: Home = None, as_json: AsJson = False) -> None:
    """Your bids made and failed, Caps and partners, over the tables kept."""
    from p2p304.offline import history_report

    raise typer.Exit(history_report.stats(DataFolder(home), as_json, print))


@app.command()
def score(
    file: Annotated[Path, typer.Argument(help="A hand record (JSON); - reads the input.")],
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One record a line.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="First a line for every action, with its rules.")
    ] = False,
) -> None:
    """Settle hands written down as records: 0 all legal, 1 not, 2 unreadable."""
    from p2p304.offline import score

    try:
        raise typer.Exit(score.score_file(file, jsonl, print, explain))
    except DataFolderError as error:
        _fail(str(error), UNREADABLE)


@app.command(name="rules")
def rules_command(
    name: Annotated[str | None, typer.Argument(help="A preset; none lists them.")] = None,
    diff: Annotated[
        tuple[str, str] | None, typer.Option(help="How two presets differ.", metavar="A B")
    ] = None,
) -> None:
    """The rules of a game as a page to play from, or how two games differ."""
    from p2p304.rules.variants import page

    if diff is not None:
        lines = page.diff(preset(diff[0]), preset(diff[1])) or ["They play alike."]
    else:
        lines = page.listing() if name is None else page.page(preset(name))
    print("\n".join(lines))


@app.command(name="demo")
def demo_command(
    hands: Annotated[int, typer.Option(help="Hands to play.", min=1, max=MAX_HANDS)] = 1,
    match: Annotated[bool, typer.Option("--match", help="Play a whole match.")] = False,
    rules: Annotated[str, typer.Option(help="The rules' preset.")] = "pagat",
    as_json: AsJson = False,
    keep: Annotated[Path | None, typer.Option(help="Keep the players' folders here.")] = None,
) -> None:
    """Nodes on this machine, as many as the rules have seats, find each other, deal, play and are
    audited."""
    from p2p304.frontends import demo

    _run(demo.run(0 if match else hands, preset(rules), as_json, keep, print))
