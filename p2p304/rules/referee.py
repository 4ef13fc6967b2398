"""The same engine with full knowledge: settles hands of which every card is known.

Owns who holds what, and does the consequences (inspection, announcement, taking up the
indicator, the count) that a table needs messages for. Records, bots' practice games and random
walks run on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.rules import actions as acts
from p2p304.rules.actions import Action, Play
from p2p304.rules.cards import Card
from p2p304.rules.hand import Hand, Phase
from p2p304.rules.options import Options
from p2p304.rules.seats import Seat
from p2p304.rules.view import View, announcement, check, legal


class Referee:
    """A hand with all cards known. ``hands[seat]`` are the cards in the order dealt."""

    def __init__(self, options: Options, dealer: Seat, hands: Sequence[Sequence[Card]]) -> None:
        self.hand = Hand.start(options, dealer)
        self.dealt = [tuple(cards) for cards in hands]
        self.held = [set(cards[: options.batches[0]]) for cards in self.dealt]
        self.indicator: Card | None = None
        self.true_cards: dict[tuple[int, Seat], Card] = {}
        """What lies in each trick: (trick number from 0, seat) to card."""

    def view(self, seat: Seat) -> View:
        lies = self.hand.indicator_down and seat == self.hand.maker
        indicator = self.indicator if lies else None
        return View(seat, self.hand, frozenset(self.held[seat]), indicator)

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of whoever is to act; empty when over."""
        seat = self.hand.turn
        return () if seat is None else legal(self.view(seat))

    def act(self, action: Action) -> Hand:
        """One player's action and all its consequences; raises RuleBroken, changing nothing."""
        before = self.hand
        self._take(self.completed(action), before)
        while self.hand.phase in (Phase.ANNOUNCE, Phase.COUNT):
            self._consequence()
        return self.hand

    def completed(self, action: Action) -> Action:
        """A record's action with what it leaves out: the cards shown, which card is the
        indicator (the only one left, or a card that lies on the table)."""
        seat = action.seat
        match action:
            case acts.Redeal():
                cards = self.dealt[seat][: self.hand.options.batches[0]]
                return acts.Redeal(seat, cards)
            case acts.Open():
                return acts.Open(seat, self.indicator)
            case Play(card=card, down=down) if card is not None:
                lies = self.hand.indicator_down and seat == self.hand.maker
                return Play(seat, card, down, lies and card is self.indicator)
        return action

    def _take(self, action: Action, before: Hand) -> None:
        after = check(self.view(action.seat), action)
        self.hand = after
        match action:
            case acts.LayTrump(card=card) if card is not None:
                self._lay(action.seat, card, before.phase)
            case acts.Open():
                self._take_up(action.seat)
            case Play(card=card) if card is not None:
                self._played(action, card, before)
        if after.taken_back is not None and before.taken_back is None:
            self._take_up(after.taken_back)

    def _lay(self, seat: Seat, card: Card, phase: Phase) -> None:
        self.held[seat].remove(card)
        self.indicator = card
        if phase is Phase.TRUMP4:
            for other, cards in enumerate(self.dealt):
                self.held[other] |= set(cards[self.hand.options.batches[0] :])

    def _take_up(self, seat: Seat) -> None:
        if self.indicator is not None:
            self.held[seat].add(self.indicator)
            self.indicator = None

    def _played(self, action: Play, card: Card, before: Hand) -> None:
        number = len(before.tricks) - (before.trick is not None)
        self.true_cards[number, action.seat] = card
        if not action.indicator:
            self.held[action.seat].remove(card)

    def _consequence(self) -> None:
        hand = self.hand
        seat = hand.turn
        if seat is None:
            raise LookupError("a hand in a consequence has somebody to act")
        if hand.phase is Phase.COUNT:
            cards = tuple(
                self.true_cards[number, seat]
                for number, trick in enumerate(hand.tricks)
                for play in trick.plays
                if play.seat == seat and play.card is None
            )
            self.hand = hand.apply(acts.Count(seat, cards))
            return
        self.hand = hand.apply(self._announcement(hand, seat))
        if self.hand.indicator is not None:
            self._after_showing(hand, seat)

    def _announcement(self, hand: Hand, maker: Seat) -> acts.Announce:
        number = len(hand.tricks) - 1
        others = {seat: self.true_cards[number, seat] for seat in hand.to_inspect}
        play = hand.tricks[-1].by(maker)
        lay = play is not None and play.down
        own = self.true_cards[number, maker] if lay else None
        if self.indicator is None:
            raise LookupError("closed trumps have an indicator")
        return announcement(hand, self.indicator, others, own)

    def _after_showing(self, before: Hand, maker: Seat) -> None:
        if before.indicator_down:
            self._take_up(maker)
        self.indicator = None
