"""What cards are worth while a hand is on: every rank, the own hand, the trick, and what the bid
still needs.

Responsible for these figures, for full screen and text mode alike, as far as this player may know
them. A card that lies face down counts only for a player who knows it. What a hand comes to is
rules/play/settlement.py's.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2p304.rules.core.actions import Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.notation import points_text
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.core.seats import Seat
from p2p304.rules.state.hand import Hand, Phase
from p2p304.ui.narration.model import Model

LOST = say("The bid is lost.")
_BIDDING = (Phase.BID4, Phase.TRUMP4, Phase.BID8, Phase.TRUMP8)


def rank_values(hand: Hand) -> str:
    """Return the ranks of this game, the strongest first, each with its points: ``J=30 9=20``."""
    pack = hand.options.pack
    suit = pack.cards[0].suit
    return " ".join(
        f"{'10' if card.rank == 'T' else card.rank}={_text(hand, pack.points[card])}"
        for card in pack.cards
        if card.suit is suit
    )


def value_phrases(model: Model) -> list[Phrase]:
    """Return the points in hand and in the trick, and what the bid still needs; nothing where no
    hand is on."""
    hand = model.hand
    if hand is None or hand.phase in (Phase.OVER, Phase.COUNT):
        return []
    told = [*_in_hand(model, hand), *_in_trick(model, hand)]
    needed = None if hand.phase in _BIDDING else still_needed(model, hand)
    return told if needed is None else [*told, needed]


def _in_hand(model: Model, hand: Hand) -> list[Phrase]:
    view = model.view
    if view is None:
        return []
    return [say("Your cards: {n}.", n=_text(hand, _points(hand, view.held)))]


def _in_trick(model: Model, hand: Hand) -> list[Phrase]:
    if not hand.plays:
        return []
    number = hand.completed_count
    cards = [_known(model, number, play) for play in hand.plays]
    points, down = _text(hand, _points(hand, cards)), cards.count(None)
    if down:
        return [say("Trick: {n} and {down} face down.", n=points, down=down)]
    return [say("Trick: {n}.", n=points)]


def still_needed(model: Model, hand: Hand) -> Phrase | None:
    """Describe the card points that the trump maker's side still needs; "at most" where this player
    does not know a card that this side has won, or who is the partner. An opponent is told whose
    need it is."""
    if hand.maker is None:
        return None
    if hand.doubled is not None and _is_double_lost(hand, hand.doubled):
        return say("The double is lost.")
    if hand.doubled is not None:
        return say("Double: every trick must be won.")
    makers, is_sure = _makers(model, hand)
    side = hand.options.together(sorted({hand.options.account(seat) for seat in makers}))
    is_ours = model.seat is None or model.seat in side.seats
    if is_lost(model, hand):
        return LOST
    if hand.bids_all_tricks:
        if is_ours:
            return say("To make the bid: every trick.")
        return say("{side} needs every trick.", side=side)
    won = [
        _known(model, number, play)
        for number, trick in enumerate(hand.completed_tricks)
        if trick.winner in makers
        for play in trick.plays
    ]
    needs = hand.bid - _points(hand, won)
    for seat, suit in hand.marriages:
        worth = 40 if suit is hand.trump else 20
        needs += -worth if seat in makers else worth
    if needs <= 0:
        return say("The bid needs no more points.")
    is_sure = is_sure and None not in won
    n = _text(hand, needs)
    if is_ours:
        told = say(
            "To make the bid: {n} more." if is_sure else "To make the bid: at most {n} more.", n=n
        )
    else:
        told = say(
            "{side} needs {n} more." if is_sure else "{side} needs at most {n} more.",
            side=side,
            n=n,
        )
    if not hand.options.last_trick:
        return told
    last = _text(hand, hand.options.last_trick)
    return say("{needs} Last trick: {n} more.", needs=told, n=last)


def _is_double_lost(hand: Hand, doubled: Seat) -> bool:
    """Whether the other side has won a trick since double was said."""
    account = hand.options.account
    winners = {trick.winner for trick in hand.completed_tricks if trick.winner is not None}
    return any(account(winner) != account(doubled) for winner in winners)


def is_lost(model: Model, hand: Hand) -> bool:
    """Whether a bid to win every trick can no longer be made, as far as this player knows."""
    if not hand.bids_all_tricks:
        return False
    makers, is_sure = _makers(model, hand)
    winners = {trick.winner for trick in hand.completed_tricks} - {None}
    return (is_sure or hand.called is None) and not winners <= makers


def _makers(model: Model, hand: Hand) -> tuple[set[Seat], bool]:
    """Return the trump maker's side as far as this player knows it, and whether that is all of
    it: a partner who was called knows it before the others do."""
    makers = set(hand.makers)
    if hand.options.partner != "called" or hand.partner is not None:
        return makers, True
    has_called = hand.called is not None and hand.called in model.own
    if has_called and model.seat is not None:
        makers.add(model.seat)
    return makers, has_called


def _known(model: Model, number: int, play: Play) -> Card | None:
    """Return the card of a play in a trick (from 0), if everybody or this player knows it."""
    if play.card is not None:
        return play.card
    if model.view is not None:
        for trick, seat, card in model.view.known:
            if (trick, seat) == (number, play.seat):
                return card
    return dict(model.own_down).get(number) if play.seat == model.seat else None


def _points(hand: Hand, cards: Iterable[Card | None]) -> int:
    return sum(hand.options.pack.points[card] for card in cards if card is not None)


def _text(hand: Hand, points: int) -> str:
    return points_text(points, hand.options.tenths)
