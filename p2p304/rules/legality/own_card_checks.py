"""Checks that need a player's own cards.

Responsible for following suit, face-down play, the indicator, the first lead, exhausted trumps, and
what a claim or an exchange must name. It is given one seat's cards and sees no other's. What the
whole table can check is left to public_checks.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Action, Play
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import points_text
from p2p304.rules.core.phrases import say
from p2p304.rules.core.seats import Seat
from p2p304.rules.core.tricks import has_exhausted_trumps
from p2p304.rules.legality import public_checks
from p2p304.rules.state.hand import Hand

Cards = AbstractSet[Card]


def check(hand: Hand, cards: Cards, indicator: Card | None, action: Action) -> None:
    """Raise RuleBroken if the seat's own ``cards`` (its lying ``indicator`` apart) forbid it."""
    seat = action.seat
    match action:
        case Play():
            check_play(hand, cards, indicator, action)
        case acts.Bid():  # asked most often
            return
        case acts.Redeal():
            if not may_reject(hand, cards):
                tenths = hand.options.tenths
                why = say(
                    "Your cards are worth {points} points: you can reject only less than {limit}",
                    points=points_text(_card_points(hand, cards), tenths),
                    limit=points_text(15, tenths),
                )
                raise RuleBroken("redeal.fifteen", why, seat)
        case acts.LayTrump(card=card):
            _check_held(cards, card, seat)
        case acts.Exchange():
            for card in action.cards or (None,):
                _check_held(cards, card, seat)
        case acts.Closed():
            if must_open(hand, cards, indicator, seat):
                why = say("You lead first and hold only trumps: play open trump")
                raise RuleBroken("declare.stuck", why, seat)
        case acts.Open(card=card) | acts.Show(card=card):
            if card is not indicator:
                raise RuleBroken("open.shown", say("Show the indicator, not another card"), seat)
        case acts.Reveal():
            if _holds(cards, hand.led):
                why = say("You can't ask for trumps while you can follow suit")
                raise RuleBroken("reveal.ask", why, seat)
        case acts.Marriage(suit=suit):
            if not {"K", "Q"} <= {card.rank for card in cards if card.suit is suit}:
                why = say("You do not hold both king and queen of {suit}", suit=suit)
                raise RuleBroken("marriage.held", why, seat)
        case acts.Caps(order=order):
            mine = set(cards) if indicator is None else {*cards, indicator}
            if set(order) != mine or action.indicator is not indicator:
                why = say("A call of Caps must name all your remaining cards in order")
                raise RuleBroken("caps.order", why, seat)


def may_reject(hand: Hand, cards: Cards) -> bool:
    """``redeal.fifteen``: whether these first cards are worth so little."""
    return _card_points(hand, cards) < 15


def _card_points(hand: Hand, cards: Cards) -> int:
    points = hand.options.pack.points
    return sum(points[card] for card in cards)


def must_open(hand: Hand, cards: Cards, indicator: Card | None, seat: Seat) -> bool:
    """``declare.stuck``: whether the trump maker leads first and has nothing but trumps."""
    leads = hand.leader == seat and hand.options.open_trump
    stuck = leads and indicator and _is_whole_hand_of(hand, cards, indicator.suit, seat)
    return bool(stuck)


def _check_held(cards: Cards, card: Card | None, seat: Seat) -> None:
    if card not in cards:
        held = say("{card} is not in your hand", card=card or "That card")
        raise RuleBroken("card.held", held, seat)


def check_play(hand: Hand, cards: Cards, indicator: Card | None, action: Play) -> None:
    """A card to the trick: following suit, and all else that binds it."""
    _check_unbound(hand, cards, indicator, action)
    if hand.caps is None or action.seat != hand.caps.seat:
        return
    # ``caps.bound``: the first card of the order that may be played now.
    for one in hand.caps.order:
        if one is action.card:
            return
        held = one in cards or one is indicator
        if held and _is_playable(hand, cards, indicator, one, action.seat):
            why = say("You called Caps, so play your cards in that order: {card} is next", card=one)
            raise RuleBroken("caps.bound", why, action.seat)


def _check_unbound(hand: Hand, cards: Cards, indicator: Card | None, action: Play) -> None:
    """All but the order of a call of Caps."""
    led, card = hand.led, action.card
    if action.indicator:
        _check_indicator(hand, cards, indicator, action, led)
    elif card not in cards:
        _check_held(cards, card, action.seat)
    elif led is None:
        if action.seat == hand.maker:
            _check_lead(hand, cards, indicator, action)
    elif action.down or card is None or card.suit is not led:
        _check_off_suit(hand, cards, indicator, action, led)


