"""The empty seat of a hand that is played out: whose it was, and which of its cards lie open.

Owns what plain lines and the full screen know of it beside the events. Its cards are public; one
that it plays face down, or lays as the indicator, has no name in its action, but follows from
``playout.lowest``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from p2p304.rules import actions as acts
from p2p304.rules.actions import Action, Play
from p2p304.rules.cards import PACKS, Card, by_suit
from p2p304.rules.hand import Hand, Phase
from p2p304.rules.lowest import lowest
from p2p304.rules.view import View

MARRIAGE = ("K", "Q")


@dataclass(frozen=True, slots=True)
class Emptied:
    """``cards`` in hand and the ``indicator`` lying apart, as far as they were laid open by now;
    ``shown`` is all that ever was."""

    nick: str
    seat: int
    cards: frozenset[Card] = frozenset()
    indicator: Card | None = None
    shown: frozenset[Card] = frozenset()

    @classmethod
    def begin(cls, nick: str, seat: int, hand: Hand | None) -> Emptied:
        """Before anything is laid open: cards of the seat that all have seen already."""
        known = frozenset() if hand is None else frozenset(_known(hand, seat))
        return cls(nick, seat, known, None, known)

    def laid_open(self, cards: tuple[Card, ...], hand: Hand | None) -> Emptied:
        """After ``LaidOpen``: cards of the hand, the indicator behind them; at the count those
        that lay face down before, which are in no hand."""
        after = replace(self, shown=self.shown | set(cards))
        if hand is not None and hand.phase is Phase.COUNT:
            return after
        if self._has_indicator(cards, hand):
            return replace(after, cards=self.cards | set(cards[:-1]), indicator=cards[-1])
        return replace(after, cards=self.cards | set(cards))

    def _has_indicator(self, cards: tuple[Card, ...], hand: Hand | None) -> bool:
        if hand is None or self.indicator is not None or not cards:
            return False
        lies = hand.maker == self.seat and hand.indicator_down
        return lies and len(self.cards) + len(cards) > hand.cards_left(self.seat)

    def acted(self, action: Action, before: Hand, hand: Hand) -> Emptied:
        """After an action at the table: a card played leaves, an indicator lies or is taken up."""
        if hand.caps is not None and hand.caps.seat == self.seat:
            return replace(self, cards=frozenset(_of_order(hand.caps, hand)))
        after = self._acted(action, before) if action.seat == self.seat else self
        up = hand.maker != self.seat or not hand.indicator_down
        if after.indicator is None or not up:
            return after
        played = any(play.indicator and play.seat == self.seat
                     for trick in hand.tricks for play in trick.plays)  # fmt: skip
        cards = after.cards if played else after.cards | {after.indicator}
        return replace(after, cards=cards, indicator=None)

    def _acted(self, action: Action, before: Hand) -> Emptied:
        match action:
            case Play(indicator=True):
                return replace(self, indicator=None)
            case Play(card=card):
                gone = card or self._chosen(before)
                return replace(self, cards=self.cards - {gone}) if gone else self
            case acts.LayTrump():
                card = self._chosen(before)
                return replace(self, cards=self.cards - {card}, indicator=card) if card else self
        return self

    def _chosen(self, before: Hand) -> Card | None:
        """The card that the seat has just played or laid without a name."""
        try:
            action = lowest(View(self.seat, before, self.cards, self.indicator))
        except ValueError:
            return None
        card = getattr(action, "card", None)
        return card if isinstance(card, Card) else None


def _known(hand: Hand, seat: int) -> Iterator[Card]:
    """Cards in the hand of a seat that were shown before it was empty: a stated order of Caps, an
    indicator taken up again, marriages."""
    if hand.caps is not None and hand.caps.seat == seat:
        yield from _of_order(hand.caps, hand)
        return
    played = {play.card for trick in hand.tricks if (play := trick.by(seat)) is not None}
    shown = {card for who, suit in hand.marriages if who == seat
             for card in hand.options.pack.cards
             if card.suit is suit and card.rank in MARRIAGE}  # fmt: skip
    if hand.maker == seat and hand.indicator is not None and not hand.indicator_down:
        shown.add(hand.indicator)
    yield from shown - played


def _of_order(caps: acts.Caps, hand: Hand) -> tuple[Card, ...]:
    """What is left of a stated order, which is played from its beginning."""
    lies = hand.maker == caps.seat and hand.indicator_down
    left = hand.cards_left(caps.seat) + lies
    return caps.order[len(caps.order) - left :] if left > 0 else ()


def held(cards: Iterable[Card]) -> list[Card]:
    """Cards as a hand is held, whatever pack they are from."""
    known = set(cards)
    pack = next((pack for pack in PACKS.values() if known <= pack.strength.keys()), None)
    return sorted(known, key=str) if pack is None else by_suit(known, pack)
