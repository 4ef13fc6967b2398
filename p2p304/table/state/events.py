"""What the shells may learn from the table: values that screens, bots and narrators read.

Owns their shapes. Public events follow from the log alone and are the same on every node and
in every replay; private ones (``YourTurn``, ``HandSeen``) come from a node's own keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from p2p304.log.faults import Finding
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Match, Result


@dataclass(frozen=True, slots=True)
class Seated:
    """The draw is done: nicknames by seat, the first dealer's seat, the spoken code, and whether
    seats and dealer were drawn or chosen."""

    nicks: tuple[str, ...]
    keys: tuple[bytes, ...]
    dealer: int
    code: str
    match: Match
    drawn: bool = True
    owners: tuple[str | None, ...] = ()
    """By seat: None for a person; for a bot its owner's nickname, empty if that is nobody here."""


@dataclass(frozen=True, slots=True)
class HandBegan:
    """Hand ``number`` (from 1) is about to be shuffled; ``dealer`` is a seat."""

    number: int
    dealer: int


@dataclass(frozen=True, slots=True)
class Shuffled:
    """``seat`` shuffled and proved it; ``cards`` in the deck. Told once in a hand, also where the
    pack went round twice."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class WasCut:
    seat: int
    at: int


@dataclass(frozen=True, slots=True)
class Unlocked:
    """``seat`` unlocked ``cards`` cards for the others."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """A batch is out: ``cards`` to every seat."""

    batch: int
    cards: int


@dataclass(frozen=True, slots=True)
class Relocked:
    """``seat`` put its hidden cards into a fresh secret order."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class Inspected:
    """``seat`` showed its face-down card to the trump maker alone."""

    seat: int


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """What lies open of a seat that is played out without its player: the ``cards`` in its hand and
    its ``indicator``, as far as all see them."""

    cards: frozenset[Card]
    indicator: Card | None


@dataclass(frozen=True, slots=True)
class Acted:
    """A rules action as the table saw it; ``hand`` is the public state after it, ``empty`` what
    lies open then of a seat that is played out."""

    action: Action
    before: Hand
    hand: Hand
    empty: OpenSeat | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """``seat`` opened so many ``cards`` that were never turned up. Which they are is for the
    counting code alone (``face_down.after``)."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand's result; ``offences`` are sentences about hidden plays found out at the count."""

    number: int
    result: Result
    match: Match
    offences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableOver:
    """No more hands at this table; ``winner`` is a side, or None when it just ends."""

    match: Match
    winner: int | None


@dataclass(frozen=True, slots=True)
class Closed:
    """This node holds everybody's receipt for the last entry: its transcript is complete."""


@dataclass(frozen=True, slots=True)
class HandSeen:
    """This node's own cards, after a batch or a change: what its player may look at."""

    view: View


@dataclass(frozen=True, slots=True)
class YourTurn:
    """The table waits for this node's player to choose one of ``legal(view)``."""

    view: View


