"""Intents: what the player in the lobby wants.

Responsible for these values; frontends/fullscreen/player_screen.py carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.variants.options import Options
from p2p304.ui.common.settings_file import Place, Value
from p2p304.ui.fullscreen.lobby.offer import Offer
from p2p304.ui.narration.intents import Intent


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat at a table that was found; with its passphrase, if it asks for one."""

    offer: Offer
    passphrase: str | None = None


@dataclass(frozen=True, slots=True)
class JoinAddress:
    """Take a seat at the table that listens at ``host`` and ``port``."""

    host: str
    port: int
    passphrase: str | None = None


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table; ``hands`` 0 plays a match, ``bots`` of the seats are filled. ``passphrase``
    closes it to strangers, ``asks`` lets the player decide about every visitor, ``watch`` lets
    spectators see what happens, and when, ``bots_play`` is how well the bots play, ``bot_seats``
    where those with these names sit."""

    name: str
    rules: Options
    hands: int
    bots: int
    passphrase: str | None = None
    asks: bool = False
    watch: str = ""
    bots_play: str = "club"
    bot_seats: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class GoOn:
    """Resume the table that was left."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Watch the table of the player who listens at ``host`` and ``port``."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class AskNetwork:
    """Ask every address of the own network whether a table listens there."""


@dataclass(frozen=True, slots=True)
class ShowHistory:
    """Show the tables that were played."""


@dataclass(frozen=True, slots=True)
class Learn:
    """Show the lessons."""


@dataclass(frozen=True, slots=True)
class Rename:
    """Take this nickname from now on."""

    name: str


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Write these values into the settings file, and use them at once."""

    values: tuple[tuple[Place, Value], ...]


LobbyIntent = (
    GoOn
    | Watch
    | Join
    | JoinAddress
    | OpenTable
    | AskNetwork
    | ShowHistory
    | Learn
    | Rename
    | ChangeSettings
)
Wanted = Intent | LobbyIntent
"""The intents of any page of the full screen."""
