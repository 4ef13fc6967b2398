"""Payment of a hand and the tokens of a match.

Owns the bands of DECISIONS 31 and 32. Who won which trick is not its business.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.rules.actions import PCC
from p2p304.rules.options import Options
from p2p304.rules.seats import Seat, Side

VIOLATION = 2
"""Tokens that a violation costs beyond the winnings (``violation.pay``)."""


@dataclass(frozen=True, slots=True)
class Result:
    """A finished hand: what each side gains or loses, why, and who deals next.

    ``points`` are card points by side; None where no card was played. ``made`` tells whether
    the bid succeeded; None for a void hand.
    """

    void: bool
    tokens: tuple[int, int]
    reason: str
    next_dealer: Seat
    points: tuple[int, int] | None = None
    made: bool | None = None
    caps: None = None


def won_and_lost(bid: int) -> tuple[int, int]:
    """Tokens for a bid made and a bid failed."""
    if bid == PCC:
        return 4, 5
    if bid >= 250:
        return 3, 4
    return (2, 3) if bid >= 200 else (1, 2)


def payment(options: Options, winner: Side, amount: int) -> tuple[int, int]:
    """What each side gains: the loser pays across, or to the bank."""
    gain = 0 if options.match == "bank" else amount
    return (gain, -amount) if winner == 0 else (-amount, gain)


@dataclass(frozen=True, slots=True)
class Match:
    """The tokens of both sides, and how many each began with."""

    start_tokens: int
    tokens: tuple[int, int]

    @classmethod
    def start(cls, options: Options) -> Match:
        return cls(options.tokens, (options.tokens, options.tokens))

    def after(self, result: Result) -> Match:
        """The match after a hand; a side pays what it has (``tokens.short``)."""
        loss = max(0, -min(result.tokens))
        if loss == 0:
            return self
        loser = 0 if result.tokens[0] < 0 else 1
        paid = min(loss, self.tokens[loser])
        gain = min(paid, result.tokens[1 - loser])
        tokens = list(self.tokens)
        tokens[loser] -= paid
        tokens[1 - loser] += gain
        return replace(self, tokens=(tokens[0], tokens[1]))

    @property
    def winner(self) -> Side | None:
        """The side that has won: the other one has no token left."""
        for side in (0, 1):
            if self.tokens[1 - side] == 0:
                return side
        return None
