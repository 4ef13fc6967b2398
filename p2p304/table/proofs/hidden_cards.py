"""What must be proved of cards that nobody else can see: one row of SPEC.md's table each.

Owns what each row says, as a statement of crypto's language over slots, ciphertexts and cards;
required.py knows which are due when. It reads no hidden card.

A statement of None is true for everybody to see, because all cards that would make it false lie
face up. Cards that have been seen are left out everywhere: no hidden slot can hold one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from p2p304.crypto.group import IDENTITY, Element, HashedElement, sub
from p2p304.crypto.statements import All, AnyOf, Hidden, NoneAmong, Statement
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.state.hand import Hand
from p2p304.table.state.deal import Deal, Slot, card_elements

# The language of the rows --------------------------------------------------------------------


class Cards:
    """The cards of a hand being played, as elements: those that nobody has seen, by suit."""

    def __init__(self, table: bytes, deal: Deal, hand: Hand) -> None:
        elements = card_elements(table, deal.number, deal.pack)
        self._element = dict(zip(deal.pack.cards, elements, strict=True))
        shown = {slot.card for held in deal.holdings for slot in held.hand if slot}
        self._seen = hand.seen | shown
        self.suits = tuple(dict.fromkeys(card.suit for card in deal.pack.cards))

    def of(self, *suits: Suit) -> tuple[HashedElement, ...]:
        """The elements of these suits' cards that nobody has seen."""
        return tuple(self._element[card] for card in self.unseen(*suits))

    def unseen(self, *suits: Suit) -> Iterator[Card]:
        return (c for c in self._element if c.suit in suits and c not in self._seen)

    def none_of(self, hidden: Sequence[Hidden], *suits: Suit) -> Statement | None:
        """None of the hidden cards is of one of the suits."""
        elements = self.of(*suits)
        return NoneAmong(tuple(hidden), elements) if hidden and elements else None

    def not_both(self, one: Hidden, others: Sequence[Hidden], suit: Suit) -> Statement | None:
        """Not (the one is of the suit, and so is one of the others)."""
        return either(self.none_of((one,), suit), self.none_of(others, suit))


def every(parts: Iterable[Statement | None]) -> Statement | None:
    """All that is left to prove of some parts."""
    left = tuple(part for part in parts if part is not None)
    return All(left) if left else None


def either(*branches: Statement | None) -> Statement | None:
    """One of the branches; nothing to prove where one is true for all to see."""
    left = tuple(branch for branch in branches if branch is not None)
    return AnyOf(left) if len(left) == len(branches) else None


def locked(slots: Iterable[Slot | None]) -> tuple[Hidden, ...]:
    """The cards of slots that only their holder can read."""
    return tuple(Hidden(s.key, s.locked) for s in slots if s is not None and s.card is None)


def encrypted(key: Element, e1: Element, e2: Element) -> Hidden:
    """A card shown to the holder of an inspection key: E2 - x*E1."""
    return Hidden(key, sub(IDENTITY, e1), e2)


# The rows ------------------------------------------------------------------------------------


def cannot_follow(cards: Cards, hand: Sequence[Hidden], led: Suit) -> Statement | None:
    """No card of the hand is of the suit led."""
    return cards.none_of(hand, led)


def no_trumps(cards: Cards, indicator: Hidden, others: Sequence[Hidden]) -> Statement | None:
    """Whatever suit the indicator is of, none of the others is of it."""
    return every(cards.not_both(indicator, others, suit) for suit in cards.suits)


def leads_no_trump(cards: Cards, indicator: Hidden, led: Suit) -> Statement | None:
    """The indicator is not of the suit led."""
    return cards.none_of((indicator,), led)


def leads_trumps_only(cards: Cards, hand: Sequence[Hidden], led: Suit) -> Statement | None:
    """No card of the hand is of another suit than the one led."""
    return cards.none_of(hand, *(suit for suit in cards.suits if suit is not led))


def holds_none_back(
    cards: Cards, indicator: Hidden, hand: Sequence[Hidden], drawn: Sequence[Suit]
) -> Statement | None:
    """For each suit that nobody followed when the trump maker led it: it is not the indicator's,
    or the hand has none of it."""
    return every(cards.not_both(indicator, hand, suit) for suit in drawn)


def not_only_trumps(cards: Cards, indicator: Hidden, hand: Sequence[Hidden]) -> Statement | None:
    """Indicator and hand together are not cards of one suit alone: for every suit, one of them is
    not of it."""
    return every(
        either(*(cards.none_of((each,), suit) for each in (indicator, *hand)))
        for suit in cards.suits
    )


def was_dealt_none(cards: Cards, dealt: Sequence[Hidden], trump: Suit) -> Statement | None:
    """Spoilt trumps, for each opponent: no card dealt to it and not seen since is a trump."""
    return cards.none_of(dealt, trump)
