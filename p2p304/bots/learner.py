"""The learner: bids as the club player does, and plays the cards that it sees, without memory.

Responsible for a learner's cards: beat what lies there with the best card, or throw the least away.
The club player, who remembers what was played and plays with the partner, is club.py's.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.bots.card_memory import CardMemory
from p2p304.bots.club import ClubBot
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase


class LearnerBot:
    """A player who knows the rules and looks one trick ahead. The same view gives the same card."""

    def __init__(self) -> None:
        self._club = ClubBot()

    def choose(self, view: View) -> Action:
        plays = [one for one in legal(view) if isinstance(one, Play) and one.card is not None]
        if view.hand.phase is not Phase.PLAY or not plays:
            return self._club.choose(view)
        chosen = _card(CardMemory(view), [play.card for play in plays if play.card is not None])
        return next(play for play in plays if play.card is chosen)


def _card(memory: CardMemory, cards: Sequence[Card]) -> Card:
    """The strongest card that leads or beats what lies there, but trumps last; else the least."""
    trump = memory.view.trump
    plain = [card for card in cards if card.suit is not trump] or list(cards)
    if memory.view.led is None:
        return memory.highest(plain)
    winning = [card for card in cards if memory.beats(card)]
    if not winning:
        return memory.lowest(plain)
    return memory.highest([card for card in winning if card in plain] or winning)
