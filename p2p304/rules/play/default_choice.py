"""The action of an empty seat, and what neither a hint nor chance decides when a turn's time is up.

Responsible for ``playout.lowest`` (SPEC.md, "Playing out") and for what is certain in ``timeout``.
Which players agreed to the former, and how the seat's cards came to lie open, is left to
table/transition/absent_seat.py; the hint and the chance of the latter to
table/machine/own_turns.py.
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


def timeout_choice(view: View) -> Action | None:
    """Return what is certain when the time of a turn is up: pass; or the least bid; or the exchange
    of the two cards that are worth least, none of them a trump if possible. None in a choice of
    another kind."""
    pack, choices = view.hand.options.pack, legal(view)
    passes = [action for action in choices if isinstance(action, acts.Pass)]
    bids = [action for action in choices if isinstance(action, acts.Bid)]

    def worth(exchange: acts.Exchange) -> tuple[int, ...]:
        cards = exchange.cards or ()
        return (
            sum(card.suit is view.trump for card in cards),
            sum(pack.points[card] for card in cards),
            sum(pack.strength[card] for card in cards),
            *sorted(pack.cards.index(card) for card in cards),
        )

    if passes or bids:
        return passes[0] if passes else min(bids, key=lambda bid: bid.amount)
    exchanges = [action for action in choices if isinstance(action, acts.Exchange)]
    return min(exchanges, key=worth, default=None)
