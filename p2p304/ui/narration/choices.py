"""Legal actions in the order in which they are offered.

Responsible for the order. Which actions are legal is rules/play/view.py's.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import by_suit
from p2p304.rules.play.view import View, legal


def in_order(view: View) -> tuple[Action, ...]:
    """Sort the legal actions as people look for them: words first, bids rising, cards by suit."""
    options = legal(view)
    held = by_suit(
        {a.card for a in options if isinstance(a, acts.LayTrump | Play) and a.card},
        view.hand.options.pack,
    )

    def place(action: Action) -> tuple[int, int]:
        match action:
            case acts.Bid(amount=amount):
                return 1, amount
            case acts.LayTrump(card=card) | Play(card=card) if card is not None:
                return 2, held.index(card)
            case _:
                kind = type(action)
                return 0, _WORDS_FIRST.index(kind) if kind in _WORDS_FIRST else len(_WORDS_FIRST)

    return tuple(sorted(options, key=place))


_WORDS_FIRST = (acts.Pass, acts.Ask, acts.Redeal, acts.Closed, acts.Open)
