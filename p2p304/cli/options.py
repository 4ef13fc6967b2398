"""The options that several commands share.

Responsible for their names, types, groups and help. What a single command takes stands at that
command, in tables.py and files.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

from p2p304 import USUAL_PORT
from p2p304.cli.arguments.completed import (
    completed_away,
    completed_rules,
    completed_setting,
    completed_spectators,
    completed_table,
)
from p2p304.cli.arguments.declarations import Option
from p2p304.table.agreement.limits import MAX_HANDS

TABLE: Final = "Table"
NEW: Final = "New table"
SCREEN: Final = "Screen"
YOU: Final = "You"
NETWORK: Final = "Network"
MANY: Final = "Many files"
GAME: Final = "Game"
OUTPUT: Final = "Output"
"""The groups of options, as a help shows them."""

Home = Annotated[
    Path | None,
    Option(
        help="Data folder (default: $P2P304_HOME, or your system's usual folder).",
        group=YOU,
        metavar="FOLDER",
    ),
]
Nick = Annotated[
    str | None, Option(help="Your nickname. It is remembered for next time.", group=YOU)
]
Bind = Annotated[
    str,
    Option(help="Address to listen on (default: all addresses).", group=NETWORK, metavar="ADDRESS"),
]
Port = Annotated[
    int | None,
    Option(
        help=f"TCP port to listen on; 0 chooses a free port. Default: {USUAL_PORT}, or a free port "
        "if another program has that one.",
        group=NETWORK,
        min=0,
        max=65535,
    ),
]
Hands = Annotated[
    int,
    Option(
        help="For a new table: hands to play; 0 means a match.", group=NEW, min=0, max=MAX_HANDS
    ),
]
Interface = Annotated[
    list[str] | None,
    Option(
        help="Address of a network interface to search on. Can be repeated (default: all).",
        group=NETWORK,
        metavar="ADDRESS",
    ),
]
Passphrase = Annotated[
    str | None,
    Option(
        envvar="P2P304_PASSPHRASE",
        help="The table's passphrase. With - you are asked for it.",
        group=TABLE,
        metavar="WORDS",
    ),
]
Spectators = Annotated[
    str,
    Option(
        help="For a new table: when spectators see the open cards ('now', 'trick' or 'hand'). "
        "Default: no spectators.",
        group=NEW,
        metavar="WHEN",
        complete=completed_spectators,
    ),
]
Away = Annotated[
    str | None,
    Option(
        help="For a new table, also one opened in the lobby: what happens when a player leaves "
        "for good, as --set away=WHAT. 'wait': the table "
        "waits. 'replace': if all others agree, that side loses the hand and another "
        "player takes the seat. 'playout': if all others agree, the hand is played to "
        "its end with that player's cards face up. Default: 'replace' where people can join, "
        "and 'wait' at a table for two or with bots alone.",
        group=NEW,
        metavar="WHAT",
        complete=completed_away,
    ),
]
AsJson = Annotated[bool, Option("--json", help="Print JSON instead of text.", group=OUTPUT)]
Plain = Annotated[
    bool, Option("--plain", help="Use text mode instead of the full screen.", group=SCREEN)
]
Language = Annotated[
    Literal["en", "si", "ta"] | None,
    Option(
        help="The language: English, Sinhala or Tamil. Default: as in the settings.", group=SCREEN
    ),
]
Table = Annotated[
    str | None,
    Option(
        help="Table to join: its name or HOST:PORT.",
        group=TABLE,
        metavar="NAME|HOST:PORT",
        complete=completed_table,
    ),
]
Open = Annotated[str | None, Option("--open", help="Open a new table with this name.", group=TABLE)]
Rules = Annotated[
    str,
    Option(
        help="For a new table: the rules to play (p2p304 rules lists them), or a file of house "
        "rules (NAME.toml).",
        group=NEW,
        metavar="NAME|FILE",
        complete=completed_rules,
    ),
]
Set = Annotated[
    list[str] | None,
    Option(
        "--set",
        metavar="NAME=VALUE",
        help="For a new table: change one option of the rules, as timer=45. Can be repeated. "
        "p2p304 rules NAME --json shows them all.",
        group=NEW,
        complete=completed_setting,
    ),
]
GameRules = Annotated[
    str,
    Option(
        "--rules",
        help="The rules to play (p2p304 rules lists them), or a file of house rules (NAME.toml).",
        group=GAME,
        metavar="NAME|FILE",
        complete=completed_rules,
    ),
]
GameSet = Annotated[
    list[str] | None,
    Option(
        "--set",
        metavar="NAME=VALUE",
        help="Change one option of the rules, as timer=45. Can be repeated. p2p304 rules NAME "
        "--json shows them all.",
        group=GAME,
        complete=completed_setting,
    ),
]
"""The same where no table is opened."""
Seat = Annotated[
    str,
    Option(
        help="The seat that you want, if seats are chosen: a number, a direction such as north, or "
        "a partner's name.",
        group=TABLE,
        metavar="SEAT",
    ),
]
ChosenSeats = Annotated[
    bool,
    Option(
        "--chosen-seats",
        help="For a new table: players choose their seats instead of drawing them, and the "
        "first seat deals.",
        group=NEW,
    ),
]
Teach = Annotated[
    bool,
    Option("--teach", help="Let the teacher judge bids and cards. It takes some seconds a hand."),
]
