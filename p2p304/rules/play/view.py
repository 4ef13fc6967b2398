"""What one seat knows, and what it may do.

Responsible for the view of a seat and the list of what is legal for it. The rules that need the
seat's own cards are left to rules/legality/own_card_checks.py. Bots, screens and a node's own moves
use nothing else, so that none of them can look into another hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from p2p304.rules.caps.from_hand import knowledge
from p2p304.rules.caps.knowledge import Knowledge
from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action, Claim, Play
from p2p304.rules.core.cards import Card, Suit, by_suit
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.legality import bids, own_card_checks
from p2p304.rules.play import claims, engine, transitions
from p2p304.rules.state.hand import Hand


@dataclass(frozen=True, slots=True)
class View:
    """A seat's knowledge: the public hand, its own cards, and its indicator while that lies
    face down on the table (it is then not among ``cards``). ``known`` are the face-down cards that
    it knows and the table does not, by trick (from 0) and seat: its own, and as trump maker those
    that it inspected in settled tricks."""

    seat: Seat
    hand: Hand
    cards: frozenset[Card]
    indicator: Card | None = None
    known: tuple[tuple[int, Seat, Card], ...] = ()

    @property
    def held(self) -> frozenset[Card]:
        """The seat's cards with its lying indicator."""
        return self.cards if self.indicator is None else self.cards | {self.indicator}

    @property
    def trump(self) -> Suit | None:
        """The trump suit as far as this seat knows it."""
        return self.indicator.suit if self.indicator is not None else self.hand.trump

    @property
    def led(self) -> Suit | None:
        return self.hand.led


def known_to(view: View) -> Knowledge:
    """What this seat can conclude about the unseen cards; raises CapsError where the rules of Caps
    do not reach."""
    known = {(number, seat): card for number, seat, card in view.known}
    return knowledge(view.hand, view.seat, view.cards, known, view.indicator)


def check(view: View, action: Action) -> Hand:
    """The public hand after the action; raises RuleBroken if own cards or facts forbid it."""
    check_all(view, action)
    return engine.apply(view.hand, acts.public(action))


def check_all(view: View, action: Action) -> None:
    """Raise RuleBroken if public facts or own cards forbid an action."""
    transitions.check(view.hand, acts.public(action))
    check_own(view, action)


def check_own(view: View, action: Action) -> None:
    """Only what own cards tell; the public side is `transitions.check`."""
    own_card_checks.check(view.hand, view.cards, view.indicator, action)


def check_claim(view: View, action: Claim) -> None:
    """Raise RuleBroken if this seat may not claim this now, by what it knows itself; what others
    must be shown with it is the table's business."""
    claims.check_open(view.hand, action)
    if isinstance(action, acts.Caps):
        check_own(view, replace(action, indicator=view.indicator))


def legal(view: View) -> tuple[Action, ...]:
    """Every action open to this seat now (claims and consequences apart), sorted as text."""
    if view.hand.turn != view.seat:
        return ()
    allowed = [action for action in _candidates(view) if _is_allowed(view, action)]
    return tuple(sorted(allowed, key=notation.word))


def _is_allowed(view: View, action: Action) -> bool:
    try:
        check_all(view, action)
    except RuleBroken:
        return False
    return True


def _candidates(view: View) -> Iterator[Action]:
    """What may be legal: all that is, and not much else, because each is tried."""
    seat, hand = view.seat, view.hand
    match hand.phase:
        case Phase.BID4 | Phase.BID8:
            yield acts.Pass(seat)
            if hand.options.ask_partner:
                yield acts.Ask(seat)
            if hand.options.redeal15:
                yield acts.Redeal(seat)
            for amount in bids.amounts(hand.options):
                if amount > hand.auction.high or amount >= acts.PCC:
                    yield acts.Bid(seat, amount)
        case Phase.TRUMP4 | Phase.TRUMP8:
            yield from (acts.LayTrump(seat, card) for card in view.cards)
        case Phase.PARTNER:
            yield from (acts.Call(seat, card) for card in hand.options.pack.cards)
        case Phase.EXCHANGE:
            yield acts.Keep(seat)
            held = by_suit(view.cards, hand.options.pack)
            yield from (acts.Exchange(seat, pair) for pair in combinations(held, 2))
        case Phase.DECLARE:
            yield from (acts.Open(seat, view.indicator), acts.Closed(seat))
        case Phase.PLAY:
            yield from _plays(view)
            if hand.options.hidden == "ask_reveal":
                yield acts.Reveal(seat)
            if hand.options.double:
                yield acts.Double(seat)
            if hand.options.marriages:
                yield from (acts.Marriage(seat, suit) for suit in Suit)


def _plays(view: View) -> Iterator[Play]:
    led = view.led
    following = [card for card in view.cards if card.suit is led]
    for card in following or view.cards:
        yield _play(view.seat, card, False, False)
        if led is not None and not following:
            yield _play(view.seat, card, True, False)
    if view.indicator is not None and not following:
        yield _play(view.seat, view.indicator, False, True)
        yield _play(view.seat, view.indicator, True, True)


_play = lru_cache(maxsize=1024)(Play)
"""Kept, because the same ones are tried at every turn."""


def announcement(
    hand: Hand, indicator: Card, others: Mapping[Seat, Card], own: Card | None
) -> acts.Announce:
    """What the trump maker must say of a trick: ``others`` are the face-down cards shown to
    it, ``own`` its own face-down card from hand, if any."""
    if hand.maker is None:
        raise LookupError("an announcement has a trump maker")
    maker = hand.maker
    cutting = hand.tricks[-1].has_indicator
    cut = cutting or any(card.suit is indicator.suit for card in others.values())
    if not cut:
        return acts.Announce(maker, (), indicator if hand.must_show_after_first else None)
    known = dict(others) if own is None else {**others, maker: own}
    return acts.Announce(maker, tuple((s, known[s]) for s in hand.to_turn_up), indicator)
