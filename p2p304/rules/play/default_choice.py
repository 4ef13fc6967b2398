"""The action of an empty seat, whose hand is played out without its player.

Responsible for ``playout.lowest`` (SPEC.md, "Playing out"). Which players agreed to it, and how the
seat's cards came to lie open, is left to table/transition/absent_seat.py.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.play.view import View, legal


def default_choice(view: View) -> Action:
    """``playout.lowest`` of the legal actions; ValueError where there is none."""
    pack, suits = view.hand.options.pack, [card.suit for card in view.cards]

    def worth(card: Card) -> tuple[int, int, int]:
        return pack.points[card], pack.strength[card], pack.cards.index(card)

    def rank(action: Action) -> tuple[int, ...]:
        """Pass, keep, open trump, and otherwise what is worth least: of the longest suit for an
        indicator, of any for a trick."""
        match action:
            case acts.Pass() | acts.Keep() | acts.Open():
                return (0,)
            case acts.LayTrump(card=Card() as card):
                return (1, -suits.count(card.suit), *worth(card))
            case Play(card=Card() as card, down=down):
                return (1, *worth(card), int(down))
            case acts.Bid(amount=amount):
                return (2, amount)
            case acts.Call(card=card):
                return (1, -pack.strength[card], pack.cards.index(card))
        return (3,)

    return min(legal(view), key=rank)
