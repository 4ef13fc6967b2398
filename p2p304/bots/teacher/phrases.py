"""What the teacher says: chances in numbers, and what would have been better.

Responsible for the sentences. The figures are evaluation.py's.
"""

from __future__ import annotations

from p2p304.bots.teacher.evaluation import Choice, Evaluation
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.notation import bid_phrase
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.phrases import Phrase, Who, say
from p2p304.rules.core.tricks import Trick
from p2p304.rules.play.view import View
from p2p304.rules.state.scoring import CapsRuling

FEW, MOST = 20, 99
"""Of 100 deals: what is seldomer is not worth a word, what is oftener is certain."""
TOO_SMALL = say("The difference is too small to count.")
CHANCE = say("The difference can be chance.")


def better(found: Evaluation, view: View) -> Phrase:
    """Say what was done, what would have been better, and what that cost."""
    if found.taken is None:
        raise LookupError("a regret needs a choice that was made")
    taken, best = found.choices[found.taken], found.best
    did = _did(taken.action, view)
    is_for_points = not _is_doubled(view, taken, best)
    if not isinstance(taken.action, Play | acts.Reveal | acts.Marriage) or not is_for_points:
        return say(
            "{did}: worth {n} on average. Better: {best}, worth {more}. It costs {cost}.",
            did=did,
            n=_tokens(taken),
            best=_choice(best.action, view),
            more=_tokens(best),
            cost=cost(found.regret, view),
        )
    told = (
        say(
            "{did}: it defeats {bid} in {few} of 100 deals. Better: {best}, in {n}. It costs "
            "{cost}."
        )
        if found.defends
        else say(
            "{did}: it makes {bid} in {few} of 100 deals. Better: {best}, in {n}. It costs {cost}."
        )
    )
    return told.filled(
        did=did,
        bid=_bid(view),
        few=_share(found, taken),
        best=_choice(best.action, view),
        n=_share(found, best),
        cost=cost(found.regret, view),
    )


def _is_doubled(view: View, *choices: Choice) -> bool:
    """Whether tricks count and not the bid: double was said, or could be."""
    said = view.hand.doubled is not None
    return said or any(isinstance(one.action, acts.Double) for one in choices)


def better_caps(ruling: CapsRuling, regret: int) -> Phrase:
    """Say what was wrong about a call of Caps, or that there was none, and what that cost."""
    told = {
        "missed": say("{who} did not call Caps. It was due: {since}. It costs {cost}."),
        "late": say("{who} called Caps too late. It was due: {since}. It costs {cost}."),
        "early": say("{who} called Caps before it was sure. Better: not yet. It costs {cost}."),
        "failed": say("{who} called Caps and lost a trick. Better: no call. It costs {cost}."),
    }[ruling.verdict].filled(who=Who(ruling.by), cost=say("{n} tokens", n=regret))
    return told if ruling.since is None else told.filled(since=ruling.since)


def cost(regret: float, view: View) -> Phrase:
    """Say what a choice costs on average."""
    amount = f"{regret:.1f}"
    if view.hand.options.score == "online":
        return say("{n} points of the match", n=amount)
    return say("{n} tokens", n=amount)


def chances_of(found: Evaluation, view: View) -> Phrase:
    """Say how often the best choice makes the bid, or defeats it, and how often the next one.
    Before the first lead say what the sensible choice is worth, and another."""
    if view.hand.phase is not Phase.PLAY:
        return _worth(found, view)
    best, next_best = found.best, _beside(found, view)
    if _is_doubled(view, best):
        return say("It is worth {n} on average.", n=_tokens(best))
    n = _share(found, best)
    if next_best is None:
        made = 100 - n if found.defends else n
        return say("Whatever you play, {bid} is made in {n} of 100 deals.", bid=_bid(view), n=made)
    few = _share(found, next_best)
    if few == n:
        told = (
            say("It defeats {bid} in {n} of 100 deals, and so does {next}.")
            if found.defends
            else say("It makes {bid} in {n} of 100 deals, and so does {next}.")
        )
        return told.filled(bid=_bid(view), n=n, next=_choice(next_best.action, view))
    told = (
        say("It defeats {bid} in {n} of 100 deals, {next} in {few}.")
        if found.defends
        else say("It makes {bid} in {n} of 100 deals, {next} in {few}.")
    )
    return told.filled(bid=_bid(view), n=n, next=_choice(next_best.action, view), few=few)


def doubt_of(found: Evaluation, view: View) -> Phrase | None:
    """Say that the difference between the two figures that `chances_of` names decides nothing; None
    where it does, or none is seen."""
    other = _beside(found, view)
    if other is None:
        return None
    if view.hand.phase is Phase.PLAY:
        advised, is_seen = found.best, _share(found, other) != _share(found, found.best)
    else:
        advised, is_seen = found.sensible, _tokens(other) != _tokens(found.sensible)
    if advised is found.best:
        is_told = is_seen and not found.is_clearly_better(advised, other)
        return CHANCE if is_told else None
    return TOO_SMALL if found.regret < found.least else CHANCE


def _beside(found: Evaluation, view: View) -> Choice | None:
    """The choice that is named beside the one that is advised. In play it is the next best, if any
    is worth less. Before the first lead it is the best one where that is another, else beside a bid
    the best that is no bid, and beside a pass a bid, if there is such a choice."""
    best, ranked = found.best, found.ranked
    if view.hand.phase is Phase.PLAY:
        is_alike = sum(ranked[-1].gains) == sum(best.gains)
        if _is_doubled(view, best) or is_alike or not _share(found, best):
            return None
        named = _choice(best.action, view)
        return next((one for one in ranked if _choice(one.action, view) != named), None)
    others = [one for one in ranked if one is not found.sensible]
    if best is not found.sensible:
        return best
    is_bid = isinstance(best.action, acts.Bid)
    unlike = [one for one in others if isinstance(one.action, acts.Bid) is not is_bid]
    return next(iter(unlike or others), None)


