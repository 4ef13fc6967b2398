"""A player who bids low, plays closed trumps, and plays high cards first."""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.play.view import View, legal


def plain(view: View) -> Action:
    """The lowest bid or a pass, closed trump, and high cards first."""
    options = legal(view)
    plays = [a for a in options if isinstance(a, acts.Play) and a.card is not None]
    if plays:
        return max(plays, key=lambda a: _worth(view, a))
    bids = [a for a in options if isinstance(a, acts.Bid) and a.amount < 200]
    if bids and view.hand.auction.bidder is None:
        return bids[0]
    calm = [a for a in options if not isinstance(a, acts.Redeal | acts.Ask | acts.Bid | acts.Open)]
    return calm[0]


def _worth(view: View, action: acts.Play) -> int:
    strength = view.hand.options.pack.strength
    return 0 if action.card is None else strength[action.card] * (-1 if action.down else 1)
