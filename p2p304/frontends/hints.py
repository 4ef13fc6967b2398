"""A hint: what the club player would do in this view, and why, in one sentence.

Responsible for the reasons. It sees the view of the seat that asks and nothing else, as a bot does;
the choice itself is bots/club.py's.
"""

from __future__ import annotations

from p2p304.bots import bidding
from p2p304.bots.card_memory import CardMemory
from p2p304.bots.club import ClubBot
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase
from p2p304.ui.narration.choice_phrases import describe
from p2p304.ui.narration.model import Model


def hint(view: View, model: Model) -> Phrase:
    """Return ``The bot would …: …``; raises LookupError if the bot does not know this game."""
    action = ClubBot().choose(view)
    return say(
        "The bot would say or play {what}. {why}",
        what=describe(action, model),
        why=reason(view, action),
    )


def reason(view: View, action: Action) -> Phrase:
    """Return why the bot chooses this action."""
    match action:
        case acts.Bid() | acts.Pass() | acts.Ask() | acts.Redeal():
            return _why_bid(view, action)
        case acts.LayTrump(card=card) if card is not None:
            return say(
                "{suit} are your best trumps, and the least of them is missed least while it lies.",
                suit=card.suit,
            )
        case acts.Closed():
            return say("Closed trumps keep the others guessing.")
        case acts.Open():
            return say("Trumps cannot be kept closed here.")
        case Play(card=card) if card is not None:
            return _why_play(CardMemory(view), action, card)
    return say("Nothing better is known.")


def _why_bid(view: View, action: Action) -> Phrase:
    suit = bidding.best_suit(view.cards | ({view.indicator} if view.indicator else set()))
    match action:
        case acts.Redeal():
            return say("Under 15 points nothing good is in these cards.")
        case acts.Ask():
            return say(
                "Strong cards in several suits, and none to prefer: let your partner name it."
            )
        case acts.Bid(amount=amount) if amount >= 250:
            return say("Nearly every trick of this hand is sure with {suit} as trumps.", suit=suit)
        case acts.Bid():
            return say("{suit} as trumps would carry that much.", suit=suit)
    if view.hand.phase is Phase.BID8:
        return say("For 250 or more nearly every trick would have to be sure.")
    bidder = view.hand.auction.bidder
    if bidder is not None and (bidder - view.seat) % 2 == 0:
        return say("Your partner holds the bid already.")
    return say("No suit of yours would carry the next bid.")


def _why_play(memory: CardMemory, action: Play, card: Card) -> Phrase:
    view = memory.view
    if len(legal(view)) == 1:
        return say("It is the only card that may be played.")
    if view.led is None:
        return _why_lead(memory, card)
    if action.indicator:
        return say("{n} points lie on the table: worth a cut.", n=memory.worth)
    if memory.is_partner_winning:
        return say("Your partner is winning the trick: give points to it.")
    if action.down:
        return _why_down(memory, card)
    if not memory.beats(card):
        return say("It cannot win here, and is missed least.")
    if memory.is_master(card):
        return say("It wins, and no card still out beats it.")
    return say("It wins the trick without spending a card that will win by itself.")


def _why_lead(memory: CardMemory, card: Card) -> Phrase:
    trump = card.suit is memory.view.trump
    if memory.is_master(card):
        if trump:
            return say("It draws trumps while no card still out beats it.")
        return say("No card still out beats it, while others must still follow suit.")
    return say("There is nothing to collect: few points go with it.")


def _why_down(memory: CardMemory, card: Card) -> Phrase:
    if memory.worth >= 20 and not memory.is_maker:
        return say(
            "{n} points lie on the table, and {suit} may be trumps.", n=memory.worth, suit=card.suit
        )
    return say("It cannot follow, and is missed least.")
