"""One action further: a transition and then, if it ends the hand, the settlement.

Responsible for how the two follow each other. What an action does is left to transitions.py, what
a hand that has come to its end is worth to settlement.py.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.phase import Phase
from p2p304.rules.play import settlement, transitions
from p2p304.rules.play.transitions import Commit
from p2p304.rules.state.hand import Hand


def apply(hand: Hand, action: Action) -> Hand:
    """The hand after a public action; raises RuleBroken where public facts forbid it."""
    commit = transitions.check(hand, action)
    after = hand.copied()
    change(after, commit, acts.public(action))
    return after


def change(hand: Hand, commit: Commit, seen: Action) -> None:
    """Change this hand, to which nobody else refers, by an action as the table sees it, where
    `transitions.check` has told what the action does."""
    commit(hand, seen)
    hand.history.append(seen)
    settle(hand)


def settle(hand: Hand) -> None:
    """Give a hand that has come to its end its result."""
    if hand.phase is Phase.OVER and hand.result is None:
        hand.result = settlement.result_of(hand)
