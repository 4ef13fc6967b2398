"""What play does to a hand: cards to a trick, trumps shown, a trick settled.

Owns the changes; what is allowed stands in publicly.py and view.py. When the last trick is
settled it hands over to endings.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2p304.rules import actions as acts
from p2p304.rules import endings
from p2p304.rules.actions import Play
from p2p304.rules.cards import Card
from p2p304.rules.phase import Phase
from p2p304.rules.seats import Seat
from p2p304.rules.tricks import Trick, winner

if TYPE_CHECKING:
    from p2p304.rules.hand import Hand


def played(hand: Hand, action: Play) -> None:
    """A card to the trick, as the table sees it."""
    tricks = hand.tricks
    trick = tricks[-1] if tricks and tricks[-1].winner is None else None
    plays = trick.plays if trick else ()
    shut = trick.shut if trick else 0
    if action.card is not None:
        hand.faces |= action.card.bit
        if action.indicator:
            show(hand, action.card)
            shut = len(plays) if hand.options.hidden == "ask_reveal" else 0
    if action.indicator:
        hand.indicator_down = False
    hand.asker = None
    grown = Trick(trick.leader if trick else action.seat, (*plays, action), None, shut)
    hand.tricks = (*tricks[:-1], grown) if trick else (*tricks, grown)
    if len(grown.plays) < len(hand.playing):
        hand.to_act = _next(hand, action.seat)
    elif _announcement_due(hand, grown):
        hand.phase, hand.to_act = Phase.ANNOUNCE, hand.maker
    else:
        settle(hand, grown)


def _next(hand: Hand, seat: Seat) -> Seat:
    playing = hand.playing
    return playing[(playing.index(seat) + 1) % len(playing)]


def show(hand: Hand, card: Card) -> None:
    """The indicator is seen by all; from now on trumps are open."""
    hand.indicator, hand.trump, hand.indicator_down = card, card.suit, False


def _announcement_due(hand: Hand, trick: Trick) -> bool:
    if hand.trump is not None or hand.options.hidden != "face_down":
        return False
    others = any(p.down and (p.seat != hand.maker or p.indicator) for p in trick.plays)
    return others or hand.shows_after_first


def announced(hand: Hand, action: acts.Announce) -> None:
    """The trump maker's word: cards turned up and the indicator shown, if there was a cut."""
    trick = hand.tricks[-1]
    cards = dict(action.revealed)
    if action.indicator is not None:
        if any(p.indicator for p in trick.plays):
            cards[action.seat] = action.indicator
        show(hand, action.indicator)
    for card in cards.values():
        hand.faces |= card.bit
    hand.phase = Phase.PLAY
    settle(hand, trick.with_cards(cards))


def settle(hand: Hand, trick: Trick) -> None:
    """The present trick, complete, has a winner, who leads next."""
    who = winner(trick, hand.trump, hand.options.pack)
    done = Trick(trick.leader, trick.plays, who, trick.shut)
    hand.tricks = (*hand.tricks[:-1], done)
    hand.to_act = who
    if len(hand.tricks) == hand.tricks_due:
        endings.to_count(hand)


def revealed(hand: Hand, action: acts.Reveal) -> None:
    """Trumps are asked for: the trump maker shows the indicator, then the asker plays."""
    hand.phase, hand.asker, hand.to_act = Phase.SHOW, action.seat, hand.maker


def shown(hand: Hand, action: acts.Show) -> None:
    """The indicator is shown and taken up; plays to this trick so far cut nothing."""
    show(hand, action.card)
    trick = hand.tricks[-1]
    hand.tricks = (*hand.tricks[:-1], trick._replace(shut=len(trick.plays)))
    hand.phase, hand.to_act = Phase.PLAY, hand.asker


def doubled(hand: Hand, action: acts.Double) -> None:
    hand.doubled = action.seat


def married(hand: Hand, action: acts.Marriage) -> None:
    hand.marriages = (*hand.marriages, (action.seat, action.suit))
