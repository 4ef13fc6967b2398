"""The verdicts on both sides alone, and every seat's first moment, as the tests ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p304.rules.core.actions import PCC
from p2p304.rules.core.cards import Card
from p2p304.rules.core.seats import Side, side
from p2p304.rules.play.caps_judgement import Claim, Due, Verdict, _Record, ruling
from p2p304.rules.state.hand import Hand


def verdicts(
    hand: Hand, hands: Sequence[frozenset[Card]], claim: Claim | None, mode: str
) -> tuple[Verdict | None, ...]:
    found = ruling(hand, hands, claim, mode)
    is_of = [found is not None and side(found.by) == which for which in range(2)]
    return tuple(found.verdict if found and mine else None for mine in is_of)


@dataclass(frozen=True)
class Judgement:
    """For every seat the first moment at which it could have called, None if never."""

    due: tuple[Due | None, ...]

    def side(self, which: Side) -> Due | None:
        """The first of a side (``caps.side``)."""
        found = [due for due in self.due if due is not None and side(due.seat) == which]
        return min(found, key=lambda due: due.at, default=None)


def judge(hand: Hand, hands: Sequence[frozenset[Card]], indicator: Card | None = None) -> Judgement:
    """Which seats could have called, and from when on."""
    seats = range(hand.options.seats)
    if hand.bid >= PCC or hand.closed is None:
        return Judgement((None,) * len(seats))
    record = _Record(hand, hands, indicator)
    return Judgement(tuple(record.first_due(seat) for seat in seats))
