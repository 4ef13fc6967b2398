"""Parses typed lines: people's words for bids and cards.

Responsible for the accepted forms (``60`` for 160, ``js``, ``cut``). It decides nothing: it picks
one of the open actions, or says why a card cannot be played.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.actions import PCC, Action, Play
from p2p304.rules.core.cards import Card, UnknownCard, card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View, check
from p2p304.rules.state.hand import Phase

SHORT = {"p": "pass", "a": "ask", "o": "open", "c": "closed", "r": "redeal", "close": "closed"}
FEWEST_BID = 60
"""Numbers below are choices from the list, numbers from here on are bids."""


def choice(line: str, options: Sequence[Action]) -> Action | None:
    """Return the open action that a line names, or None."""
    word = line.strip().lower()
    word = SHORT.get(word, word)
    if word.isascii() and word.isdigit():
        return _by_number(int(word[:6]), options)
    if word == "cut":
        return next((a for a in options if isinstance(a, Play) and a.indicator), None)
    named = named_card(word)
    if named is not None:
        cards = [a for a in options if getattr(a, "card", None) is named]
        return next(iter(cards), None)
    plain = [a for a in options if not hasattr(a, "card") or isinstance(a, acts.Open)]
    return next((a for a in plain if notation.word(a).split(" ")[0] == word), None)


def claim(line: str, seat: Seat) -> Action | None:
    """Parse ``caps js 9s`` or ``spoilt``, which may be said out of turn; None for anything else."""
    first, *rest = line.strip().lower().split()
    if first == "spoilt" and not rest:
        return acts.Spoilt(seat)
    cards = [named for word in rest if (named := named_card(word)) is not None]
    if first == "caps" and len(cards) == len(rest):
        return acts.Caps(seat, tuple(cards))
    return None


def _by_number(number: int, options: Sequence[Action]) -> Action | None:
    if 1 <= number <= len(options) and number < FEWEST_BID:
        return options[number - 1]
    amount = _amount(number)
    return next((a for a in options if isinstance(a, acts.Bid) and a.amount == amount), None)


def _amount(number: int) -> int:
    """Return the bid that a number means: ``60`` is 160, ``100`` to ``145`` are 200 to 245."""
    return number + 100 if FEWEST_BID <= number < 150 else number


def named_card(word: str) -> Card | None:
    """Parse ``js``, ``10d``, ``td``, or suit first: ``sj``."""
    text = word.strip().upper().removeprefix("~")
    for name in (text, text[1:] + text[:1]):
        try:
            return card(name)
        except UnknownCard:
            continue
    return None


def broken(line: str, view: View) -> RuleBroken | None:
    """Return the refusal of the rules if the line names something that cannot be done now."""
    word = line.strip().lower()
    action = _meant(SHORT.get(word, word), view)
    return None if action is None else _refusal(action, view)


def broken_with_card(card: Card, view: View) -> RuleBroken | None:
    """Return the refusal of the rules if this card cannot be chosen now."""
    action = _with_card(card, view)
    return None if action is None else _refusal(action, view)


def _refusal(action: Action, view: View) -> RuleBroken | None:
    try:
        check(view, action)
    except RuleBroken as found:
        return found
    return None


def _meant(word: str, view: View) -> Action | None:
    seat, named = view.seat, named_card(word)
    if named is not None:
        return _with_card(named, view)
    if word == "pcc":
        return acts.Bid(seat, PCC)
    if word.isascii() and word.isdigit() and view.hand.phase in (Phase.BID4, Phase.BID8):
        return acts.Bid(seat, _amount(int(word[:6])))
    plain: dict[str, Action] = {
        "pass": acts.Pass(seat),
        "ask": acts.Ask(seat),
        "redeal": acts.Redeal(seat),
        "closed": acts.Closed(seat),
    }
    return plain.get(word)


def _with_card(named: Card, view: View) -> Action | None:
    """Lay the card as indicator, or play it: face up if the suit is followed or trumps are open,
    else face down."""
    if view.hand.phase in (Phase.TRUMP4, Phase.TRUMP8):
        return acts.LayTrump(view.seat, named)
    if view.hand.phase is not Phase.PLAY:
        return None
    follows = view.led is None or named.suit is view.led or view.hand.has_open_trumps
    return Play(view.seat, named, down=not follows, indicator=named is view.indicator)
