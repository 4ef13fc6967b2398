"""What the player wants of the world outside the screen: a few values for the application."""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.core.actions import Action
from p2p304.ui.terminal.frame import Redraw


@dataclass(frozen=True, slots=True)
class Do:
    """Choose this action at the table."""

    action: Action


@dataclass(frozen=True, slots=True)
class Ready:
    """The next deal may begin."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the table and give the terminal back."""


@dataclass(frozen=True, slots=True)
class Skip:
    """Do not wait so that a trick can be seen: go on at once."""


@dataclass(frozen=True, slots=True)
class AskHint:
    """Ask the bot what it would do."""


@dataclass(frozen=True, slots=True)
class AddBot:
    """Let a bot sit down on a free seat."""


@dataclass(frozen=True, slots=True)
class Decide:
    """Let somebody in who asks for a seat, or turn them away."""

    key: bytes
    welcome: bool


@dataclass(frozen=True, slots=True)
class Part:
    """Be ready to end the table without somebody who does not come back."""


@dataclass(frozen=True, slots=True)
class GoOnWithout:
    """Put this player out of the list of a table that gathers."""

    key: bytes


@dataclass(frozen=True, slots=True)
class Sit:
    """Take this free seat while the table gathers."""

    seat: int


@dataclass(frozen=True, slots=True)
class Talk:
    """Say something to the others, between hands."""

    text: str


Intent = (
    GoOnWithout | Sit | AddBot | Decide | Part | Talk | Do | Ready | Quit | Skip | AskHint | Redraw
)
