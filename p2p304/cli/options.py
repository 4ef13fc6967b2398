"""The options that several commands share.

Responsible for their names, types and help. What a single command takes stands at that command, in
tables.py and files.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from p2p304.table.agreement.limits import MAX_HANDS

Home = Annotated[
    Path | None,
    typer.Option(help="Data folder (default: $P2P304_HOME, or your system's usual folder)."),
]
Nick = Annotated[str | None, typer.Option(help="Your nickname. It is remembered for next time.")]
Bind = Annotated[str, typer.Option(help="Address to listen on (default: all addresses).")]
Port = Annotated[
    int, typer.Option(help="TCP port to listen on; 0 chooses a free port.", min=0, max=65535)
]
Hands = Annotated[
    int, typer.Option(help="For a new table: hands to play; 0 means a match.", min=0, max=MAX_HANDS)
]
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
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Plain = Annotated[bool, typer.Option("--plain", help="Use text mode instead of the full screen.")]
Language = Annotated[
    Literal["en", "si", "ta"] | None,
    typer.Option(help="The language: English, Sinhala or Tamil. Default: as in the settings."),
]
Table = Annotated[str | None, typer.Option(help="Table to join: its name or HOST:PORT.")]
Open = Annotated[str | None, typer.Option("--open", help="Open a new table with this name.")]


def completed_setting(incomplete: str) -> list[str]:
    """Complete ``--set``: first the option's name, then its value."""
    from p2p304.rules.variants.options import PLAYABLE

    name, equals, text = incomplete.partition("=")
    if not equals:
        return [f"{known}=" for known in PLAYABLE if known.startswith(name)]
    values = map(str, PLAYABLE.get(name, ()))
    return [f"{name}={value}" for value in values if value.startswith(text)]


def completed_rules(incomplete: str) -> list[str]:
    from p2p304.rules.variants.presets import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


Rules = Annotated[
    str,
    typer.Option(
        help=(
            "For a new table: the rules to play (p2p304 rules lists them), or a file of house "
            "rules (NAME.toml)."
        ),
        autocompletion=completed_rules,
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help=(
            "For a new table: change one option of the rules, as timer=45. Can be repeated. "
            "SPEC.md, Options, lists them all."
        ),
        autocompletion=completed_setting,
    ),
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
