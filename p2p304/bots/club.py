"""The club player: sensible rules of thumb for bidding and play.

Responsible for which rule is asked when. Bids are bidding.py's, cards card_play.py's. The bot knows
only the view that it is given.
"""

from __future__ import annotations

from p2p304.bots import bidding, card_play
from p2p304.bots.card_memory import CardMemory
from p2p304.bots.player import first
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase


class ClubBot:
    """A decent club player."""

    def choose(self, view: View) -> Action:
        options = legal(view)
        match view.hand.phase:
            case Phase.BID4 | Phase.BID8:
                return bidding.say(view, options)
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
