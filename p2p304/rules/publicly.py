"""What everybody can see to be against the rules in play, without knowing a hidden card.

Owns the public checks of a card played and of an announcement. What only own cards tell stands
in view.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2p304.rules import actions as acts
from p2p304.rules.actions import Play
from p2p304.rules.errors import RuleBroken

if TYPE_CHECKING:
    from p2p304.rules.hand import Hand


def check_play(hand: Hand, action: Play) -> None:
    """A card to the trick: which cards lie face down, and when the indicator may be played."""
    led = hand.trick.led if hand.trick else None
    card, seat = action.card, action.seat
    if action.indicator:
        _check_indicator(hand, action)
    elif hand.cards_left(seat) == 0:
        raise RuleBroken("indicator.last", "only the indicator is left to play", seat)
    if action.down:
        if led is None:
            raise RuleBroken("lead.up", "a lead is played face up", seat)
        if hand.trumps_open:
            raise RuleBroken("open.up", "trumps are open: cards are played face up", seat)
        return
    if card is None:
        raise RuleBroken("play.card", "a card face up must be named", seat)
    if card in hand.seen:
        raise RuleBroken("play.again", f"{card.name} has been played already", seat)
    if led is not None and card.suit is not led and not hand.trumps_open:
        rule = "another suit than the one led is played face down while trumps are closed"
        raise RuleBroken("hidden.down", rule, seat)


def _check_indicator(hand: Hand, action: Play) -> None:
    seat = action.seat
    if seat != hand.maker or not hand.indicator_down:
        raise RuleBroken("indicator.none", "no indicator of yours lies on the table", seat)
    if hand.cards_left(seat) > 0 and not action.down:
        rule = "the indicator is only led or followed with in the last trick"
        raise RuleBroken("indicator.last", rule, seat)


def check_announce(hand: Hand, action: acts.Announce, cutting: bool) -> None:
    """The trump maker's word: what it must and may turn up."""
    seat, card = action.seat, action.indicator
    if (action.revealed or cutting or hand.shows_after_first) and card is None:
        raise RuleBroken("announce.show", "the indicator must be shown now", seat)
    if not action.revealed and not cutting:
        if card is not None and not hand.shows_after_first:
            raise RuleBroken("announce.none", "there is no cut to show", seat)
        return
    if tuple(s for s, _ in action.revealed) != hand.to_turn_up:
        raise RuleBroken("announce.all", "a cut turns up the face-down cards", seat)
    suits = {c.suit for _, c in action.revealed}
    if card is not None and not cutting and card.suit not in suits:
        raise RuleBroken("announce.none", "there is no trump among the cards shown", seat)
