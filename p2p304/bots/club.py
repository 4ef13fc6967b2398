"""The club player: sensible rules of thumb for bidding and play; and the learner.

Responsible for which rule is asked when. A learner bids as the club player does, and plays the
cards that it sees, without memory: it beats what lies there, or throws the least away. Bids are
bidding.py's, cards card_play.py's. Both know only the view that they are given.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.bots import bidding, card_play
from p2p304.bots.card_memory import CardMemory
from p2p304.bots.player import first
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase


class ClubBot:
    """A decent club player, which bids by this ladder (bidding.py)."""

    def __init__(self, ladder: bidding.Ladder = bidding.LADDER) -> None:
        self._ladder = ladder

    def choose(self, view: View) -> Action:
        options = legal(view)
        match view.hand.phase:
            case Phase.BID4 | Phase.BID8:
                return bidding.say(view, options, self._ladder)
            case Phase.TRUMP4 | Phase.TRUMP8:
                return bidding.indicator(view)
            case Phase.DECLARE:
                # Closed trumps keep the opponents guessing; open them only by duty, or where
                # every trick is to be won and trumps are to be led at once.
                wanted = acts.Open if view.hand.bids_all_tricks else acts.Closed
                return first(options, wanted) or options[0]
            case Phase.PARTNER:
                return bidding.partner(view)
            case Phase.EXCHANGE:
                return bidding.exchange(view, options)
            case _:
                return card_play.choose_card(CardMemory(view), options)


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
