"""Actions: what players say and do, as values and as text.

Owns the words of the hand record (``E 160``, ``N ~7C``) both ways. A card that the table does
not see is None. Knows nothing of whether an action is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.rules.cards import Card, UnknownCard, card
from p2p304.rules.errors import RuleBroken
from p2p304.rules.seats import Seat, names

PCC = 1000
"""The amount that stands for Partner Close Caps: above every number."""


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid of ``amount`` card points, or PCC."""

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
class Announce:
    """The trump maker's word at the end of a closed trick: what is turned up, if anything."""

    seat: Seat
    revealed: tuple[tuple[Seat, Card], ...] = ()
    indicator: Card | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """A seat's cards that were never turned up, for the count, in order of play."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Caps:
    """Calls Caps with the order of all the caller's remaining cards (not settled yet)."""

    seat: Seat
    order: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Spoilt:
    """Declares spoilt trumps (not settled yet)."""

    seat: Seat


Action = (
    Bid | Pass | Ask | Redeal | LayTrump | Open | Closed | Play | Announce | Count | Caps | Spoilt
)


def public(action: Action) -> Action:
    """The action as the table sees it: without the cards that lie face down."""
    if isinstance(action, LayTrump) or (isinstance(action, Play) and action.down):
        return replace(action, card=None)
    return action


def word(action: Action) -> str:
    """The word or words of an action, without its seat."""
    match action:
        case Bid(amount=amount):
            return "pcc" if amount == PCC else str(amount)
        case LayTrump(card=c):
            return f"trump {c.name if c else '?'}"
        case Play(card=c, down=down):
            return ("~" if down else "") + (c.name if c else "?")
        case Caps(order=order):
            return " ".join(["caps", *(c.name for c in order)])
        case Announce(revealed=revealed, indicator=c):
            return "trumps" if revealed or c else "no trumps"
        case Count(cards=cards):
            return " ".join(["count", *(c.name for c in cards)])
        case _:
            return type(action).__name__.lower()


def text(action: Action, seats: int = 4) -> str:
    """The action as the hand record writes it."""
    return f"{names(seats)[action.seat]} {word(action)}"


_PLAIN: dict[str, type[Pass] | type[Ask] | type[Redeal] | type[Open] | type[Closed] | type[Spoilt]]
_PLAIN = {
    "pass": Pass,
    "ask": Ask,
    "redeal": Redeal,
    "open": Open,
    "closed": Closed,
    "spoilt": Spoilt,
}


def spoken(seat: Seat, said: str) -> Action:
    """A bid, ``pass`` or ``ask`` from its one written form; else RuleBroken ``action.form``."""
    if said in ("pass", "ask"):
        return _PLAIN[said](seat)
    if said == "pcc":
        return Bid(seat, PCC)
    if said.isascii() and said.isdigit() and said == str(int(said)) and len(said) <= 4:
        return Bid(seat, int(said))
    raise RuleBroken("action.form", f"{said[:16]!r} is neither a bid nor a pass", seat)


def parse(line: str, seats: int = 4) -> Action:
    """Read an action of the hand record; RuleBroken ``action.form`` if it is none."""
    parts = line.split(" ") if isinstance(line, str) else []
    if len(parts) < 2 or parts[0] not in names(seats):
        raise RuleBroken("action.form", f"{str(line)[:24]!r} is not an action")
    seat, said = names(seats).index(parts[0]), parts[1:]
    try:
        return _parse(seat, said)
    except UnknownCard as error:
        raise RuleBroken("action.form", str(error), seat) from error


def _parse(seat: Seat, said: list[str]) -> Action:
    head, rest = said[0], said[1:]
    if head == "trump" and len(rest) == 1:
        return LayTrump(seat, card(rest[0]))
    if head == "caps":
        return Caps(seat, tuple(card(name) for name in rest))
    if rest:
        raise RuleBroken("action.form", f"{' '.join(said)[:24]!r} is not an action", seat)
    if head in _PLAIN:
        return _PLAIN[head](seat)
    if head == "pcc" or head.isdigit():
        return spoken(seat, head)
    return Play(seat, card(head.removeprefix("~")), down=head.startswith("~"))
