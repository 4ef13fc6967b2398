"""Actions as text, both ways: the words of the hand record (``E 160``, ``N ~7C``).

Responsible for every word and for how amounts are written. Whether an action is allowed is left to
play/transitions.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import FULL_COURT, HALF_COURT, NAMED, PCC, Action
from p2p304.rules.core.cards import CARDS, Card, Suit, UnknownCard, card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import Phrase, say, verbatim
from p2p304.rules.core.seats import Seat, names

NAMED_BIDS = {
    PCC: say("Partner Close Caps"),
    HALF_COURT: say("half court"),
    FULL_COURT: say("full court"),
}
_NAMES = {amount: name for name, amount in NAMED.items()}
_WORDS: dict[type[Action], str] = {
    acts.Pass: "pass",
    acts.Ask: "ask",
    acts.Redeal: "redeal",
    acts.Keep: "keep",
    acts.Open: "open",
    acts.Closed: "closed",
    acts.Reveal: "reveal",
    acts.Double: "double",
    acts.Spoilt: "spoilt",
}
_PLAIN: dict[str, Callable[[Seat], Action]] = {said: kind for kind, said in _WORDS.items()}


def amount_text(amount: int, tenths: bool = False) -> str:
    """A bid as it is written: ``160``, ``pcc``; in the game of tenths ``1.6``."""
    if amount in _NAMES:
        return _NAMES[amount]
    if not tenths:
        return str(amount)
    return f"{amount // 100}.{amount % 100:02d}".removesuffix("0")


def bid_phrase(amount: int, tenths: bool = False) -> Phrase | str:
    """A bid as it is told: ``160``, ``Partner Close Caps``."""
    return NAMED_BIDS.get(amount) or amount_text(amount, tenths)


def points_text(points: int, tenths: bool = False) -> str:
    """Card points as they are told: ``260``; in the game of tenths ``26.0``."""
    return f"{points / 10:.1f}" if tenths else str(points)


def word(action: Action, tenths: bool = False) -> str:
    """The word or words of an action, without its seat."""
    match action:
        case acts.Bid(amount=amount):
            return amount_text(amount, tenths)
        case acts.Play(card=c, down=down):
            return ("~" if down else "") + _name(c)
        case acts.LayTrump(card=c):
            return f"trump {_name(c)}"
        case acts.Call(card=c):
            return f"partner {c.name}"
        case acts.Exchange(cards=cards):
            return " ".join(["exchange", *(c.name for c in cards or ())])
        case acts.Marriage(suit=suit):
            return f"marriage {suit.value}"
        case acts.Show(card=c):
            return f"show {c.name}"
        case acts.Caps(order=order):
            return " ".join(["caps", *(c.name for c in order)])
        case acts.Announce(revealed=revealed, indicator=c):
            return "trumps" if revealed or c else "no trumps"
        case acts.Count(cards=cards):
            return " ".join(["count", *(c.name for c in cards)])
        case _:
            return _WORDS[type(action)]


def _name(c: Card | None) -> str:
    return c.name if c else "?"


def text(action: Action, seats: int = 4, tenths: bool = False) -> str:
    """The action as the hand record writes it."""
    return f"{names(seats)[action.seat]} {word(action, tenths)}"


@lru_cache(maxsize=16)
def play_texts(seats: int) -> tuple[list[dict[Card, str]], list[dict[Card, str]]]:
    """The text of every play by seat and card: face up, and face down."""
    up, down = (
        [{c: f"{name} {mark}{c.name}" for c in CARDS.values()} for name in names(seats)]
        for mark in ("", "~")
    )
    return up, down


def parse_bid(seat: Seat, said: str, tenths: bool = False) -> Action:
    """A bid, ``pass`` or ``ask`` from its one written form; else RuleBroken ``action.form``."""
    if said in ("pass", "ask"):
        return _PLAIN[said](seat)
    if said in NAMED:
        return acts.Bid(seat, NAMED[said])
    whole, _, part = said.partition(".")
    digits = whole + part.ljust(2, "0") if tenths else said
    is_number = len(said) <= 4 and digits.isascii() and digits.isdigit()
    if said.startswith("0") or not is_number or amount_text(int(digits), tenths) != said:
        raise RuleBroken(
            "action.form", verbatim(f"{said[:16]!r} is neither a bid nor a pass"), seat
        )
    return acts.Bid(seat, int(digits))


def parse_open_action(seat: Seat, said: str) -> Action:
    """What is said at the table and needs no card shown: as `parse_bid`, or ``double``, ``keep`` or
    ``partner JS``; else RuleBroken ``action.form``."""
    if said in ("double", "keep"):
        return _PLAIN[said](seat)
    if said.startswith("partner "):
        try:
            return acts.Call(seat, card(said.removeprefix("partner ")))
        except UnknownCard as error:
            raise RuleBroken("action.form", verbatim(str(error)), seat) from error
    return parse_bid(seat, said)


def parse(line: str, seats: int = 4, tenths: bool = False) -> Action:
    """Read an action of the hand record; RuleBroken ``action.form`` if it is none."""
    parts = line.split(" ")
    if len(parts) < 2 or parts[0] not in names(seats):
        raise RuleBroken("action.form", verbatim(f"{line[:24]!r} is not an action"))
    seat, said = names(seats).index(parts[0]), parts[1:]
    why = f"{' '.join(said)[:24]!r} is not an action"
    try:
        match said:
            case ["caps", *order]:
                return acts.Caps(seat, tuple(card(name) for name in order))
            case ["exchange", first, second]:
                return acts.Exchange(seat, (card(first), card(second)))
            case ["trump", name]:
                return acts.LayTrump(seat, card(name))
            case ["partner", name]:
                return acts.Call(seat, card(name))
            case ["marriage", "S" | "H" | "D" | "C" as letter]:
                return acts.Marriage(seat, Suit(letter))
            case ["marriage", letter]:
                why = f"{letter[:8]!r} is not a suit"
            case [head] if head in _PLAIN:
                return _PLAIN[head](seat)
            case [head] if head in NAMED or head.replace(".", "", 1).isdigit():
                return parse_bid(seat, head, tenths)
            case [head]:
                return acts.Play(seat, card(head.removeprefix("~")), down=head.startswith("~"))
    except UnknownCard as error:
        why = str(error)
    raise RuleBroken("action.form", verbatim(why), seat)


class Reader(dict[str, Action]):
    """Actions by their lines, each read once by `parse`: records have many of the same."""

    def __init__(self, seats: int, tenths: bool) -> None:
        super().__init__()
        self._seats, self._tenths = seats, tenths

    def __missing__(self, line: str) -> Action:
        action = parse(line, self._seats, self._tenths)
        if len(line) <= _LONGEST and len(self) < _MOST:
            self[line] = action
        return action


_LONGEST, _MOST = 16, 4096
"""Characters of a line that a reader keeps, and how many: all but calls of Caps, in games of
four about 700; a hostile file has others."""
reader = lru_cache(maxsize=16)(Reader)
