"""The end of play: hidden cards are opened for the count; a hand without play is void.

Responsible for which seat opens which cards in which order, and for what is known of all cards
afterwards. It judges nothing: once every card is open, settlement.py says what the hand is
worth.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import Card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.phrases import Phrase, verbatim
from p2p304.rules.core.seats import Seat
from p2p304.rules.core.tricks import with_cards
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import void_result


def void_hand(hand: Hand, reason: Phrase, next_dealer: Seat) -> None:
    """The hand ends before a card is played, and nobody scores."""
    hand.phase, hand.turn = Phase.OVER, None
    hand.result = void_result(hand.options, reason, next_dealer)


def continue_count(hand: Hand) -> None:
    """Play is over: cards that nobody has seen are opened, seat by seat; after a call of spoilt
    trumps the indicator first, which says what trumps are. Once all are open the hand is over, and
    has no result before settlement.py gives it one."""
    order = (*range(hand.first, hand.options.seats), *range(hand.first))
    if isinstance(hand.ending, acts.Spoilt) and hand.maker is not None:
        order = (hand.maker, *order)
    played = hand.tricks_due * len(hand.playing)
    hidden = hand.ending is not None or hand.face_up_bits.bit_count() < played
    owing = next((seat for seat in order if hand.owes_count(seat)), None) if hidden else None
    hand.phase, hand.turn = Phase.OVER if owing is None else Phase.COUNT, owing


def check_count(hand: Hand, action: acts.Count) -> None:
    none = not action.cards and may_have_none(hand, action.seat)
    if not none and len(action.cards) != hand.owes_count(action.seat):
        raise RuleBroken(
            "count.all", verbatim("Every card never turned up is counted"), action.seat
        )


def may_have_none(hand: Hand, seat: Seat) -> bool:
    """``spoilt.what``: an opponent of the trump maker may say that it was dealt no trump, and
    opens no card, once everybody knows what trumps are."""
    called = isinstance(hand.ending, acts.Spoilt) and hand.trump is not None
    return called and seat in hand.playing and seat not in hand.makers


def open_cards(hand: Hand, action: acts.Count) -> None:
    """Cards are opened: those played face down, then those never played, an indicator last. None:
    this opponent was dealt no trump."""
    seat, cards = action.seat, list(action.cards)
    if isinstance(hand.ending, acts.Spoilt) and seat == hand.maker:
        hand.indicator, hand.trump = cards[0], cards[0].suit
        played = (number for number, play in hand.numbered_plays if play.indicator)
        if (number := next(played, None)) is not None:
            uncover(hand, number, seat, cards.pop())
    elif cards:
        for number, trick in enumerate(hand.tricks):
            play = trick.by(seat)
            if play is not None and play.card is None:
                uncover(hand, number, seat, cards.pop(0))
    if hand.ending is not None:
        hand.opened = {**hand.opened, seat: tuple(cards)}
    continue_count(hand)


def uncover(hand: Hand, number: int, seat: Seat, card: Card) -> None:
    """A card that was played face down to trick ``number`` (from 0) is known now."""
    if number == len(hand.completed_tricks):
        hand.plays = with_cards(hand.plays, {seat: card})
        return
    tricks = list(hand.completed_tricks)
    tricks[number] = tricks[number]._replace(plays=with_cards(tricks[number].plays, {seat: card}))
    hand.completed_tricks = tuple(tricks)


def hands_as_dealt(hand: Hand) -> list[frozenset[Card]]:
    """Every seat's cards, from where they were played or opened; Caps needs them all."""
    held: list[set[Card]] = [set() for _ in range(hand.options.seats)]
    for _, play in hand.numbered_plays:
        if play.card is not None:
            held[play.seat].add(play.card)
    for seat, cards in hand.opened.items():
        held[seat].update(cards)
    return [frozenset(cards) for cards in held]


def indicator_of(hand: Hand) -> Card | None:
    """The indicator, also where a claim ended the hand before it was shown."""
    if hand.indicator is not None or hand.maker is None:
        return hand.indicator
    if hand.caps is not None and hand.caps.indicator is not None:
        return hand.caps.indicator
    played = (p.card for _, p in hand.numbered_plays if p.indicator)
    lying = hand.opened.get(hand.maker, ())[-1:]
    return next(played, lying[0] if lying else None)
