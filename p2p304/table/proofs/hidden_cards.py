"""Statements about cards that nobody else can see, one function for each row of SPEC.md's table.

Responsible for what each row states about slots, ciphertexts and cards, in the language of
crypto/language.py. Which rows an entry must prove is required.py's. Nothing here reads a hidden
card.

A statement of None needs no proof: all cards that would make it false are public. Public cards are
left out of every statement, because no hidden slot can hold one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from p2p304.crypto.group import IDENTITY, Element, HashedElement, sub
from p2p304.crypto.statements import All, AnyOf, Hidden, NoneAmong, Statement
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.state.hand import Hand
from p2p304.table.state.deal import Deal, Slot

# How statements are put together ------------------------------------------------------------


class Cards:
    """The cards of a hand in play that nobody has seen, by suit, as elements."""

    def __init__(self, deal: Deal, hand: Hand) -> None:
        self._element = dict(zip(deal.pack.cards, deal.elements, strict=True))
        shown = {slot.card for held in deal.holdings for slot in held.hand if slot}
        self._seen = hand.seen | shown
        self.suits = tuple(dict.fromkeys(card.suit for card in deal.pack.cards))

    def of(self, *suits: Suit) -> tuple[HashedElement, ...]:
        """Return the elements of these suits' cards that nobody has seen."""
        return tuple(self._element[card] for card in self.unseen(*suits))

    def unseen(self, *suits: Suit) -> Iterator[Card]:
        return (c for c in self._element if c.suit in suits and c not in self._seen)

    def none_of(self, hidden: Sequence[Hidden], *suits: Suit) -> Statement | None:
        """State that none of the hidden cards is of one of the suits."""
        elements = self.of(*suits)
        return NoneAmong(tuple(hidden), elements) if hidden and elements else None

    def not_both(self, one: Hidden, others: Sequence[Hidden], suit: Suit) -> Statement | None:
        """State that ``one`` is not of the suit, or that none of the others is."""
        return either(self.none_of((one,), suit), self.none_of(others, suit))


def every(parts: Iterable[Statement | None]) -> Statement | None:
    """State all parts that need a proof."""
    left = tuple(part for part in parts if part is not None)
    return All(left) if left else None


def either(*branches: Statement | None) -> Statement | None:
    """State that one of the branches holds; None if one of them needs no proof."""
    left = tuple(branch for branch in branches if branch is not None)
    return AnyOf(left) if len(left) == len(branches) else None


def locked(slots: Iterable[Slot | None]) -> tuple[Hidden, ...]:
    """Return the hidden cards of those slots that only their holder can read."""
    return tuple(Hidden(s.key, s.locked) for s in slots if s is not None and s.card is None)


def encrypted(key: Element, e1: Element, e2: Element) -> Hidden:
    """Return the card shown to the holder of an inspection key x*G: E2 - x*E1."""
    return Hidden(key, sub(IDENTITY, e1), e2)


# The rows ------------------------------------------------------------------------------------


def cannot_follow(cards: Cards, hand: Sequence[Hidden], led: Suit) -> Statement | None:
    """State that no card of the hand is of the suit led."""
    return cards.none_of(hand, led)


def no_trumps(cards: Cards, indicator: Hidden, others: Sequence[Hidden]) -> Statement | None:
    """State that none of the others is of the indicator's suit."""
    return every(cards.not_both(indicator, others, suit) for suit in cards.suits)


def leads_no_trump(cards: Cards, indicator: Hidden, led: Suit) -> Statement | None:
    """State that the indicator is not of the suit led."""
    return cards.none_of((indicator,), led)


def leads_trumps_only(cards: Cards, hand: Sequence[Hidden], led: Suit) -> Statement | None:
    """State that every card of the hand is of the suit led."""
    return cards.none_of(hand, *(suit for suit in cards.suits if suit is not led))


def holds_none_back(
    cards: Cards, indicator: Hidden, hand: Sequence[Hidden], drawn: Sequence[Suit]
) -> Statement | None:
    """State for each suit in ``drawn`` (the trump maker led it and nobody followed): it is not the
    indicator's suit, or the hand has no card of it."""
    return every(cards.not_both(indicator, hand, suit) for suit in drawn)


def not_only_trumps(cards: Cards, indicator: Hidden, hand: Sequence[Hidden]) -> Statement | None:
    """State that indicator and hand together are of more than one suit: for every suit, one of
    these cards is not of it."""
    return every(
        either(*(cards.none_of((each,), suit) for each in (indicator, *hand)))
        for suit in cards.suits
    )


def was_dealt_none(cards: Cards, dealt: Sequence[Hidden], trump: Suit) -> Statement | None:
    """State that an opponent was dealt no trump, for spoilt trumps: none of its hidden cards is
    one."""
    return cards.none_of(dealt, trump)
