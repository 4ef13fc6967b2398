"""Intents: what the player wants from the application.

Responsible for these values; frontends/fullscreen.py carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.core.actions import Action
from p2p304.ui.narration.choice_phrases import Sit
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
    """Ask the bot for a hint."""


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
class Chat:
    """Send a chat message to the others."""

    text: str


Intent = (
    GoOnWithout | Sit | AddBot | Decide | Part | Chat | Do | Ready | Quit | Skip | AskHint | Redraw
)
