"""Actions: what players say and do, as values.

Responsible for which actions there are. A card that the table does not see is None. Their text is
left to notation.py; whether an action is allowed is left to play/transitions.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.core.seats import Seat

PCC = 10_000
"""The amount that stands for Partner Close Caps: above every number that can be said."""
HALF_COURT = 10_001
FULL_COURT = 10_002
NAMED = {"pcc": PCC, "halfcourt": HALF_COURT, "fullcourt": FULL_COURT}
"""Named bids: each is above every number and ends its round."""


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid of ``amount`` card points, or one of NAMED."""

    seat: Seat
    amount: int


@dataclass(frozen=True, slots=True)
class Pass:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Ask:
    """Asks the partner to bid in this turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Redeal:
    """Rejects a first batch worth less than 15 points, showing it."""

    seat: Seat
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class LayTrump:
    """Puts a card face down as the trump indicator."""

    seat: Seat
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """Names the card whose holder is the trump maker's partner for this hand."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Exchange:
    """Lays two cards away, face down, and takes up the two left over from the deal."""

    seat: Seat
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """Leaves the two cards left over from the deal where they are."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Open:
    """Open trump: the indicator is turned up and taken into the hand."""

    seat: Seat
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Play:
    """A card to the trick, face up or ``down``; ``indicator`` if it is the indicator."""

    seat: Seat
    card: Card | None
    down: bool = False
    indicator: bool = False


@dataclass(frozen=True, slots=True)
class Reveal:
    """Asks for the trump to be shown, being unable to follow suit."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Show:
    """The trump maker shows the indicator because it was asked for, and takes it up."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Double:
    """Undertakes, having won every trick so far, to win all the rest too."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Marriage:
    """Shows king and queen of a suit, both in the hand."""

    seat: Seat
    suit: Suit


@dataclass(frozen=True, slots=True)
class Announce:
    """The trump maker's word at the end of a closed trick: what is turned up, if anything."""

    seat: Seat
    revealed: tuple[tuple[Seat, Card], ...] = ()
    indicator: Card | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """A seat's cards that were never turned up, for the count: those played face down in order
    of play, then, where a claim has ended the hand, those not played. After a call of spoilt trumps
    an opponent of the trump maker counts nothing if it was dealt no trump."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Caps:
    """Calls Caps with the order of all the caller's remaining cards.

    ``known`` are the face-down cards that the caller knew beyond the table, by trick (from 0)
    and seat: its own, and as trump maker those it inspected. ``indicator`` is the one among the
    order that still lies on the table, if the caller's does.
    """

    seat: Seat
    order: tuple[Card, ...]
    known: tuple[tuple[int, Seat, Card], ...] = ()
    indicator: Card | None = None


@dataclass(frozen=True, slots=True)
class Spoilt:
    """Declares spoilt trumps."""

    seat: Seat


BeforePlay = Bid | Pass | Ask | Redeal | LayTrump | Call | Exchange | Keep | Open | Closed
Claim = Caps | Spoilt
"""What a player may say without having the turn."""
Action = BeforePlay | Play | Reveal | Show | Double | Marriage | Announce | Count | Claim


def public(action: Action) -> Action:
    """The action as the table sees it: without the cards that lie face down."""
    if type(action) is Play:
        return face_down(action.seat, action.indicator) if action.down else action
    if type(action) is LayTrump:
        return LayTrump(action.seat)
    return Exchange(action.seat) if type(action) is Exchange else action


@lru_cache(maxsize=64)
def face_down(seat: Seat, indicator: bool) -> Play:
    """A card played face down, as the table sees it."""
    return Play(seat, None, True, indicator)
