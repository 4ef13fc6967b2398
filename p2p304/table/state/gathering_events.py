"""The events of a table that gathers: who is there, and why it has not begun.

Responsible for the shape of these events; those of a table that plays are events.py's. They are
table/gathering/'s to emit.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from p2p304.rules.core.phrases import Phrase
from p2p304.table.state.events import Event


@dataclass(frozen=True, slots=True)
class Members(Event):
    """The players at the table before the agreement: nicknames, the number of seats, and (``at``)
    the seat of each player where seats are chosen."""

    nicks: tuple[str, ...]
    seats: int
    at: tuple[int, ...] = ()
    owners: tuple[str | None, ...] = ()
    """As in `Seated`, in the order of ``nicks``."""
    dealer: int | None = None
    """The seat that deals first, where seats are chosen."""


@dataclass(frozen=True, slots=True)
class NoSeat(Event):
    """The seat that this player asked for (of ``seats``) cannot be had: it is taken, or, if not
    ``chosen``, seats are drawn at this table."""

    seat: int
    seats: int
    chosen: bool


class WaitReason(Enum):
    """Why a table that gathers waits for a player."""

    NO_ANSWER = "no answer"
    """The founder has not answered a visitor."""
    NOT_LINKED = "not linked"
    LACKS = "lacks"
    """The player has no link to others on the list (`GatherWait.whom`)."""
    NOT_PLEDGED = "not pledged"
    NOT_SIGNED = "not signed"
    FALSE = "false"
    """The player has sent something that cannot be true."""
    TWO_PLEDGES = "two pledges"
    OWN_PLEDGES = "own pledges"
    """Another program pledges with this player's own identity."""
    OTHER_LIST = "other list"
    """The player shows another list of the players."""


@dataclass(frozen=True, slots=True)
class GatherWait:
    """A player (nickname, key) for whom a table that gathers waits, and why."""

    nick: str
    key: bytes
    reason: WaitReason
    whom: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gathering(Event):
    """All seats are taken, but the table has not begun for ``seconds`` seconds: ``waits`` says why.

    ``is_mine``: this player keeps the list and can go on without one of them.
    """

    waits: tuple[GatherWait, ...]
    seconds: int
    is_mine: bool


@dataclass(frozen=True, slots=True)
class JoinRequest(Event):
    """A player asks for a seat; the founder decides."""

    nick: str
    key: bytes


@dataclass(frozen=True, slots=True)
class TurnedAway(Event):
    """The table cannot be joined; ``sentence`` tells the player why."""

    sentence: Phrase
