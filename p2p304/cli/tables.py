"""The commands that play, watch or find tables.

Responsible for their options, and for handing them on. What a command does is app/'s and
frontends/'s; lessons, puzzles and games of bots are in solo.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from p2p304.cli import options as shared
from p2p304.cli.arguments.completed import completed_unfinished
from p2p304.cli.arguments.declarations import Argument, Option
from p2p304.cli.arguments.parser import UsageError
from p2p304.cli.start import (
    appearance_in,
    choose_language,
    house_rules,
    is_on_full_screen,
    run,
    sentences_of,
    show_status,
    tell_if_slow,
    unreadable_as_status,
)
from p2p304.table.agreement.limits import WATCH

if TYPE_CHECKING:
    from p2p304.app.config import NewTable, NodeConfig, Target
    from p2p304.rules.variants.house_rules import HouseRules
    from p2p304.storage.data_folder import DataFolder

    PlayFunction = Callable[
        [DataFolder, str | None, NodeConfig, Target | None], Coroutine[Any, Any, int]
    ]


def play(
    table: shared.Table = None,
    open_: shared.Open = None,
    bots: Annotated[
        str,
        Option(
            metavar="N[:LEVEL]",
            help="How many bots join, one for each empty seat at most, and how well they play: "
            "learner, club, strong or master. Each is marked [bot]. If they fill every seat, "
            "the table opens at once, on this computer alone.",
            group=shared.TABLE,
        ),
    ] = "0",
    bots_pace: Annotated[
        float | None,
        Option(
            help="Seconds that a bot's choice takes at least (default: 0.8). It is kept for "
            "p2p304 resume.",
            group=shared.TABLE,
            min=0,
            max=30,
        ),
    ] = None,
    rules: shared.Rules = "pagat",
    set_: shared.Set = None,
    hands: shared.Hands = 0,
    chosen: shared.ChosenSeats = False,
    seat: shared.Seat = "",
    passphrase: shared.Passphrase = None,
    spectators: shared.Spectators = "",
    away: shared.Away = None,
    ask: Annotated[
        bool,
        Option(
            "--ask",
            help="For a new table: you approve each player who wants to join.",
            group=shared.NEW,
        ),
    ] = False,
    plain: shared.Plain = False,
    language: shared.Language = None,
    nick: shared.Nick = None,
    home: shared.Home = None,
    bind: shared.Bind = "",
    port: shared.Port = None,
    interface: shared.Interface = None,
) -> None:
    """Find or open a table, and play."""
    from p2p304.app.config import NodeConfig
    from p2p304.frontends.seat_request import check_seat_word
    from p2p304.storage.data_folder import DataFolder

    choose_language(language)
    tell_if_slow()
    check_seat_word(seat)
    count, level = _bots(bots)
    if table is not None and (open_ is not None or count):
        raise UsageError("--open and --bots open a table, and --table joins one: choose.")
    if away is not None and table is not None:
        raise UsageError("--away is for a table that you open; you join --table.")
    new = _new_table(open_, house_rules(rules, set_), hands, chosen or bool(seat), count, away)
    _check_spectators(spectators)
    secret = _ask_passphrase(passphrase)
    config = NodeConfig(bind, port, interface, secret, ask, spectators, seat, new, level, bots_pace)
    target = new.for_people() if open_ or count else table
    store = DataFolder(home)
    store.check_writable()
    run(_play_function(plain)(store, nick, config, target))


def resume(
    table: Annotated[
        str | None,
        Option(
            help="The table to resume: the first digits of its number (default: the latest table).",
            metavar="DIGITS",
            complete=completed_unfinished,
        ),
    ] = None,
    peer: Annotated[
        list[str] | None,
        Option(
            help="HOST:PORT of a player, if p2p304 does not find that player. Can be repeated.",
            metavar="HOST:PORT",
        ),
    ] = None,
    list_: Annotated[
        bool, Option("--list", help="List your unfinished tables and exit (also with --json).")
    ] = False,
    give_up: Annotated[
        bool,
        Option(
            "--forget",
            help="Give the table up and delete its secret keys. You cannot resume it then.",
        ),
    ] = False,
    ended: Annotated[
        Path | None,
        Option(
            help="Import another player's transcript, if the others ended the table without you."
        ),
    ] = None,
    passphrase: Annotated[
        str | None,
        Option(
            envvar="P2P304_PASSPHRASE",
            help="Ask newcomers at this table for this passphrase again: no file keeps it. With - "
            "you are asked for it.",
            metavar="WORDS",
        ),
    ] = None,
    ask: Annotated[
        bool, Option("--ask", help="Approve each newcomer again, as at a table opened with --ask.")
    ] = False,
    as_json: shared.AsJson = False,
    plain: shared.Plain = False,
    language: shared.Language = None,
    home: shared.Home = None,
    bind: shared.Bind = "",
    port: shared.Port = None,
    interface: shared.Interface = None,
) -> None:
    """Resume a table after a crash, a power cut or a break."""
    from p2p304.app import joining
    from p2p304.app.config import NodeConfig, ResumeTarget
    from p2p304.storage.data_folder import DataFolder

    tell_if_slow()
    store = DataFolder(home)
    appearance = appearance_in(language, store.home)
    text = sentences_of(appearance)
    if list_:
        joining.list_unfinished(store, as_json, text)
    elif ended is not None:
        from p2p304.offline.adopt_ending import learn
        from p2p304.storage.files import read_file

        with store.locked():
            with unreadable_as_status():
                data = read_file(ended)
            sys.exit(learn(store, ended, data, print, appearance.translate))
    elif give_up:
        joining.forget_unfinished(store, table, text)
    else:
        secret = _ask_passphrase(passphrase)
        store.lock()  # before the journal is read, so that no other process writes to it
        target = ResumeTarget(joining.find_resumable(store, table), tuple(peer or ()))
        config = NodeConfig(bind, port, interface, secret, ask)
        run(_play_function(plain)(store, None, config, target))


def bot(
    table: shared.Table = None,
    open_: shared.Open = None,
    rules: shared.Rules = "pagat",
    set_: shared.Set = None,
    hands: shared.Hands = 0,
    chosen: shared.ChosenSeats = False,
    random_play: Annotated[bool, Option("--random", help="Play random legal cards.")] = False,
    level: Annotated[
        Literal["learner", "club", "strong", "master"], Option(help="How well the bot plays.")
    ] = "club",
    brain: Annotated[
        str,
        Option(
            help="Let a bot of your own play: a factory in a Python module, or a program that "
            "reads views and writes actions, a line each (docs/own-bot.md).",
            metavar="MODULE:FACTORY|pipe:COMMAND",
        ),
    ] = "",
    pace: Annotated[
        float, Option(help="Seconds that a choice takes at least.", min=0, max=30)
    ] = 0.0,
    tell: Annotated[bool, Option(help="Print the game as a spectator sees it.")] = False,
    language: shared.Language = None,
    times: Annotated[
        Path | None, Option(help="Write the times and the path of the transcript to this file.")
    ] = None,
    back: Annotated[bool, Option("--resume", help="Resume the latest unfinished table.")] = False,
    seat: shared.Seat = "",
    passphrase: shared.Passphrase = None,
    spectators: shared.Spectators = "",
    away: shared.Away = None,
    nick: shared.Nick = None,
    home: shared.Home = None,
    bind: shared.Bind = "",
    port: shared.Port = None,
    interface: shared.Interface = None,
) -> None:
    """Run a bot: a program that plays by itself and is marked [bot]."""
    from p2p304.app.config import NodeConfig, ResumeTarget
    from p2p304.app.joining import find_resumable
    from p2p304.frontends.bot import play_as_bot
    from p2p304.frontends.seat_request import check_seat_word
    from p2p304.storage.data_folder import DataFolder

    choose_language(language)
    tell_if_slow()
    if table is not None and open_ is not None:
        raise UsageError("--open opens a table, and --table joins one: choose.")
    if away is not None and open_ is None:
        raise UsageError("--away is for a table that you open: add --open and its name.")
    if brain and ":" not in brain:
        raise UsageError("--brain is MODULE:FACTORY or pipe:COMMAND.")
    check_seat_word(seat)
    new = _new_table(open_, house_rules(rules, set_), hands, chosen or bool(seat), 0, away)
    _check_spectators(spectators)
    secret = _ask_passphrase(passphrase)
    config = NodeConfig(bind, port, interface, secret, watch=spectators, seat=seat)
    store = DataFolder(home)
    store.lock()  # before the journal is read, so that no other process writes to it
    back_at = ResumeTarget(find_resumable(store, None)) if back else None
    target = back_at or (new if open_ else table)
    way = brain or ("random" if random_play else level)
    run(play_as_bot(store, nick, config, target, way, tell, times, pace))


def tables(
    seconds: Annotated[
        float,
        Option(help="How many seconds to search for tables.", min=0.1, max=60, metavar="SECONDS"),
    ] = 3.0,
    interface: shared.Interface = None,
    as_json: shared.AsJson = False,
    language: shared.Language = None,
) -> None:
    """List the tables found on the network."""
    from p2p304.app import joining

    text = sentences_of(appearance_in(language))
    run(joining.list_tables(interface, seconds, as_json, text))


def watch(
    table: Annotated[
        str, Argument(help="HOST:PORT of any player of the table.", metavar="HOST:PORT")
    ],
    save: Annotated[Path | None, Option(help="Save the transcript to this file.")] = None,
    plain: shared.Plain = False,
    language: shared.Language = None,
) -> None:
    """Watch a table that admits spectators, and verify it."""
    from p2p304.app import joining
    from p2p304.frontends.fullscreen import spectator_screen
    from p2p304.frontends.text import spectator
    from p2p304.frontends.text.typed_lines import rows_of

    appearance = appearance_in(language)
    tell_if_slow()
    address = joining.address_of(table)
    if address is not None and save is None and is_on_full_screen(plain):
        run(spectator_screen.show(*address, appearance))

    def tell(line: str) -> None:
        for row in rows_of(line) if sys.stdout.isatty() else [line]:
            print(row)

    run(spectator.watch(table, save, tell, appearance.translate))


def doctor(
    seconds: Annotated[
        float, Option(help="How many seconds to listen.", min=0.1, max=60, metavar="SECONDS")
    ] = 3.0,
    home: shared.Home = None,
    bind: shared.Bind = "",
    port: shared.Port = None,
    interface: shared.Interface = None,
    as_json: shared.AsJson = False,
    language: shared.Language = None,
) -> None:
    """Check your network and data folder, and say what to fix."""
    from p2p304.app import doctor
    from p2p304.app.config import NodeConfig
    from p2p304.storage.data_folder import DataFolder

    config, translate = NodeConfig(bind, port, interface), appearance_in(language, home).translate
    run(doctor.examine(DataFolder(home), config, seconds, print, as_json, translate))


def _play_function(plain: bool) -> PlayFunction:
    """Return the function that lets a person play: on the full screen, or in text mode. Loading it
    takes a moment, in which the terminal is not empty."""
    show_status("p2p304 ...")
    function: PlayFunction
    if is_on_full_screen(plain):
        from p2p304.frontends.fullscreen import fullscreen

        function = fullscreen.play
    else:
        from p2p304.frontends.text import player

        function = player.play
    show_status("")
    return function


def _ask_passphrase(passphrase: str | None) -> str | None:
    """Ask for the passphrase, without echo, if it was given as -."""
    if passphrase != "-":
        return passphrase
    if not sys.stdin.isatty():  # getpass would warn of that on the screen
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.removesuffix("\n")
    import getpass

    return getpass.getpass("Passphrase: ")


def _check_spectators(spectators: str) -> None:
    """Check when spectators see what happens; raises OptionsError."""
    if spectators not in ("", *WATCH):
        from p2p304.rules.variants.options import OptionsError

        raise OptionsError(f"--spectators must be {' or '.join(WATCH)}.")


def _bots(words: str) -> tuple[int, str]:
    """Read ``3`` or ``3:strong``: how many bots, and how well they play."""
    from p2p304.bots.search.levels import LEVELS, USUAL

    count, _, level = words.partition(":")
    if len(count) != 1 or count not in "01234567":
        raise UsageError("--bots is 0 to 7, as in --bots 3 or --bots 3:strong.")
    if (level or USUAL) not in LEVELS:
        raise UsageError(f"--bots: the levels are {', '.join(LEVELS)}.")
    return int(count), level or USUAL


def _new_table(
    name: str | None, rules: HouseRules, hands: int, chosen: bool, bots: int, away: str | None
) -> NewTable:
    """Return the table that the options describe; a wrong ``away`` is an option's. Raises
    OptionsError for rules that do not exist or do not go together."""
    from p2p304.app.config import NewTable
    from p2p304.rules.variants.absence import WAYS
    from p2p304.wire.names import LONGEST_NAME, is_name

    if name is not None and not is_name(name):
        raise UsageError(
            f"--open: a table's name has 1 to {LONGEST_NAME} characters, none of them ( ) [ ] : . "
            "or ,"
        )
    if away is not None and away not in WAYS:
        raise UsageError(f"--away is one of {', '.join(WAYS)}.")
    most = rules.options.seats - 1
    if bots > most:
        name_of = rules.preset
        raise UsageError(f"--bots: {name_of} has {most + 1} seats, so {most} bots at most.")
    new = NewTable(name, rules.preset, hands, chosen, bots, away, rules.changed)
    new.rules  # noqa: B018  now, and not in the lobby
    return new
