"""Intents: what the player wants, on the full screen and in text mode.

Responsible for these values. frontends/seated_player.py carries out those for the table, and
frontends/fullscreen/player_screen.py those for the screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from p2p304.rules.core.actions import Action
from p2p304.rules.core.phrases import Phrase
from p2p304.ui.terminal.frame import Redraw, Ring


@dataclass(frozen=True, slots=True)
class Do:
    """Choose this action at the table."""

    action: Action


@dataclass(frozen=True, slots=True)
class Ready:
    """The next deal may begin."""


@dataclass(frozen=True, slots=True)
class CutPack:
    """Cut the pack: ``at`` cards go from the top to the bottom; 0: none, None: as many as chance
    says."""

    at: int | None


UNCUT, ANYWHERE = CutPack(0), CutPack(None)


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the table and give the terminal back; with ``bots_stay`` the player's bots play on."""

    bots_stay: bool = False


@dataclass(frozen=True, slots=True)
class ToLobby:
    """Leave the table for the lobby, which shows ``note``; with ``retry``, the address of a locked
    table, it asks for the passphrase."""

    note: Phrase | None = None
    retry: tuple[str, int] | None = None


class Rematch(Enum):
    """How to play again after the end: with the same seats, a new draw of them, or other rules."""

    SAME_SEATS = "same seats"
    NEW_DRAW = "new draw"
    OTHER_RULES = "other rules"


@dataclass(frozen=True, slots=True)
class Again:
    """Play again with the same players."""

    how: Rematch


@dataclass(frozen=True, slots=True)
class Skip:
    """Do not wait so that a trick can be seen: go on at once."""


@dataclass(frozen=True, slots=True)
class AskHint:
    """Ask the bot for a hint."""


@dataclass(frozen=True, slots=True)
class Sit:
    """Take this free seat (from 0) while the table gathers."""

    seat: int


@dataclass(frozen=True, slots=True)
class AddBot:
    """Let a bot take a free seat."""


@dataclass(frozen=True, slots=True)
class Decide:
    """Let a visitor in, or turn the visitor away."""

    key: bytes
    welcome: bool


@dataclass(frozen=True, slots=True)
class Part:
    """Agree to go on, or end the table, without an absent player."""


@dataclass(frozen=True, slots=True)
class GoOnWithout:
    """Remove this player from the list of a table that gathers."""

    key: bytes


@dataclass(frozen=True, slots=True)
class ConfirmCode:
    """Say that the spoken code is the same for everybody who has read it aloud."""


@dataclass(frozen=True, slots=True)
class Chat:
    """Send a chat message to the others."""

    text: str


TableIntent = Do | Ready | CutPack | Sit | AddBot | Decide | Part | GoOnWithout | Chat | ConfirmCode
"""What frontends/seated_player.py carries out, whatever the screen."""
Intent = TableIntent | Quit | ToLobby | Again | Skip | AskHint | Redraw | Ring
