"""Measured series: two kinds of bots play every deal both ways round.

Responsible for the pairing of deals and the statistics. The luck of the deal cancels out, because
each side also plays the other side's cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

from p2p304.bots.player import Below, Bot
from p2p304.rules.core.cards import Card
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.scoring import Result
from p2p304.rules.variants.options import Options


@dataclass(frozen=True, slots=True)
class Outcome:
    """Tokens that the first kind won per hand (mean, and half a 95 % interval), and how often a bid
    by either kind was made."""

    deals: int
    tokens: float
    margin: float
    bids: tuple[int, int]
    made: tuple[int, int]


def play_hand(
    options: Options, dealer: int, hands: Sequence[Sequence[Card]], bots: Sequence[Bot]
) -> tuple[Result, int | None]:
    """Play one hand with four bots; returns its result and the trump maker."""
    referee = Referee(options, dealer, hands)
    while (seat := referee.hand.turn) is not None:
        referee.act(bots[seat].choose(referee.view(seat)))
    if referee.hand.result is None:
        raise LookupError("a hand with nobody to act is over")
    return referee.hand.result, referee.hand.maker


def shuffled(options: Options, below: Below) -> list[list[Card]]:
    """Deal four hands from a uniformly shuffled pack."""
    cards = list(options.pack.cards)
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    size = options.tricks
    return [cards[seat * size : (seat + 1) * size] for seat in range(options.seats)]


def series(options: Options, first: Bot, second: Bot, deals: int, below: Below) -> Outcome:
    """Play ``deals`` deals both ways round; ``first`` sits N/S and then E/W."""
    gains: list[float] = []
    bids, made = [0, 0], [0, 0]
    for number in range(deals):
        hands = shuffled(options, below)
        for turn in (0, 1):
            kinds = [first, second] if turn == 0 else [second, first]
            bots = [kinds[seat % 2] for seat in range(options.seats)]
            result, maker = play_hand(options, number % options.seats, hands, bots)
            gains.append(float(result.tokens[turn]))
            if maker is not None and not result.void:
                kind = (maker + turn) % 2
                bids[kind] += 1
                made[kind] += bool(result.made)
    margin = NormalDist().inv_cdf(0.975) * stdev(gains) / len(gains) ** 0.5
    return Outcome(deals, fmean(gains), margin, (bids[0], bids[1]), (made[0], made[1]))
