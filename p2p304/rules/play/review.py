"""The review at the count: were the plays that nobody could see legal?

Responsible for this judgement at a hand's end, when every card that was played is known (an idle
hand in Partner Close Caps stays unknown and needs no judging). It runs the very checks of
rules/legality/own_card_checks.py on the cards that each seat turns out to have held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.core.seats import Seat
from p2p304.rules.play import transitions
from p2p304.rules.play.counting import hands_as_dealt, indicator_of
from p2p304.rules.play.settlement import Charge, violation
from p2p304.rules.play.view import View, check_own
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result


@dataclass(frozen=True, slots=True)
class Offence:
    """A breach found out: by whom, of which rule, and at which action of the history."""

    seat: Seat
    rule: str
    phrase: Phrase
    index: int


def review(hand: Hand) -> tuple[Offence, ...]:
    """Every hidden breach of a finished hand, in the order in which they happened. Where cards
    are drawn from a stock, which of them were in hand when is not known here: there it finds
    nothing, and what is proved at the moment of play has to do."""
    if hand.result is None or hand.result.void or hand.options.stock == "draw":
        return ()
    return tuple(_Review(hand).offences())


def violation_result(hand: Hand, offence: Offence) -> Result:
    """``violation.pay``: the other side gets what it would have won, plus 2."""
    name = hand.options.together([hand.options.account(offence.seat)])
    charge = Charge(
        say("{side} broke a rule: the hand counts as won by {winners}.", side=name),
        say("{side} broke a rule: the hand is void, and paid as won by {winners}.", side=name),
    )
    return violation(hand, offence.seat, charge)


class _Review:
    def __init__(self, hand: Hand) -> None:
        self.finished = hand
        self.now = hand.restarted()
        self.held = [set(cards) for cards in hands_as_dealt(hand)]
        self.indicator = indicator_of(hand)

    def offences(self) -> Iterator[Offence]:
        last = len(self.finished.history) - 1
        for index, action in enumerate(self.finished.history):
            if isinstance(action, acts.Count):
                return
            lies = self.now.indicator_down
            if lies and self.now.maker is not None and self.indicator:
                self.held[self.now.maker].discard(self.indicator)
            played = self._played(action)
            try:
                self._judge(action, played)
            except RuleBroken as broken:
                yield Offence(action.seat, broken.rule, broken.phrase, index)
            if index == last:
                return
            transitions.advance(self.now, action)
            maker = self.now.maker
            if played is not None:
                self.held[action.seat] -= {played.card}
            elif lies and not self.now.indicator_down and maker is not None and self.indicator:
                self.held[maker].add(self.indicator)

    def _played(self, action: Action) -> Play | None:
        """A play with the card that turned out to lie there, None for another action."""
        if not isinstance(action, Play):
            return None
        play = self.finished.tricks[self.now.completed_count].by(action.seat)
        return action if play is None else replace(action, card=play.card)

    def _judge(self, action: Action, played: Play | None) -> None:
        is_choice = isinstance(action, acts.Closed | acts.Reveal)
        if is_choice or (played is not None and played.card is not None):
            seat = action.seat
            lies = seat == self.finished.maker and self.now.indicator_down
            indicator = self.indicator if lies else None
            view = View(seat, self.now, frozenset(self.held[seat]), indicator)
            check_own(view, played or action)
        elif (
            isinstance(action, acts.Announce)
            and not action.revealed
            and not self.now.tricks[-1].has_indicator
        ):
            # ``announce.false``: "no trumps" was said. Did a trump lie there?
            trick = self.finished.tricks[len(self.now.tricks) - 1]
            cards = [p.card for p in trick.plays if p.down and p.seat != action.seat and p.card]
            if self.indicator and any(card.suit is self.indicator.suit for card in cards):
                why = say(
                    "The trump maker announced no trumps, but one of the face-down cards was a "
                    "trump"
                )
                raise RuleBroken("announce.false", why, action.seat)
