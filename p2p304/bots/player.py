"""Bots: the interface, and a bot that plays at random.

Responsible for the interface. A bot sees a view and nothing else. Randomness is passed in as
``below(n)``, which returns a uniform number from 0 to n - 1. The better bot is club.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.play.view import View, legal

Below = Callable[[int], int]


A = TypeVar("A", bound=Action)


def first(options: Sequence[Action], kind: type[A]) -> A | None:
    """Return the first of these actions that is of this kind."""
    return next((action for action in options if isinstance(action, kind)), None)


class Bot(Protocol):
    """A player that chooses one of ``legal(view)``."""

    def choose(self, view: View) -> Action: ...


class RandomBot:
    """Plays any legal action. In the bidding it passes, or takes the lowest bid one time in four:
    uniformly chosen bids would nearly all be hopeless, and would not measure card play."""

    def __init__(self, below: Below) -> None:
        self._below = below

    def choose(self, view: View) -> Action:
        options = legal(view)
        bid, may_pass = first(options, acts.Bid), first(options, acts.Pass)
        if may_pass is not None:
            if bid and bid.amount <= view.hand.options.special and self._below(4) == 0:
                return bid
            return may_pass
        bids = [action for action in options if isinstance(action, acts.Bid)]
        if bids:
            return min(bids, key=lambda bid: bid.amount)
        return options[self._below(len(options))]