def _holds(cards: Cards, suit: Suit | None) -> bool:
    """Whether one of ``cards`` is of this suit. Asked often: `any` takes three times as long."""
    for card in cards:  # noqa: SIM110
        if card.suit is suit:
            return True
    return False


def _is_whole_hand_of(hand: Hand, cards: Cards, suit: Suit, seat: Seat) -> bool:
    """Whether the hand has no card of another suit; at the count (play/review.py) ``cards`` may
    lack some of it, and one that is not known breaks no rule."""
    return len(cards) == hand.cards_left(seat) and all(card.suit is suit for card in cards)


def _check_indicator(
    hand: Hand, cards: Cards, indicator: Card | None, action: Play, led: Suit | None
) -> None:
    """The indicator cuts, face down, or is the last card (``indicator.last``)."""
    seat = action.seat
    if indicator is None or action.card is not indicator:
        raise RuleBroken("indicator.none", say("You have no indicator on the table"), seat)
    if led is not None and _holds(cards, led):
        raise RuleBroken("follow.suit", say("You must follow suit: {suit}", suit=led), seat)
    if hand.options.hidden == "ask_reveal":
        if cards:
            why = say("You can play the indicator only as your last card, or after it was shown")
            raise RuleBroken("indicator.last", why, seat)
        return
    same = led is None or led is indicator.suit
    if same and cards:
        why = say("You can play the indicator only to cut another suit, or as your last card")
        raise RuleBroken("indicator.last", why, seat)
    if same is action.down:
        why = say("Play your last card face up") if same else say("Play a cut face down")
        raise RuleBroken("indicator.last", why, seat)


def _check_lead(hand: Hand, cards: Cards, indicator: Card | None, action: Play) -> None:
    """What the trump maker may lead; online games leave it free."""
    trump = hand.trump if indicator is None else indicator.suit
    if trump is None or action.card is None or hand.options.hidden != "face_down":
        return
    is_trump = action.card.suit is trump
    if is_trump and hand.closed and not hand.completed_tricks:
        stuck = not hand.options.open_trump and all(c.suit is trump for c in cards)
        if not stuck:
            why = say("With closed trump you can't lead a trump to the first trick")
            rule = "pcc.lead" if hand.bid >= PCC else "lead.trump"
            raise RuleBroken(rule, why, action.seat)
    if not is_trump and must_lead_trumps(hand, action.seat, cards, trump):
        why = say("The others have no trumps left: lead your trumps first")
        raise RuleBroken("exhausted.when", why, action.seat)


def must_lead_trumps(hand: Hand, seat: Seat, cards: Cards, trump: Suit | None) -> bool:
    """``exhausted.when``: the trump maker, on lead, must play the trumps left in hand."""
    if trump is None or seat != hand.maker or hand.bids_all_tricks:
        return False
    if not hand.options.exhausted or not _holds(cards, trump):
        return False
    return has_exhausted_trumps(hand.completed_tricks, seat, trump)


def _check_off_suit(
    hand: Hand, cards: Cards, indicator: Card | None, action: Play, led: Suit
) -> None:
    """A card that does not follow the suit led, or lies face down."""
    card, seat = action.card, action.seat
    if card is None:
        raise RuleBroken("play.card", say("Name a card"), seat)
    if _holds(cards, led):
        if card.suit is not led:
            raise RuleBroken("follow.suit", say("You must follow suit: {suit}", suit=led), seat)
        raise RuleBroken("follow.up", say("Play a card that follows suit face up"), seat)
    if action.down and indicator is not None and card.suit is indicator.suit:
        only = _is_whole_hand_of(hand, cards, indicator.suit, seat)
        rule = "cut.must" if only and led is not indicator.suit else "down.trump"
        why = say("You can't play a trump from your hand face down: cut with the indicator")
        raise RuleBroken(rule, why, seat)
    if hand.asker == seat and card.suit is not hand.trump and _holds(cards, hand.trump):
        why = say("You asked for trumps and hold one: play it")
        raise RuleBroken("reveal.cut", why, seat)


def _is_playable(hand: Hand, cards: Cards, indicator: Card | None, card: Card, seat: Seat) -> bool:
    """Whether this card may be played now in some way, the order apart."""
    for down in (False, True):
        play = Play(seat, card, down, card is indicator)
        try:
            public_checks.check_play(hand, play)
            _check_unbound(hand, cards, indicator, play)
        except RuleBroken:
            continue
        return True
    return False
