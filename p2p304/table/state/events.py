"""The events of a table: values that screens, bots and narrators read.

Responsible for the shape of every event. Public events follow from the log alone and are the same
on every node and in every replay. Private ones (such as ``YourTurn`` and ``HandSeen``) come from a
node's own keys, and are table/machine/table_machine.py's to emit.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.log.faults import Finding
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card
from p2p304.rules.play.review import Offence
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Match, Result
from p2p304.rules.variants.absence import LeaverCause


class Event:
    """Something that a node tells its player, or a bot."""

    __slots__ = ()


class PublicEvent(Event):
    """Something that follows from the log alone."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Seated(PublicEvent):
    """Seats and dealer are known: nicknames and keys by seat, the first dealer's seat, the spoken
    code, and whether seats and dealer were drawn or chosen."""

    nicks: tuple[str, ...]
    keys: tuple[bytes, ...]
    dealer: int
    code: str
    match: Match
    drawn: bool
    owners: tuple[str | None, ...] = ()
    """By seat: None for a person; for a bot its owner's nickname, empty if the owner does not play
    here."""
    cards: tuple[Card, ...] = ()
    """By seat, the cards that were drawn for the seats (``seating=draw``)."""


@dataclass(frozen=True, slots=True)
class HandBegan(PublicEvent):
    """Hand ``number`` (from 1) begins; the seat ``dealer`` shuffles first."""

    number: int
    dealer: int


@dataclass(frozen=True, slots=True)
class Shuffled(PublicEvent):
    """``seat`` shuffled the deck of ``cards`` cards and proved it. Emitted once for each seat and
    hand, even where the pack goes round twice."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class WasCut(PublicEvent):
    """``seat`` cut the deck so that position ``at`` came to the top; 0 left it as it was."""

    seat: int
    at: int


@dataclass(frozen=True, slots=True)
class Unlocked(PublicEvent):
    """``seat`` unlocked ``cards`` cards for the others."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class Dealt(PublicEvent):
    """Batch number ``batch`` (from 1) is dealt: ``cards`` to every seat; ``hand`` is public. Where
    ``batch`` is None the cards come from the stock."""

    batch: int | None
    cards: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Relocked(PublicEvent):
    """``seat`` put its ``cards`` hidden cards into a fresh secret order."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class Inspected(PublicEvent):
    """``seat`` showed its face-down card to the trump maker alone."""

    seat: int


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """The public cards of a seat that is played out without its player: ``cards`` of its hand, and
    its ``indicator`` or None."""

    cards: frozenset[Card]
    indicator: Card | None


@dataclass(frozen=True, slots=True)
class Acted(PublicEvent):
    """A player acted. ``before`` and ``hand`` are the public states before and after the action;
    ``empty`` is what is then public of a seat that is played out."""

    action: Action
    before: Hand
    hand: Hand
    empty: OpenSeat | None = None


@dataclass(frozen=True, slots=True)
class Counted(PublicEvent):
    """``seat`` opened ``cards`` cards that were never turned up. Only the counting code learns
    which cards they are (``face_down.after``)."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class HandOver(PublicEvent):
    """A hand is settled. ``offences`` are the hidden plays that broke a rule, found at the
    count."""

    number: int
    result: Result
    match: Match
    offences: tuple[Offence, ...] = ()


@dataclass(frozen=True, slots=True)
class TableOver(PublicEvent):
    """The table is over; ``winner`` is a side, or None where nobody has won."""

    match: Match
    winner: int | None


@dataclass(frozen=True, slots=True)
class Closed(Event):
    """All receipts for the last entry are here: this node's transcript is complete."""


@dataclass(frozen=True, slots=True)
class HandSeen(Event):
    """What this node's player may see, after a batch or another change of the own cards."""

    view: View


@dataclass(frozen=True, slots=True)
class YourTurn(Event):
    """This node's player must choose one of ``legal(view)``."""

    view: View


@dataclass(frozen=True, slots=True)
class CapsDue(Event):
    """This node's player can call Caps now, with this order (emitted with ``caps=assist``)."""

    order: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class NextHand(Event):
    """The next deal waits until this node's player asks for it."""

    number: int


@dataclass(frozen=True, slots=True)
class CutOffered(Event):
    """This node's player may cut the pack of ``cards`` cards within ``seconds``; after that the
    node leaves the pack as it is."""

    cards: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CutChosen(Event):
    """The offer to cut is answered. The node writes the cut once its player asks for the deal."""


@dataclass(frozen=True, slots=True)
class Waiting(Event):
    """The table waits for the players ``nicks`` since ``since`` (seconds on the node's clock),
    which is ``seconds`` by now. ``gone`` are those of them that are not connected. ``may_part``:
    one player alone has been absent for long enough, and the others may now go on without that
    player. Emitted repeatedly."""

    nicks: tuple[str, ...]
    since: float
    seconds: int = 0
    gone: tuple[str, ...] = ()
    may_part: bool = False


