"""A referee that lets a player do what only the own cards forbid, and a trump maker announce "no
trumps" falsely: what the review at the count (check C01) has to find.

Responsible for such hands, as protocol/review.json writes them. Rules that everybody can see are
kept, as at a table.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.notation import reader
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.engine import apply
from p2p304.rules.records.record import read_record
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand


class Lawless(Referee):
    """``denied``: the tricks, from 1 on, after which the trump maker says that there are no
    trumps."""

    denied: Sequence[int] = ()

    def act(self, action: Action) -> Hand:
        action, number = self.completed(action), len(self.hand.completed_tricks)
        self.hand = apply(self.hand, action)
        seat = action.seat
        match action:
            case Play(card=card, down=down, indicator=indicator) if card is not None:
                if down:
                    self.hidden[number, seat] = card
                if not indicator:
                    self.held[seat].discard(card)
            case acts.LayTrump(card=card) if card is not None:
                self.held[seat].discard(card)
                self.indicator = card
            case acts.Exchange(cards=cards) if cards is not None:
                self.held[seat].difference_update(cards)
                self.held[seat].update(self.pile)
                self.pile = list(cards)
            case acts.Open():
                self._take_up(seat)
        self._deal()
        self._draw()
        self.settle()
        return self.hand

    def _consequence(self, hand: Hand) -> Action:
        is_denied = len(hand.completed_tricks) + 1 in self.denied
        if hand.phase is Phase.ANNOUNCE and is_denied and hand.turn is not None:
            return acts.Announce(hand.turn)
        return super()._consequence(hand)


def begun(line: str, denied: Sequence[int]) -> Lawless:
    """A referee of this record in JSON, after all of its actions."""
    read = read_record(line)
    referee = Lawless(read.options, read.dealer, read.hands, read.pile)
    referee.denied = denied
    words = reader(read.options.seats, read.options.tenths)
    for said in read.actions:
        referee.act(words[said])
    return referee
