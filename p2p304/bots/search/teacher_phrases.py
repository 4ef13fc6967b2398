"""What the teacher says: chances in numbers, and what would have been better.

Responsible for the sentences. The figures are teacher.py's.
"""

from __future__ import annotations

from p2p304.bots.search.teacher import Choice, Evaluation
from p2p304.rules.core.actions import Play
from p2p304.rules.core.notation import amount_text
from p2p304.rules.core.phrases import Phrase, Who, say
from p2p304.rules.core.tricks import Trick
from p2p304.rules.play.view import View

FEW, MOST = 20, 99
"""Of 100 deals: what is seldomer is not worth a word, what is oftener is certain."""


def better(found: Evaluation, view: View) -> Phrase:
    """Say what would have been better than the choice that was made, and what that cost."""
    if found.taken is None:
        raise LookupError("a regret needs a choice that was made")
    taken, best = found.choices[found.taken], found.best
    told = (
        say("{taken} defeats {bid} in {few} of 100 deals, {best} in {n}. It costs {cost}.")
        if found.defends
        else say("{taken} makes {bid} in {few} of 100 deals, {best} in {n}. It costs {cost}.")
    )
    return told.filled(
        taken=_card(taken),
        bid=_bid(view),
        few=_share(found, taken),
        best=_card(best),
        n=_share(found, best),
        cost=cost(found, view),
    )


def cost(found: Evaluation, view: View) -> Phrase:
    """Say what a choice costs on average."""
    amount = f"{found.regret:.1f}"
    if view.hand.options.score == "online":
        return say("{n} points of the match", n=amount)
    return say("{n} tokens", n=amount)


def chances_of(found: Evaluation, view: View) -> Phrase:
    """Say how often the best choice makes the bid, or defeats it, and how often the next one."""
    best, others = found.ranked[0], found.ranked[1:]
    next_best = next((one for one in others if _card(one) != _card(best)), None)
    n = _share(found, best)
    if next_best is None or sum(found.ranked[-1].gains) == sum(best.gains):
        made = 100 - n if found.defends else n
        return say("Whatever you play, {bid} is made in {n} of 100 deals.", bid=_bid(view), n=made)
    few = _share(found, next_best)
    if few == n:
        told = (
            say("It defeats {bid} in {n} of 100 deals, and so does {next}.")
            if found.defends
            else say("It makes {bid} in {n} of 100 deals, and so does {next}.")
        )
        return told.filled(bid=_bid(view), n=n, next=_card(next_best))
    told = (
        say("It defeats {bid} in {n} of 100 deals, {next} in {few}.")
        if found.defends
        else say("It makes {bid} in {n} of 100 deals, {next} in {few}.")
    )
    return told.filled(bid=_bid(view), n=n, next=_card(next_best), few=few)


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


def _card(choice: Choice) -> Phrase:
    action = choice.action
    if isinstance(action, Play) and action.card is not None:
        return say("{card}", card=action.card)
    return say("asking for trumps")


def _bid(view: View) -> str:
    return amount_text(view.hand.bid, view.hand.options.tenths)
