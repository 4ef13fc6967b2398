"""A hint: what a bot would do in this view, and why.

Responsible for the reasons. It sees the view of the seat that asks and nothing else, as a bot does;
the choice itself is that of bots/teacher/evaluation.py, and so are the figures.
"""

from __future__ import annotations

from p2p304.app.process.exit_status import write_report
from p2p304.bots import bidding
from p2p304.bots.card_memory import CardMemory
from p2p304.bots.teacher.evaluation import advised
from p2p304.bots.teacher.phrases import chances_of, danger, doubt_of
from p2p304.offline.teacher.lessons import sentences
from p2p304.offline.teacher.mistakes import judged_hand
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.notation import amount_text, points_text
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.auction import is_partner_high
from p2p304.rules.state.scoring import won_and_lost
from p2p304.ui.guidance.card_values import LOST, is_lost
from p2p304.ui.guidance.choice_phrases import describe
from p2p304.ui.narration.model import Model

LATE, SEARCHED = 1.0, say("Deals are being tried …")
"""What is said after so many seconds without a hint."""


def advice(model: Model) -> Phrase:
    """Return the hint for the player whose turn it is, or why there is none."""
    if model.view is None:
        return say("There is nothing to choose here.")
    return hint_or_fault(model.view, model)


def hint_or_fault(view: View, model: Model) -> Phrase:
    """Return the hint, or that the search failed, with a report for the developers: the game goes
    on. There is no game without hints."""
    try:
        return hint(view, model)
    except Exception as error:  # noqa: BLE001 - no hint is worth the end of a game
        kind, report = type(error).__name__, write_report(error)
        if report is None:
            told = say("There is no hint: the search failed ({kind}). Please tell the developers.")
            return told.filled(kind=kind)
        return say(
            "There is no hint: the search failed ({kind}). Please send the file {file} to the "
            "developers.",
            kind=kind,
            file=report,
        )


def lessons(model: Model) -> tuple[Phrase, ...]:
    """Return what would have been better than this player's choices in the hand that is over."""
    ended = model.ended[-1]
    if ended.hand is None or model.seat is None:
        return (say("You have chosen nothing in this hand."),)
    views = {len(view.hand.history): view for view in ended.views}
    if ended.last_view is not None:
        views[len(ended.hand.history)] = ended.last_view
    found = judged_hand(
        model.nicks, ended.number, ended.hand, ended.result, views, model.seat, ended.own
    )
    return sentences(found) or (say("You have chosen nothing in this hand."),)


def hint(view: View, model: Model) -> Phrase:
    """Return ``Hint: …`` with its reason."""
    action, found = advised(view)
    what = describe(action, model)
    if found is None:
        why = reason(view, action) or say("The bot sees no better choice.")
        if is_lost(model, view.hand):
            why = LOST
        return say("Hint: {what}. {why}", what=what, why=why)
    chance, doubt, more = chances_of(found, view), doubt_of(found, view), danger(found, view)
    is_best = view.hand.phase is Phase.PLAY or action == found.best.action
    is_club = found.taken is not None and found.choices[found.taken].action == action
    if more is None and is_best and is_club:
        more = reason(view, action)  # of the club player, who would do the same
    if doubt is not None:
        more = doubt if more is None else say("{first} {second}", first=doubt, second=more)
    if more is None:
        return say("Hint: {what}. {chance}", what=what, chance=chance)
    return say("Hint: {what}. {chance} {why}", what=what, chance=chance, why=more)


def reason(view: View, action: Action) -> Phrase | None:
    """Return why the club player chooses this action; None where there is no more to say."""
    match action:
        case acts.Bid() | acts.Pass() | acts.Ask() | acts.Redeal():
            return _why_bid(view, action)
        case acts.LayTrump(card=card) if card is not None:
            return say(
                "Your best trumps are {suit}. Lay down a low one: you need it least.",
                suit=card.suit,
            )
        case acts.Closed():
            return say("The others do not learn your trump suit yet.")
        case acts.Open() if len(legal(view)) == 1:
            return say("You can't keep your trumps closed with this hand.")
        case Play(card=card) if card is not None:
            return _why_play(CardMemory(view), action, card)
    return None


def _why_bid(view: View, action: Action) -> Phrase | None:
    options = view.hand.options
    match action:
        case acts.Redeal():
            return say(
                "These cards are worth less than {points} points: ask for new ones.",
                points=points_text(15, options.tenths),
            )
        case acts.Ask():
            return say("Several suits are strong. Let your partner decide.")
        case acts.Bid() if all(isinstance(one, acts.Bid) for one in legal(view)):
            return None  # it is forced, however weak the suit is
        case acts.Bid(amount=amount):
            suit = bidding.best_suit(view.held)
            if amount >= options.second:
                return say("With {suit} as trumps, this hand wins nearly every trick.", suit=suit)
            return say("Your {suit} are strong enough as trumps.", suit=suit)
    if view.hand.auction.second:
        return say(
            "A bid of {bid} or more needs a hand that wins nearly every trick.",
            bid=amount_text(options.second, options.tenths),
        )
    if is_partner_high(options, view.hand.auction, view.seat):
        return say("Your partner already has the highest bid.")
    amounts = [one.amount for one in legal(view) if isinstance(one, acts.Bid)]
    won, lost = won_and_lost(options, min(amounts, default=options.bid_min))
    if won >= lost or options.match == "bank":
        if view.hand.auction.high:
            return say("No suit is strong enough to bid higher.")
        return say("No suit is strong enough to bid.")
    return say(
        "A bid that fails costs {lost}, and one that is made wins only {won}.", lost=lost, won=won
    )


def _why_play(memory: CardMemory, action: Play, card: Card) -> Phrase:
    view = memory.view
    if len(legal(view)) == 1:
        return say("It is the only card that you may play.")
    if view.led is None:
        return _why_lead(memory, card)
    if action.indicator:
        return say("The trick is worth {n} points: win it with a cut.", n=_worth(memory))
    if memory.is_partner_winning:
        return say("Your partner is winning the trick: add points to it.")
    if action.down:
        return _why_down(memory, card)
    if not memory.beats(card):
        return say("You cannot win this trick, and this is your least useful card.")
    if memory.is_master(card):
        return say("It wins the trick: no remaining card is higher.")
    return say("It wins the trick and saves your highest cards for later.")


def _why_lead(memory: CardMemory, card: Card) -> Phrase:
    trump = card.suit is memory.view.trump
    if memory.is_master(card):
        if trump:
            return say("Your trump is the highest left: it draws the others' trumps.")
        return say("It is the highest card left in its suit, and others must still follow.")
    return say("No card of yours is sure to win: lead one that is worth few points.")


def _why_down(memory: CardMemory, card: Card) -> Phrase:
    if memory.worth >= 20 and not memory.is_maker:
        return say(
            "The trick is worth {n} points, and {suit} may be trumps.",
            n=_worth(memory),
            suit=card.suit,
        )
    return say("You cannot follow suit, and this is your least useful card.")


def _worth(memory: CardMemory) -> str:
    return points_text(memory.worth, memory.view.hand.options.tenths)
