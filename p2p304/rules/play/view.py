"""What one seat knows, and what it may do.

Responsible for the view of a seat and the list of what is legal for it. What may be said and done
before the first lead is left to rules/legality/before_play.py, the rules that need the seat's own
cards to rules/legality/own_card_checks.py. Bots, screens and a node's own moves use nothing else,
so that none of them can look into another hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter

from p2p304.rules.caps.from_hand import knowledge
from p2p304.rules.caps.knowledge import Knowledge
from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action, Claim, Play
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.legality import own_card_checks
from p2p304.rules.legality.before_play import actions_before_play
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
    hand = view.hand
    if hand.turn != view.seat:
        return ()
    if hand.phase is _PLAY:
        certain = _certain_plays(view)
        plays = certain or list(_tried_plays(view))
        said = [action for action in _said_in_play(view) if _is_allowed(view, action)]
        if certain and not said:
            return tuple(certain)
        return tuple(sorted([*plays, *said], key=notation.word))
    return actions_before_play(hand, view.seat, view.cards, view.indicator)


def _is_allowed(view: View, action: Action) -> bool:
    try:
        check_all(view, action)
    except RuleBroken:
        return False
    return True


def _said_in_play(view: View) -> Iterator[Action]:
    """What may be legal beside a card."""
    seat, hand, options = view.seat, view.hand, view.hand.options
    if hand.led is not None:
        if options.hidden == "ask_reveal" and hand.trump is None:
            yield acts.Reveal(seat)
        return
    if options.double:
        yield acts.Double(seat)
    if options.marriages:
        yield from (acts.Marriage(seat, suit) for suit in Suit)


def _certain_plays(view: View) -> list[Play]:
    """All plays, sorted, where no check can refuse one of them; else empty, and each is tried. So
    it is for cards of the suit led, and for every other card of a player who has no trumps to hide,
    to hold back or to show."""
    hand, seat, led = view.hand, view.seat, view.hand.led
    if hand.caps is not None:
        return []
    cards, down = [card for card in view.cards if card.suit is led], False
    if not cards:
        if seat == hand.maker or (led is not None and hand.options.hidden != "face_down"):
            return []
        cards, down = list(view.cards), led is not None and hand.trump is None
    cards.sort(key=_NAME)
    return [_play(seat, card, down, False) for card in cards]


def _tried_plays(view: View) -> Iterator[Play]:
    """All plays that are allowed otherwise: one card of each suit is tried, because only a call of
    Caps tells two of them apart."""
    seat, led, lying = view.seat, view.led, view.indicator
    following = [card for card in view.cards if card.suit is led]
    kinds: dict[object, list[Card]] = {}
    for card in following or view.cards:
        kinds.setdefault(card.suit if view.hand.caps is None else card, []).append(card)
    for cards in kinds.values():
        for down in (False,) if led is None or following else (False, True):
            if _is_allowed(view, _play(seat, cards[0], down, False)):
                yield from (_play(seat, card, down, False) for card in cards)
    if lying is not None and not following and (led is not None or not view.cards):
        tried = (_play(seat, lying, down, True) for down in (False, True))
        yield from (play for play in tried if _is_allowed(view, play))


_PLAY = Phase.PLAY
_NAME = attrgetter("name")
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
