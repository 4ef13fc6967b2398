"""Looking back: were the plays that nobody could see legal?

Owns the judgement at a hand's end, when every card that was played is known (an idle hand in
Partner Close Caps stays unknown and needs no judging). It runs the very checks of view.py on
the cards that each seat turns out to have held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from p2p304.rules import actions as acts
from p2p304.rules.actions import Action, Play
from p2p304.rules.cards import Card
from p2p304.rules.errors import RuleBroken
from p2p304.rules.hand import Hand, Phase
from p2p304.rules.scoring import VIOLATION, Result, payment, won_and_lost
from p2p304.rules.seats import Seat, side, side_names
from p2p304.rules.view import View, check_own


@dataclass(frozen=True, slots=True)
class Offence:
    """A breach found out: by whom, of which rule, and at which action of the history."""

    seat: Seat
    rule: str
    message: str
    where: int


def retrace(hand: Hand) -> tuple[Offence, ...]:
    """Every hidden breach of a finished hand, in the order in which they happened."""
    if hand.result is None or hand.result.void:
        return ()
    return tuple(_Retracing(hand).offences())


def violation_result(hand: Hand, offence: Offence) -> Result:
    """``violation.pay``: the other side gets what it would have won, plus 2."""
    if hand.result is None:
        raise LookupError("only a finished hand is judged")
    other = 1 - side(offence.seat)
    maker_side = side(hand.maker if hand.maker is not None else 0)
    won, lost = won_and_lost(hand.bid)
    amount = (won if other == maker_side else lost) + VIOLATION
    names = side_names(hand.options.seats)
    reason = f"{names[1 - other]} broke a rule ({offence.rule}): {names[other]} are paid."
    tokens = payment(hand.options, other, amount)
    return replace(hand.result, tokens=tokens, reason=reason, made=other == maker_side)


class _Retracing:
    def __init__(self, hand: Hand) -> None:
        self.finished = hand
        self.now = Hand.start(hand.options, hand.dealer)
        self.held = {
            seat: {c for t in hand.tricks for p in t.plays if p.seat == seat and (c := p.card)}
            for seat in hand.playing
        }
        self.indicator = self._indicator()

    def _indicator(self) -> Card | None:
        """The card that lay as the indicator, from where it was shown or played."""
        shown = self.finished.indicator
        played = (p.card for t in self.finished.tricks for p in t.plays if p.indicator)
        return shown if shown is not None else next(played, None)

    def offences(self) -> Iterator[Offence]:
        maker = self.finished.maker
        for where, action in enumerate(self.finished.history):
            if self.now.phase is Phase.DECLARE and maker is not None and self.indicator:
                self.held[maker].discard(self.indicator)
            try:
                self._judge(action)
            except RuleBroken as broken:
                yield Offence(action.seat, broken.rule, broken.message, where)
            self.now = self.now.apply(action)
            self._forget(action)

    def _judge(self, action: Action) -> None:
        match action:
            case acts.Closed():
                check_own(self._view(action.seat), action)
            case Play():
                check_own(self._view(action.seat), self._known(action))
            case acts.Announce():
                self._judge_announcement(action)

    def _view(self, seat: Seat) -> View:
        lies = seat == self.finished.maker and self.now.indicator_down
        indicator = self.indicator if lies else None
        return View(seat, self.now, frozenset(self.held[seat]), indicator)

    def _known(self, action: Play) -> Play:
        number = len(self.now.tricks) - (self.now.trick is not None)
        play = self.finished.tricks[number].by(action.seat)
        return action if play is None else replace(action, card=play.card)

    def _judge_announcement(self, action: acts.Announce) -> None:
        """``announce.false``: "no trumps" was said, and a trump lay there."""
        if action.revealed or any(p.indicator for p in self.now.tricks[-1].plays):
            return
        trick = self.finished.tricks[len(self.now.tricks) - 1]
        cards = [p.card for p in trick.plays if p.down and p.seat != action.seat and p.card]
        if self.indicator and any(card.suit is self.indicator.suit for card in cards):
            why = "announced no trumps, but a trump lay among the face-down cards"
            raise RuleBroken("announce.false", why, action.seat)

    def _forget(self, action: Action) -> None:
        """After an action: the card has left the hand, a shown indicator has joined it."""
        seat = self.finished.maker
        if isinstance(action, Play):
            number = len(self.now.tricks) - 1
            play = self.finished.tricks[number].by(action.seat)
            if play is not None and play.card is not None:
                self.held[action.seat].discard(play.card)
        shows = isinstance(action, acts.Open) or (
            isinstance(action, acts.Announce) and action.indicator is not None
        )
        played = self.now.tricks and any(p.indicator for t in self.now.tricks for p in t.plays)
        if shows and not played and seat is not None and self.indicator:
            self.held[seat].add(self.indicator)