def _worth(found: Evaluation, view: View) -> Phrase:
    """Say what the sensible choice is worth, and another."""
    best, other = found.sensible, _beside(found, view)
    if other is None:
        return say("It is worth {n} on average.", n=_tokens(best))
    bid = next((one for one in (best, other) if isinstance(one.action, acts.Bid)), None)
    if bid is None and _tokens(other) == _tokens(best):
        told = say("It is worth {n} on average, as much as {next}.")
    elif bid is None:
        told = say("It is worth {n} on average, {next} {less}.")
    elif bid is best:
        told = say(
            "It makes {bid} in {few} of 100 deals and is worth {n} on average, {next} {less}."
        )
    else:
        told = say("It is worth {n} on average, {next} {less}: that is made in {few} of 100 deals.")
    if bid is not None and isinstance(bid.action, acts.Bid):
        told = told.filled(bid=_amount(bid.action.amount, view), few=_share(found, bid))
    return told.filled(n=_tokens(best), next=_choice(other.action, view), less=_tokens(other))


def _tokens(choice: Choice) -> str:
    return f"{round(choice.tokens, 1) + 0.0:+.1f}"  # and no "-0.0"


def danger(found: Evaluation, view: View) -> Phrase | None:
    """Name the opponent, still to play to this trick, who is likeliest to have no card of its suit;
    None if that is not likely, or certain, or trumps are led."""
    card = found.best.action.card if isinstance(found.best.action, Play) else None
    suit = view.led or (None if card is None else card.suit)
    if suit is None or suit is view.trump:
        return None
    hand = view.hand
    trick = hand.trick or Trick(view.seat, (), None, 0)
    ours = hand.options.account(view.seat)
    later = [
        (100 * found.without.get((seat, suit), 0) // found.deals, -seat)
        for seat in hand.playing
        if seat != view.seat and trick.by(seat) is None and hand.options.account(seat) != ours
    ]
    share, seat = max(later, default=(0, 0))
    if not FEW <= share <= MOST:
        return None
    return say("{who} has no {suit} in {n} of them.", who=Who(-seat), suit=suit, n=share)


def _share(found: Evaluation, choice: Choice) -> int:
    """In how many of 100 deals the choice reaches what this seat wants."""
    wanted = found.deals - choice.made if found.defends else choice.made
    return round(100 * wanted / found.deals)


def _did(action: Action, view: View) -> Phrase:
    """Name what was done."""
    who = Who(action.seat)
    match action:
        case Play(card=card) if card is not None:
            return say("{who} played {card}", who=who, card=card)
        case acts.Bid(amount=amount):
            return say("{who} bid {bid}", who=who, bid=_amount(amount, view))
        case acts.Pass():
            return say("{who} passed", who=who)
        case acts.Ask():
            return say("{who} asked the partner to bid", who=who)
        case acts.Redeal():
            return say("{who} asked for new cards", who=who)
        case acts.LayTrump(card=card) if card is not None:
            return say("{who} made {suit} trumps", who=who, suit=card.suit)
        case acts.Open():
            return say("{who} opened trumps", who=who)
        case acts.Closed():
            return say("{who} kept trumps closed", who=who)
        case acts.Marriage(suit=suit):
            return say("{who} showed the marriage in {suit}", who=who, suit=suit)
        case acts.Call(card=card):
            told = say("{who} called {card} and played alone", who=who, card=card)
            return told if _is_own(card, view) else say("{who} called {card}", who=who, card=card)
        case acts.Exchange(cards=cards) if cards:
            return say("{who} exchanged {cards}", who=who, cards=cards)
        case acts.Keep():
            return say("{who} exchanged no cards", who=who)
        case acts.Double():
            return say("{who} said double", who=who)
    return say("{who} asked for trumps", who=who)


def _choice(action: Action, view: View) -> Phrase:
    """Name what could be done."""
    match action:
        case Play(card=card) if card is not None:
            return say("{card}", card=card)
        case acts.Bid(amount=amount):
            return say("a bid of {bid}", bid=_amount(amount, view))
        case acts.Pass():
            return say("a pass")
        case acts.Ask():
            return say("asking the partner")
        case acts.Redeal():
            return say("new cards")
        case acts.LayTrump(card=card) if card is not None:
            return say("{suit}", suit=card.suit)
        case acts.Open():
            return say("open trumps")
        case acts.Closed():
            return say("closed trumps")
        case acts.Marriage(suit=suit):
            return say("showing the marriage in {suit}", suit=suit)
        case acts.Call(card=card):
            told = say("playing alone")
            return told if _is_own(card, view) else say("calling {card}", card=card)
        case acts.Exchange(cards=cards) if cards:
            return say("exchanging {cards}", cards=cards)
        case acts.Keep():
            return say("exchanging no cards")
        case acts.Double():
            return say("double")
    return say("asking for trumps")


def _is_own(card: Card, view: View) -> bool:
    return card in view.cards or card is view.indicator


def _amount(amount: int, view: View) -> Phrase | str:
    return bid_phrase(amount, view.hand.options.tenths)


def _bid(view: View) -> Phrase | str:
    return _amount(view.hand.bid, view)