@dataclass(frozen=True, slots=True)
class MayPart(Event):
    """The player ``absent`` alone has not been connected since ``since`` (seconds on the node's
    clock), for so long that the others may now go on without that player, whoever's turn it is.
    Emitted repeatedly."""

    absent: str
    since: float


TWO_FOR_A_PLACE = ("L10", "L11")
TWO_THAT_EXCLUDE = ("E06", "E07")
"""Checks that two signatures fail. Cheating does this, and so does one identity on two computers,
or a data folder put back from a backup."""


@dataclass(frozen=True, slots=True)
class Fault(Event):
    """A refused message: the finding, and the player's nickname where a player is proven guilty."""

    finding: Finding
    nick: str | None
    seq: int | None
    peer: bytes | None = None
    """The key of the peer that sent the message, where nobody is proven guilty."""


@dataclass(frozen=True, slots=True)
class SignedElsewhere(Event):
    """This player's identity has signed an entry or a receipt that this node did not write."""


@dataclass(frozen=True, slots=True)
class LeftOut(Event):
    """``times`` refusals and repetitions of other players or strangers were not reported one by
    one."""

    times: int


@dataclass(frozen=True, slots=True)
class DrawLeft(Event):
    """A player (nickname, key) who left or held up a table before its first hand was over; it is
    reported once, and noted until that hand is over."""

    nick: str
    key: bytes
    cause: LeaverCause


@dataclass(frozen=True, slots=True)
class PartingProposed(Event):
    """Players propose to go on without ``absent``: ``ready`` are those who agree (nicknames),
    ``needed`` how many must.

    ``bots``: if only bots on the side of ``absent`` have not agreed yet, those bots; they agree
    later than others (`BOT_PARTNER`).
    """

    absent: str
    ready: tuple[str, ...]
    needed: int
    bots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartingRefused(Event):
    """``by`` has answered that the table goes on with ``absent``. This player had agreed to go on
    without ``absent``."""

    by: str
    absent: str


@dataclass(frozen=True, slots=True)
class Overdue(Event):
    """``nick`` alone has kept the others waiting for ``seconds``.

    ``what`` is missing: an ``entry`` (a move), a ``receipt``, the signature under the cut that asks
    for the ``deal``, or a ``word`` of an absence vote.
    ``mine``: that player is this node's own. ``may``: the others may now agree to go on without
    that player.
    """

    nick: str
    what: str
    seconds: int
    mine: bool
    may: bool


@dataclass(frozen=True, slots=True)
class Parted(PublicEvent):
    """All but ``absent`` have ended the table as its rules say (``away``, an option's value); the
    tokens stand as in ``match``."""

    absent: str
    away: str
    match: Match
    goes_on: bool = False
    """Whether another player may take the seat; otherwise the table is at its end."""


@dataclass(frozen=True, slots=True)
class PlayingOut(PublicEvent):
    """All but ``absent``, on ``seat``, have agreed to play this hand out. ``empty`` is what was
    public of that seat's cards by then."""

    absent: str
    seat: int
    empty: OpenSeat


@dataclass(frozen=True, slots=True)
class StoodIn(PublicEvent):
    """``seat`` gave its part of ``elements`` elements in place of the absent player."""

    seat: int
    elements: int


@dataclass(frozen=True, slots=True)
class LaidOpen(PublicEvent):
    """``cards`` of the absent player's ``seat`` are now public. Those that lay face down in a trick
    are not in ``empty``."""

    seat: int
    cards: tuple[Card, ...]
    empty: OpenSeat


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A player's link has been lost for a while, or the player has ``said`` goodbye."""

    nick: str
    said: bool = False


@dataclass(frozen=True, slots=True)
class PlayerBack(Event):
    """A player of whom `PlayerLeft` was told is connected again."""

    nick: str


@dataclass(frozen=True, slots=True)
class WantsAgain(Event):
    """A player of the table that is over waits for this player, who opened it, to open another."""

    nick: str


@dataclass(frozen=True, slots=True)
class SpectatorCame(Event):
    """A spectator watches, under the name of its handshake: through this node, or, as its note
    says, through that of the member ``through``."""

    nick: str
    through: str | None = None


@dataclass(frozen=True, slots=True)
class CodeConfirmed(Event):
    """This player has confirmed the spoken code; of another player, this is what a note says.
    With ``may_be_known`` it may have been told before this node was resumed."""

    nick: str
    may_be_known: bool = False


@dataclass(frozen=True, slots=True)
class ChatMessage(Event):
    """A chat message of another player or of this one."""

    nick: str
    text: str
