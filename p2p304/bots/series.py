"""Measured series: two kinds of bots play every deal, each in the other's place too.

Responsible for the pairing of deals and the statistics. The luck of the deal cancels out, because
each kind also plays the other kind's cards. Claims are bots/claims.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

from p2p304.bots.claims import claim_due
from p2p304.bots.player import Below, Bot
from p2p304.rules.core.cards import Card
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.scoring import Result
from p2p304.rules.variants.options import Options


@dataclass(frozen=True, slots=True)
class Outcome:
    """Tokens that the first kind won per hand (mean, and half a 95 % interval over the deals), and
    how often a bid by either kind was made."""

    deals: int
    tokens: float
    margin: float
    bids: tuple[int, int]
    made: tuple[int, int]


def play_hand(
    options: Options,
    dealer: int,
    hands: Sequence[Sequence[Card]],
    bots: Sequence[Bot],
    pile: Sequence[Card] = (),
) -> tuple[Result, int | None]:
    """Play one hand, a bot for each seat; returns its result and the trump maker. Caps and spoilt
    trumps are called as soon as they are due, as at a table."""
    referee = Referee(options, dealer, hands, pile)
    while (seat := referee.hand.turn) is not None:
        claim = claim_due(referee)
        referee.act(bots[seat].choose(referee.view(seat)) if claim is None else claim)
    if referee.hand.result is None:
        raise LookupError("a hand with nobody to act is over")
    return referee.hand.result, referee.hand.maker


def shuffled(options: Options, below: Below) -> list[list[Card]]:
    """Deal the hands from a uniformly shuffled pack; what is left over comes last."""
    cards = list(options.pack.cards)
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    size, seats = options.hand_size, options.seats
    dealt = [cards[seat * size : (seat + 1) * size] for seat in range(seats)]
    return [*dealt, cards[seats * size :]] if options.stock_size else dealt


def seatings(options: Options) -> tuple[frozenset[int], ...]:
    """The seats of the first kind, one set for each time that a deal is played: every other seat,
    or where there are no lasting partners each seat alone."""
    seats = options.seats
    if options.partner != "across":
        return tuple(frozenset((seat,)) for seat in range(seats))
    return tuple(frozenset(range(which, seats, 2)) for which in (0, 1))


def gain(options: Options, tokens: Sequence[int], mine: frozenset[int]) -> float:
    """What the first kind's seats won of the others': half the difference of the means."""
    own = fmean(tokens[options.account(seat)] for seat in mine)
    rest = [seat for seat in range(options.seats) if seat not in mine]
    return (own - fmean(tokens[options.account(seat)] for seat in rest)) / 2


def series(
    options: Options,
    first: Bot,
    second: Bot,
    deals: int,
    below: Below,
    on_deal: Callable[[int], object] = lambda played: None,
) -> Outcome:
    """Play ``deals`` deals; in each ``first`` sits in every place once. ``on_deal`` is told after
    each how many are played."""
    means: list[float] = []
    bids, made = [0, 0], [0, 0]
    for number in range(deals):
        dealt = shuffled(options, below)
        hands, pile = dealt[: options.seats], dealt[options.seats :]
        gains = []
        for mine in seatings(options):
            bots = [first if seat in mine else second for seat in range(options.seats)]
            dealer = number % options.seats
            result, maker = play_hand(options, dealer, hands, bots, pile[0] if pile else ())
            gains.append(gain(options, result.tokens, mine))
            if maker is not None and not result.void:
                kind = int(maker not in mine)
                bids[kind] += 1
                made[kind] += bool(result.made)
        means.append(fmean(gains))
        on_deal(number + 1)
    margin = NormalDist().inv_cdf(0.975) * stdev(means) / len(means) ** 0.5
    return Outcome(deals, fmean(means), margin, (bids[0], bids[1]), (made[0], made[1]))
