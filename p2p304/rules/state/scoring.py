"""Payment of a hand and the tokens of a match.

Responsible for the bands of payment (SPEC.md, ``violation.pay``). Which side has won what is left
to play/settlement.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p304.rules.core.actions import PCC
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.core.seats import Seat, Side
from p2p304.rules.state.auction import ALL_POINTS
from p2p304.rules.variants.options import Options

GAME = 250
"""Card points that win a game where they are counted in tenths: 25.0."""


@dataclass(frozen=True, slots=True)
class CapsRuling:
    """What was ruled about Caps: who called or was due first, the verdict as one of
    ``correct late early failed missed``, and since when a call was due (None: it never was)."""

    by: Seat
    verdict: str
    since: Phrase | None


@dataclass(frozen=True, slots=True)
class Result:
    """A finished hand: what each side gains or loses, why, and who deals next.

    ``tokens`` and ``points`` (card points in tricks) are by side, or by seat where there are no
    fixed sides (`Options.account`); ``points`` is None where no card was played. ``made`` tells
    whether the bid succeeded; None for a void hand.
    """

    void: bool
    tokens: tuple[int, ...]
    reason: Phrase
    next_dealer: Seat
    points: tuple[int, ...] | None = None
    made: bool | None = None
    caps: CapsRuling | None = None


def void_result(options: Options, reason: Phrase, next_dealer: Seat) -> Result:
    """The result of a hand that nobody scores."""
    return Result(True, (0,) * options.accounts, reason, next_dealer)


def won_and_lost(options: Options, bid: int) -> tuple[int, int]:
    """Tokens for a bid made and a bid failed."""
    if options.score == "online":
        if bid == ALL_POINTS:
            return 10, 7
        return (6, 5) if bid >= options.special else (5, 3)
    if bid >= PCC:
        return 4, 5
    if bid >= options.second:
        return 3, 4
    return (2, 3) if bid >= options.special else (1, 2)


def payment(options: Options, winners: Sequence[Side], amount: int) -> tuple[int, ...]:
    """What each account gains when ``winners`` win ``amount``. Tokens: every loser pays it,
    across or to the bank, and who stands alone against many plays with each of them. Online
    points are won and not paid (option ``score``)."""
    gains = [0] * options.accounts
    losers = [account for account in range(options.accounts) if account not in winners]
    for account in winners:
        gains[account] = 0 if options.match == "bank" else amount
    if options.score == "online":
        return tuple(gains)
    for account in losers:
        gains[account] = -amount
    for alone, many in ((winners, losers), (losers, winners)):
        if len(alone) == 1:
            gains[alone[0]] *= len(many)
    return tuple(gains)


@dataclass(frozen=True, slots=True)
class Match:
    """What each side (or seat) has, and how the match began. Where card points are counted in
    tenths, ``cards`` are those won in the present game and ``games`` the games won."""

    options: Options
    tokens: tuple[int, ...]
    cards: tuple[int, ...]
    games: tuple[int, ...]

    @classmethod
    def start(cls, options: Options) -> Match:
        each = options.tokens if options.match in ("across", "bank") else 0
        nothing = (0,) * options.accounts
        return cls(options, (each,) * options.accounts, nothing, nothing)

    def after(self, result: Result) -> Match:
        """The match after a hand; a side pays what it has (``tokens.short``)."""
        cards, games = self._games(result)
        return Match(self.options, self._paid(result.tokens), cards, games)

    def _paid(self, due: tuple[int, ...]) -> tuple[int, ...]:
        if self.options.match not in ("across", "bank"):
            return tuple(has + more for has, more in zip(self.tokens, due, strict=True))
        # A table can continue another one with less than nothing (SPEC.md, "A seat taken over").
        has_left = [max(0, has) for has in self.tokens]
        paid = [min(max(0, -more), has) for has, more in zip(has_left, due, strict=True)]
        owed, pot = sum(max(0, more) for more in due), sum(paid)
        gains = [max(0, more) * min(pot, owed) // owed if owed else 0 for more in due]
        if owed:
            gains[due.index(max(due))] += min(pot, owed) - sum(gains)
        return tuple(
            has - out + more for has, out, more in zip(self.tokens, paid, gains, strict=True)
        )

    def _games(self, result: Result) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if not self.options.tenths or result.points is None:
            return self.cards, self.games
        cards = [has + more for has, more in zip(self.cards, result.points, strict=True)]
        most = max(cards)
        if most < GAME or cards.count(most) > 1:
            return tuple(cards), self.games
        first = cards.index(most)
        games = tuple(won + (side == first) for side, won in enumerate(self.games))
        return (0,) * len(cards), games

    @property
    def is_over(self) -> bool:
        """A side has no token left, or has the points that win; a session ends by its hands."""
        if self.options.match == "session":
            return False
        if self.options.match == "points":
            return max(self.tokens) >= self.options.tokens
        return min(self.tokens) <= 0

    @property
    def winner(self) -> Side | None:
        """The side that has won, once the match is over: whoever has most."""
        return self.tokens.index(max(self.tokens)) if self.is_over else None
