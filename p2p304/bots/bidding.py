"""Bidding: values four or eight cards, and chooses the trump suit.

Responsible for bidding rules of thumb, in hundredths of a trick, found by trial. Card play is
card_play.py's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from p2p304.bots.player import first
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import HALF_COURT, PCC, Action
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Phase

LENGTH = 100
TRUMP_HONOURS = {"2": 400, "3": 300, "J": 220, "9": 150, "A": 60, "T": 40}
SIDE_HONOURS = {"2": 250, "3": 200, "J": 140, "9": 50, "A": 25}
FOUR = 4
"""The number of cards for which the ladder is made; other hands are scaled by their average
card."""
LADDER: Final = ((960, 220), (880, 210), (800, 200), (720, 190), (650, 180), (580, 170), (420, 160))
"""Pairs of a hand's least value and the highest bid for it, the highest first."""
Ladder = tuple[tuple[int, int], ...]


def worth(cards: Iterable[Card], trump: Suit) -> int:
    """Return a hand's value with these trumps."""
    total = 0
    for card in cards:
        if card.suit is trump:
            total += LENGTH + TRUMP_HONOURS.get(card.rank, 0)
        else:
            total += SIDE_HONOURS.get(card.rank, 0)
    return total


def best_suit(cards: Iterable[Card]) -> Suit:
    """Return the suit that is worth most as trumps."""
    held = list(cards)
    return max(Suit, key=lambda suit: (worth(held, suit), suit.value))


def sure_tricks(cards: Iterable[Card], trump: Suit) -> int:
    """Count the tricks of eight cards that nothing can take: long trumps from the top, and unbroken
    tops of the side suits."""
    held = list(cards)
    length = sum(card.suit is trump for card in held)
    count = 0
    for suit in Suit:
        ranks = [card.rank for card in held if card.suit is suit]
        top = 0
        for rank in "J9ATKQ87":
            if rank not in ranks:
                break
            top += 1
        # Three trumps from the top, and five in all, draw every other trump.
        count += length if suit is trump and top >= 3 and length >= 5 else top
    return count


def takes_all_four(cards: Iterable[Card]) -> bool:
    """Whether these four cards are worth half court: jack and nine of one suit, with the ace or
    another jack; the fourth card is of that suit or a jack too."""
    held = list(cards)
    for suit in Suit:
        trumps = {card.rank for card in held if card.suit is suit}
        jacks = sum(card.rank == "J" and card.suit is not suit for card in held)
        if {"J", "9"} <= trumps and len(trumps) + jacks == FOUR and ("A" in trumps or jacks):
            return True
    return False


def say(view: View, options: tuple[Action, ...], ladder: Ladder = LADDER) -> Action:
    """Choose a bid, a pass, a question to the partner, or the redeal."""
    if view.hand.auction.second:
        return _say_with_eight(view, options)
    redeal, ask = first(options, acts.Redeal), first(options, acts.Ask)
    if redeal is not None:
        return redeal  # a hand under 15 points is weak
    if ask is not None and _wants_partner(view):
        return ask
    bids, court = _bids(options), acts.Bid(view.seat, HALF_COURT)
    if court in bids and takes_all_four(view.cards):
        return court
    if bids and (bids[0].amount <= _limit(view, ladder) or first(options, acts.Pass) is None):
        return bids[0]
    return acts.Pass(view.seat)


def _limit(view: View, ladder: Ladder) -> int:
    """Return the highest bid that the hand allows; a bid over the partner's needs much more."""
    options = view.hand.options
    value = worth(view.cards, best_suit(view.cards)) * FOUR // len(view.cards)
    limit = next((bid for least, bid in ladder if value >= least), 0)
    bidder = view.hand.auction.bidder
    partner_high = bidder is not None and options.account(bidder) == options.account(view.seat)
    return 0 if partner_high and limit < 220 else limit * options.pack.total // 304


def _wants_partner(view: View) -> bool:
    """Whether to let the partner name the trumps: strong cards in several suits, no best suit."""
    jacks = sum(card.rank == "J" for card in view.cards)
    nines = sum(card.rank == "9" for card in view.cards)
    spread = len({card.suit for card in view.cards}) == 4
    partner = (view.seat + 2) % view.hand.options.seats
    fresh = not view.hand.auction.spoken & {view.seat, partner}
    return spread and fresh and jacks + nines >= 2


def _say_with_eight(view: View, options: tuple[Action, ...]) -> Action:
    tricks = max(sure_tricks(view.held, suit) for suit in Suit)
    bids, alone = _bids(options), acts.Bid(view.seat, PCC)
    if tricks >= 8 and alone in bids:
        return alone
    if tricks >= 7 and bids and bids[0].amount <= 260:
        return bids[0]
    return acts.Pass(view.seat)


def partner(view: View) -> acts.Call:
    """Call the best trump, or else the best card of another suit, that is in another hand."""
    pack, trump = view.hand.options.pack, view.trump
    held = view.held
    wanted = (c for c in pack.cards if c not in held)
    best = max(wanted, key=lambda c: (c.rank == "J", c.suit is trump, pack.strength[c], c.name))
    return acts.Call(view.seat, best)


def exchange(view: View, options: tuple[Action, ...]) -> Action:
    """Give away two worthless plain cards; they count for the opponents."""
    points = view.hand.options.pack.points
    poor = {c for c in view.cards if c.suit is not view.trump and points[c] == 0}
    swaps = [a for a in options if isinstance(a, acts.Exchange)]
    fit = [a for a in swaps if set(a.cards or ()) <= poor]
    return fit[0] if fit else acts.Keep(view.seat)


def _bids(options: tuple[Action, ...]) -> list[acts.Bid]:
    return sorted((a for a in options if isinstance(a, acts.Bid)), key=lambda bid: bid.amount)


def indicator(view: View) -> acts.LayTrump:
    """Lay the lowest card of the best suit as the indicator. It cannot be played until it cuts or
    trumps are open, and a low card cuts as well as a high one."""
    suit = best_suit(view.cards)
    if view.hand.phase is Phase.TRUMP8:
        suit = max(Suit, key=lambda s: (sure_tricks(view.cards, s), worth(view.cards, s)))
    strength = view.hand.options.pack.strength
    low = min((c for c in view.cards if c.suit is suit), key=lambda c: strength[c])
    return acts.LayTrump(view.seat, low)
