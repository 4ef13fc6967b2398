"""What one seat knows, and what it may do.

Owns the rules that only a player's own cards can tell: following suit, face-down play, the
indicator, the first lead, exhausted trumps. Bots, screens and a node's own moves use nothing
else, so that none of them can look into another hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from p2p304.rules import actions as acts
from p2p304.rules import auction as bidding
from p2p304.rules import words
from p2p304.rules.actions import PCC, Action, Play
from p2p304.rules.cards import Card, Suit
from p2p304.rules.errors import RuleBroken
from p2p304.rules.hand import Hand, Phase
from p2p304.rules.seats import Seat
from p2p304.rules.tricks import exhausted


@dataclass(frozen=True, slots=True)
class View:
    """A seat's knowledge: the public hand, its own cards, and its indicator while that lies
    face down on the table (it is then not among ``cards``)."""

    seat: Seat
    hand: Hand
    cards: frozenset[Card]
    indicator: Card | None = None

    @property
    def trump(self) -> Suit | None:
        """The trump suit as far as this seat knows it."""
        return self.indicator.suit if self.indicator is not None else self.hand.trump

    @property
    def led(self) -> Suit | None:
        return self.hand.trick.led if self.hand.trick else None


def check(view: View, action: Action) -> Hand:
    """The public hand after the action; raises RuleBroken if own cards or facts forbid it."""
    after = view.hand.apply(acts.public(action))
    check_own(view, action)
    return after


def check_own(view: View, action: Action) -> None:
    """Only what own cards tell; the public side is `Hand.apply`."""
    match action:
        case acts.Redeal():
            _check_redeal(view)
        case acts.LayTrump(card=card):
            _check_held(view, card)
        case acts.Closed():
            _check_stuck(view)
        case acts.Open(card=card):
            if card is not view.indicator:
                raise RuleBroken("open.shown", "the indicator is the card to show", view.seat)
        case Play():
            _check_play(view, action)


def legal(view: View) -> tuple[Action, ...]:
    """Every action open to this seat now (claims and consequences apart), sorted as text."""
    if view.hand.turn != view.seat:
        return ()
    allowed = [action for action in _candidates(view) if _is_allowed(view, action)]
    return tuple(sorted(allowed, key=words.text))


def _is_allowed(view: View, action: Action) -> bool:
    try:
        check(view, action)
    except RuleBroken:
        return False
    return True


def _candidates(view: View) -> Iterator[Action]:
    seat, hand = view.seat, view.hand
    match hand.phase:
        case Phase.BID4 | Phase.BID8:
            yield from (acts.Pass(seat), acts.Ask(seat), acts.Redeal(seat))
            for amount in bidding.amounts(hand.options, hand.auction, seat):
                yield acts.Bid(seat, amount)
        case Phase.TRUMP4 | Phase.TRUMP8:
            yield from (acts.LayTrump(seat, card) for card in view.cards)
        case Phase.DECLARE:
            yield from (acts.Open(seat, view.indicator), acts.Closed(seat))
        case Phase.PLAY:
            for card in view.cards:
                yield from (Play(seat, card, down) for down in (False, True))
            if view.indicator is not None:
                yield Play(seat, view.indicator, down=False, indicator=True)
                yield Play(seat, view.indicator, down=True, indicator=True)


def _check_redeal(view: View) -> None:
    points = sum(view.hand.options.pack.points[card] for card in view.cards)
    if points >= 15:
        why = f"your cards are worth {points}: only less than 15 may be rejected"
        raise RuleBroken("redeal.fifteen", why, view.seat)


def _check_held(view: View, card: Card | None) -> None:
    if card not in view.cards:
        name = card.name if card else "that card"
        raise RuleBroken("card.held", f"{name} is not in your hand", view.seat)


def _check_stuck(view: View) -> None:
    leads = view.hand.leader == view.seat and view.hand.options.open_trump == "on"
    if leads and view.indicator and all(c.suit is view.indicator.suit for c in view.cards):
        why = "you lead first and hold only trumps: play open trump"
        raise RuleBroken("declare.stuck", why, view.seat)


def _check_play(view: View, action: Play) -> None:
    if action.indicator:
        _check_indicator(view, action)
    else:
        _check_held(view, action.card)
        if view.led is None:
            _check_lead(view, action)
        else:
            _check_follow(view, action, view.led)


def _check_indicator(view: View, action: Play) -> None:
    """The indicator cuts, face down, or is the last card (``indicator.last``)."""
    seat, led = view.seat, view.led
    if view.indicator is None or action.card is not view.indicator:
        raise RuleBroken("indicator.none", "no indicator of yours lies on the table", seat)
    if led is not None and any(card.suit is led for card in view.cards):
        raise RuleBroken("follow.suit", f"you must follow suit: {led.word}", seat)
    same = led is None or led is view.indicator.suit
    if same and view.cards:
        why = "the indicator is played only to cut another suit, or as your last card"
        raise RuleBroken("indicator.last", why, seat)
    if same is action.down:
        why = "the last card is played face up" if same else "a cut is played face down"
        raise RuleBroken("indicator.last", why, seat)


def _check_lead(view: View, action: Play) -> None:
    trump = view.trump
    if trump is None or action.card is None or view.seat != view.hand.maker:
        return
    is_trump = action.card.suit is trump
    first = not view.hand.tricks
    stuck = view.hand.options.open_trump == "off" and all(c.suit is trump for c in view.cards)
    if first and view.hand.closed and is_trump and not stuck:
        why = "playing closed, you may not lead a trump to the first trick"
        rule = "pcc.lead" if view.hand.bid == PCC else "lead.trump"
        raise RuleBroken(rule, why, view.seat)
    if not is_trump and must_lead_trumps(view):
        why = "trumps are exhausted: lead the trumps in your hand first"
        raise RuleBroken("exhausted.when", why, view.seat)


def must_lead_trumps(view: View) -> bool:
    """``exhausted.when``: the trump maker, on lead, owes the trumps left in hand."""
    hand, trump = view.hand, view.trump
    if trump is None or view.seat != hand.maker or hand.bid == PCC:
        return False
    if hand.options.exhausted == "off" or not any(c.suit is trump for c in view.cards):
        return False
    return exhausted(hand.tricks, view.seat, trump)


def _check_follow(view: View, action: Play, led: Suit) -> None:
    card, seat = action.card, view.seat
    if card is None:
        raise RuleBroken("play.card", "a card must be named", seat)
    if any(held.suit is led for held in view.cards):
        if card.suit is not led:
            raise RuleBroken("follow.suit", f"you must follow suit: {led.word}", seat)
        if action.down:
            raise RuleBroken("follow.up", "a card that follows suit is played face up", seat)
        return
    if action.down and view.indicator is not None and card.suit is view.indicator.suit:
        only = all(c.suit is view.indicator.suit for c in view.cards)
        rule = "cut.must" if only and led is not view.indicator.suit else "down.trump"
        why = "a trump from hand is never played face down: cut with the indicator"
        raise RuleBroken(rule, why, seat)


def announcement(
    hand: Hand, indicator: Card, others: Mapping[Seat, Card], own: Card | None
) -> acts.Announce:
    """What the trump maker must say of a trick: ``others`` are the face-down cards shown to
    it, ``own`` its own face-down card from hand, if any."""
    if hand.maker is None:
        raise LookupError("an announcement has a trump maker")
    maker = hand.maker
    cutting = any(play.indicator for play in hand.tricks[-1].plays)
    cut = cutting or any(card.suit is indicator.suit for card in others.values())
    if not cut:
        return acts.Announce(maker, (), indicator if hand.shows_after_first else None)
    known = dict(others) if own is None else {**others, maker: own}
    return acts.Announce(maker, tuple((s, known[s]) for s in hand.to_turn_up), indicator)
