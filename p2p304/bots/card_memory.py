"""What a good player remembers: cards played, master cards, suits that a player has run out of.

Responsible for conclusions from a view. The choice of a card is card_play.py's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.core.seats import Seat
from p2p304.rules.core.tricks import Trick
from p2p304.rules.play.view import View


@dataclass(frozen=True)
class CardMemory:
    """A view as a player reads it who has followed the play."""

    view: View

    @cached_property
    def unseen(self) -> frozenset[Card]:
        """Return the cards that are in other hands, or lie face down unknown."""
        hand = self.view.hand
        return frozenset(hand.options.pack.cards) - hand.seen - self.view.held

    def strength(self, card: Card) -> int:
        return self.view.hand.options.pack.strength[card]

    def points(self, card: Card) -> int:
        return self.view.hand.options.pack.points[card]

    def is_master(self, card: Card) -> bool:
        """Whether no unseen card of its suit beats this card."""
        return not any(
            c.suit is card.suit and self.strength(c) > self.strength(card) for c in self.unseen
        )

    def left(self, suit: Suit) -> int:
        """Count the cards of a suit that others may still hold."""
        return sum(card.suit is suit for card in self.unseen)

    @property
    def is_maker(self) -> bool:
        return self.view.seat == self.view.hand.maker

    @property
    def our_contract(self) -> bool:
        maker = self.view.hand.maker
        return maker is not None and self.is_friend(maker)

    def is_friend(self, seat: Seat) -> bool:
        """Whether this seat plays with ours, as far as we know."""
        hand, me = self.view.hand, self.view.seat
        if hand.options.partner == "across" or seat == me:
            return hand.options.account(seat) == hand.options.account(me)
        mine = me in hand.makers or hand.called in self.view.cards
        if hand.options.partner == "called" and hand.partner is None:
            return mine and seat in hand.makers
        return mine == (seat in hand.makers)

    def lowest(self, cards: Iterable[Card]) -> Card:
        """Return the card that is missed least: few points, then little strength."""
        return min(cards, key=lambda c: (self.points(c), self.strength(c), c.name))

    def highest(self, cards: Iterable[Card]) -> Card:
        return max(cards, key=lambda c: (self.strength(c), c.name))

    def richest(self, cards: Iterable[Card]) -> Card:
        """Return the card with the most points; of equal ones, the weaker."""
        return max(cards, key=lambda c: (self.points(c), -self.strength(c), c.name))

    def richest_to_give(self, cards: Sequence[Card]) -> Card:
        """Return the card with the most points, but no master if there is another."""
        return self.richest([c for c in cards if not self.is_master(c)] or cards)

    # The trick on the table

    @property
    def trick(self) -> Trick:
        """Return the trick to which this seat is to play; LookupError when leading."""
        if self.view.hand.trick is None:
            raise LookupError("there is no trick yet: it is to be led")
        return self.view.hand.trick

    @property
    def is_last(self) -> bool:
        return len(self.trick.plays) == len(self.view.hand.playing) - 1

    @property
    def worth(self) -> int:
        """Return the points that can be seen on the table."""
        return sum(self.points(p.card) for p in self.trick.plays if p.card)

    def best(self) -> tuple[Seat, Card]:
        """Return the seat that is winning as far as can be seen, and its card."""
        known = [(p.seat, p.card) for p in self.trick.plays if p.card is not None]
        trumps = [one for one in known if one[1].suit is self.view.hand.trump]
        led = [one for one in known if one[1].suit is self.trick.led]
        return max(trumps or led, key=lambda one: self.strength(one[1]))

    def beats(self, card: Card) -> bool:
        """Whether this card, face up, would be winning."""
        best, trump = self.best()[1], self.view.hand.trump
        if card.suit is best.suit:
            return self.strength(card) > self.strength(best)
        return trump is not None and card.suit is trump

    @property
    def may_be_cut(self) -> bool:
        """Whether an opponent has played face down, which may be a cut."""
        return any(p.down and not self.is_friend(p.seat) for p in self.trick.plays)

    @property
    def is_partner_winning(self) -> bool:
        """Whether the partner's card is best, and likely to stay so."""
        seat, card = self.best()
        if seat == self.view.seat or not self.is_friend(seat) or self.may_be_cut:
            return False
        return self.is_last or self.is_master(card)
