"""The engine with every card known: it settles hands that lie open.

Responsible for which seat holds what, and for the consequences (inspection, announcement, showing
and taking up the indicator, drawing from the stock, the count) that a table needs messages for.
Records, bots' practice games and random walks run on it. What an action does is left to
play/transitions.py and play/engine.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card, by_suit
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.legality import own_card_checks, public_checks
from p2p304.rules.play import claims, effects, engine, transitions
from p2p304.rules.play.counting import may_have_none
from p2p304.rules.play.view import View, announcement, legal
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import Options

_SAID = frozenset((acts.Bid, acts.Pass, acts.Ask))
_LEAVES_OUT = frozenset((acts.Redeal, acts.Open, acts.Caps))
"""What a record writes shorter than the table does; a lying indicator that is played as well."""
_PLAY = Phase.PLAY
_CONSEQUENCES = frozenset((Phase.SHOW, Phase.ANNOUNCE, Phase.COUNT))


class Referee:
    """A hand with all cards known. ``hands[seat]`` are the cards in the order dealt, ``pile``
    those left over, in the order in which they are drawn or taken up."""

    def __init__(
        self,
        options: Options,
        dealer: Seat,
        hands: Sequence[Sequence[Card]],
        pile: Sequence[Card] = (),
        alone: bool = False,
    ) -> None:
        """``alone``: nobody keeps a hand of this referee's, so that it changes its own in place."""
        self.hand = Hand.start(options, dealer)
        self.dealt = [tuple(cards) for cards in hands]
        self.undealt = tuple(pile)
        self.pile = list(pile)
        self.held = [set(cards[: options.batches[0]]) for cards in self.dealt]
        self.indicator: Card | None = None
        """The card laid as the indicator, wherever it is now."""
        self.hidden: dict[tuple[int, Seat], Card] = {}
        """What was played face down: (trick number from 0, seat) to card."""
        self._alone, self._draws = alone, options.stock == "draw"
        self._all_dealt = False
        self._drawn = 0

    def copied(self) -> Referee:
        """The same moment, to be played on apart."""
        after = object.__new__(Referee)
        after.__dict__.update(self.__dict__)
        after.hand, after.pile = self.hand.copied(), list(self.pile)
        after.held = [set(cards) for cards in self.held]
        after.hidden = dict(self.hidden)
        return after

    @property
    def true_cards(self) -> dict[tuple[int, Seat], Card]:
        """What lies in each trick: (trick number from 0, seat) to card."""
        plays = self.hand.numbered_plays
        return {(n, p.seat): p.card or self.hidden[n, p.seat] for n, p in plays}

    def view(self, seat: Seat) -> View:
        lies = self.hand.indicator_down and seat == self.hand.maker
        indicator = self.indicator if lies else None
        places = sorted(claims.known_places(self.hand, seat)) if self.hidden else ()
        known = tuple((n, s, self.hidden[n, s]) for n, s in places)
        return View(seat, self.hand, frozenset(self.held[seat]), indicator, known)

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of whoever is to act; empty when over."""
        seat = self.hand.turn
        return () if seat is None else legal(self.view(seat))

    def act(self, action: Action) -> Hand:
        """One player's action and all its consequences; raises RuleBroken, changing nothing. Most
        actions are plays, so what `transitions.check` and `engine.change` would look up for one
        stands here."""
        if type(action) is not Play:
            return self._say(action) if type(action) in _SAID else self._do(action)
        hand, seat, lying = self.hand, action.seat, None
        if hand.indicator_down and seat == hand.maker:
            lying = self.indicator
            action = self._as_indicator(action)
        if hand.phase is not _PLAY or seat != hand.turn:
            transitions.check(hand, action)
        public_checks.check_play(hand, action)
        held = self.held[seat]
        own_card_checks.check_play(hand, held, lying, action)
        if not self._alone:
            hand = self.hand = hand.copied()
        seen, card = action, action.card
        if card is not None and action.down:
            self.hidden[len(hand.completed_tricks), seat] = card
            seen = acts.face_down(seat, action.indicator)
        if card is not None and not action.indicator:
            held.remove(card)
        effects.play_card(hand, seen)
        hand.history.append(seen)
        if self._draws:
            self._draw()
        if hand.phase is not _PLAY:
            self.settle()
        return hand

    def _as_indicator(self, play: Play) -> Play:
        """A play of the trump maker's while the indicator lies: a record does not say which card
        that is."""
        is_indicator = play.card is not None and play.card is self.indicator
        return replace(play, indicator=True) if is_indicator else play

    def _say(self, action: Action) -> Hand:
        """A bid, a pass or a partner asked: no card moves before the round is over."""
        commit, hand = transitions.check(self.hand, action), self.hand
        if not self._alone:
            hand = self.hand = hand.copied()
        phase = hand.phase
        commit(hand, action)
        hand.history.append(action)
        if hand.phase is not phase:
            if hand.taken_back is not None:
                self._take_up(hand.taken_back)
            self._deal()
        return hand

    def _do(self, action: Action) -> Hand:
        """Anything else."""
        hand = self.hand
        if type(action) in _LEAVES_OUT:
            action = self.completed(action)
        commit = transitions.check(hand, action)
        lies = hand.indicator_down and action.seat == hand.maker
        own_card_checks.check(
            hand, self.held[action.seat], self.indicator if lies else None, action
        )
        if not self._alone:
            self.hand = hand.copied()
        self._take(action, commit)
        self.settle()
        return self.hand

    def settle(self) -> None:
        """Do the consequences that are due."""
        while self.hand.phase in _CONSEQUENCES:
            action = self._consequence(self.hand)
            self._take(action, transitions.commit_of(self.hand, action))
        engine.settle(self.hand)

    def completed(self, action: Action) -> Action:
        """A record's action with what it leaves out: the cards shown, which card is the
        indicator (the only one left, or a card that lies on the table), what a caller knew."""
        hand, seat = self.hand, action.seat
        lies = hand.indicator_down and seat == hand.maker
        match action:
            case Play() if lies:
                return self._as_indicator(action)
            case acts.Redeal():
                return acts.Redeal(seat, self.dealt[seat][: hand.options.batches[0]])
            case acts.Open():
                return acts.Open(seat, self.indicator)
            case acts.Caps(order=order):
                knows, true = sorted(claims.known_places(hand, seat)), self.true_cards
                known = tuple((n, s, true[n, s]) for n, s in knows)
                return acts.Caps(seat, order, known, self.indicator if lies else None)
        return action

    def _take(self, action: Action, commit: transitions.Commit) -> None:
        """Change the hand and move the cards that are not played."""
        lay, seat = self.hand.indicator_down, action.seat
        engine.change(self.hand, commit, acts.public(action))
        match action:
            case acts.LayTrump(card=card) if card is not None:
                self.held[seat].remove(card)
                self.indicator = card
            case acts.Exchange(cards=cards) if cards is not None:
                self.held[seat].difference_update(cards)
                self.held[seat].update(self.pile)
                self.pile = list(cards)
            case acts.Open() | acts.Show():
                self._take_up(seat)
            case acts.Announce(indicator=card) if card is not None and lay:
                self._take_up(seat)
        self._deal()

    def _deal(self) -> None:
        """The second batch comes out, if it is due."""
        if self.hand.batches > 1 and not self._all_dealt:
            self._all_dealt = True
            for held, cards in zip(self.held, self.dealt, strict=True):
                held.update(cards[self.hand.options.batches[0] :])

    def _draw(self) -> None:
        """After a trick each draws a card, its winner first."""
        hand = self.hand
        while self._drawn < hand.drawn():
            self._drawn += 1
            for step in range(hand.options.seats):
                self.held[(hand.leader + step) % hand.options.seats].add(self.pile.pop(0))

    def _take_up(self, seat: Seat) -> None:
        if self.indicator is not None:
            self.held[seat].add(self.indicator)

    def _consequence(self, hand: Hand) -> Action:
        """What follows of itself: trumps shown on demand, the trump maker's word, the count."""
        seat = hand.turn
        if seat is None:
            raise LookupError("a hand in a consequence has somebody to act")
        if hand.phase is Phase.COUNT:
            return acts.Count(seat, self._counted(hand, seat))
        if self.indicator is None:
            raise LookupError("closed trumps have an indicator")
        if hand.phase is Phase.SHOW:
            return acts.Show(seat, self.indicator)
        number, true = len(hand.completed_tricks), self.true_cards
        others = {other: true[number, other] for other in hand.to_inspect}
        play = hand.tricks[-1].by(seat)
        own_card = true[number, seat] if play is not None and play.down else None
        return announcement(hand, self.indicator, others, own_card)

    def _counted(self, hand: Hand, seat: Seat) -> tuple[Card, ...]:
        if isinstance(hand.ending, acts.Spoilt) and seat == hand.maker and self.indicator:
            return (self.indicator,)
        if may_have_none(hand, seat) and all(c.suit is not hand.trump for c in self.dealt[seat]):
            return ()
        plays = [(n, p) for n, p in hand.numbered_plays if p.seat == seat and p.card is None]
        down = [self.hidden[n, seat] for n, _ in plays]
        if hand.ending is None:
            return tuple(down)
        left = by_suit(self.held[seat], hand.options.pack)
        lying = [self.indicator] if seat == hand.maker and hand.indicator_down else []
        return (*down, *left, *(card for card in lying if card))