@dataclass(frozen=True, slots=True)
class CapsDue:
    """This node's player can call Caps now, with this order (told with ``caps=assist``)."""

    order: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class NextHand:
    """The next deal waits for this node's player to be ready."""

    number: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Whom the table waits for (nicknames), since when (on the node's clock), how many seconds
    that is by now, and who of them is not connected. Told again now and then."""

    nicks: tuple[str, ...]
    since: float
    seconds: int = 0
    gone: tuple[str, ...] = ()


TWO_FOR_A_PLACE = ("L10", "L11")
TWO_THAT_EXCLUDE = ("E06", "E07")
"""Checks that two signatures fail. Cheating makes them, and so may one identity on two computers,
or a data folder put back from a backup."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A refused message: the finding, and the nickname where a player is proven guilty."""

    finding: Finding
    nick: str | None
    seq: int | None
    peer: bytes | None = None
    """Whose message it was, where nobody is proven guilty."""


@dataclass(frozen=True, slots=True)
class SignedElsewhere:
    """This player's identity has signed an entry or a receipt that this node did not write."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """So many refusals and repetitions of other players or strangers were not told one by one."""

    times: int


@dataclass(frozen=True, slots=True)
class Members:
    """Before the agreement: nicknames at the table so far, how many it seats, and (``at``) the
    seat of each where seats are chosen."""

    nicks: tuple[str, ...]
    seats: int
    at: tuple[int, ...] = ()
    owners: tuple[str | None, ...] = ()
    """As in `Seated`, in the order of ``nicks``."""
    dealer: int | None = None
    """The seat that deals first, where seats are chosen."""


@dataclass(frozen=True, slots=True)
class NoSeat:
    """A seat of ``seats`` that was wished for cannot be had: it is taken, or (not ``chosen``)
    seats are drawn here."""

    seat: int
    seats: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class DrawLeft:
    """Players (nicknames, keys) who leave or hold up a table before its first hand is over; each
    is told once. They are noted until that hand is over."""

    nicks: tuple[str, ...]
    keys: tuple[bytes, ...]


class Why(Enum):
    """Why a table that gathers waits for somebody."""

    NO_ANSWER = "no answer"
    """The founder has not answered a visitor."""
    NOT_LINKED = "not linked"
    LACKS = "lacks"
    """It has no link to others on the list (`GatherWait.whom`)."""
    NOT_PLEDGED = "not pledged"
    NOT_SIGNED = "not signed"
    FALSE = "false"
    """It has sent what cannot be true."""
    TWO_PLEDGES = "two pledges"
    OWN_PLEDGES = "own pledges"
    """Somebody else pledges with this player's own identity."""
    OTHER_LIST = "other list"
    """It shows another list of the players."""


@dataclass(frozen=True, slots=True)
class GatherWait:
    """Somebody (nickname, key) for whom a table that gathers waits, and why."""

    nick: str
    key: bytes
    why: Why
    whom: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gathering:
    """All seats are taken and the table has not begun for so many ``seconds``: for whom it waits.
    ``is_mine``: this player keeps the list and can go on without one of them."""

    waits: tuple[GatherWait, ...]
    seconds: int
    is_mine: bool


@dataclass(frozen=True, slots=True)
class PartingWished:
    """Who is ready to end the table without ``absent`` (nicknames), of how many who must be.
    ``bots``: those for whom alone is waited now, if they are bots on the side of ``absent``, which
    agree later than others (`BOT_PARTNER`)."""

    absent: str
    ready: tuple[str, ...]
    needed: int
    bots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartingRefused:
    """``by`` has said that the table goes on with ``absent``, without whom this player was ready
    to go on."""

    by: str
    absent: str


@dataclass(frozen=True, slots=True)
class Overdue:
    """``nick`` alone has kept the others waiting for ``seconds`` with ``what``: an ``entry`` (a
    move), a ``receipt`` or a ``word`` of parting. ``mine``: that is this node's own player;
    ``may``: the others may now agree to go on without that player."""

    nick: str
    what: str
    seconds: int
    mine: bool
    may: bool


@dataclass(frozen=True, slots=True)
class Parted:
    """All but ``absent`` have ended the table as its rules say (``away``, an option's value);
    tokens stand as ``match``."""

    absent: str
    away: str
    match: Match
    goes_on: bool = False
    """Whether somebody else may take the seat; else the table is at its end."""


@dataclass(frozen=True, slots=True)
class PlayingOut:
    """All but ``absent``, on ``seat``, have agreed to play this hand out without them; ``empty`` is
    what all had seen of that hand by then."""

    absent: str
    seat: int
    empty: OpenSeat


@dataclass(frozen=True, slots=True)
class StoodIn:
    """``seat`` gave its part of so many ``elements`` in the absent one's place."""

    seat: int
    elements: int


@dataclass(frozen=True, slots=True)
class LaidOpen:
    """``cards`` of the empty ``seat`` that everybody sees now; those of them that lay face down in
    a trick are not in ``empty``."""

    seat: int
    cards: tuple[Card, ...]
    empty: OpenSeat


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """Somebody asks the founder, who wants to be asked, for a seat."""

    nick: str
    key: bytes


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """The table cannot be joined; one sentence for the player."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Said:
    """A remark of a player, or of this one, between hands."""

    nick: str
    text: str


PublicEvent = (
    Seated
    | HandBegan
    | Shuffled
    | WasCut
    | Unlocked
    | Dealt
    | Relocked
    | Inspected
    | Acted
    | Counted
    | HandOver
    | TableOver
    | Parted
    | PlayingOut
    | StoodIn
    | LaidOpen
)
Event = (
    PublicEvent
    | Closed
    | HandSeen
    | YourTurn
    | CapsDue
    | NextHand
    | Waiting
    | Fault
    | SignedElsewhere
    | LeftOut
    | Members
    | NoSeat
    | DrawLeft
    | Gathering
    | JoinRequest
    | PartingWished
    | PartingRefused
    | Overdue
    | TurnedAway
    | Said
)
