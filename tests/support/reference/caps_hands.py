"""Random hands for the Caps tests: quick bidding, one side dealt and playing the high cards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from math import factorial, prod

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.seats import Seat, side
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset

PAGAT = preset("pagat")


@dataclass(frozen=True)
class Moment:
    """One seat at one moment: the arguments of `knowledge`."""

    hand: Hand
    seat: Seat
    cards: frozenset[Card]
    known: dict[tuple[int, Seat], Card]
    indicator: Card | None


def strong_deal(rng: random.Random, options: Options, noise: float) -> list[list[Card]]:
    """Hands of which those of one side, chosen at random, tend to hold the high cards."""
    strength = options.pack.strength
    cards = sorted(options.pack.cards, key=lambda c: -strength[c] + rng.gauss(0, noise))
    half, ours = len(cards) // 2, rng.randrange(2)
    sides = [cards[:half], cards[half:]]
    size = options.tricks
    hands: list[list[Card]] = []
    for one in sides:
        if rng.random() < 0.5:
            rng.shuffle(one)
        else:
            suits = rng.sample(range(4), 4)
            one.sort(key=lambda c: suits[list(type(c.suit)).index(c.suit)] + rng.gauss(0, 0.7))
    for seat in range(options.seats):
        own, place = sides[(seat + ours) % 2], seat // 2
        hand = own[place * size : (place + 1) * size]
        rng.shuffle(hand)
        hands.append(hand)
    return hands


def play(rng: random.Random, referee: Referee) -> Iterator[Referee]:
    """Plays a hand out; yields before the first lead and after every public action since."""
    strength = referee.hand.options.pack.strength
    maker, high = rng.randrange(4), rng.random() < 0.25
    while referee.hand.turn is not None:
        options = referee.legal()
        referee.act(_choose(rng, referee, options, maker, high, strength))
        if referee.hand.phase is Phase.PLAY:
            yield referee


def _choose(
    rng: random.Random,
    referee: Referee,
    options: tuple[Action, ...],
    maker: Seat,
    high: bool,
    strength: object,
) -> Action:
    hand = referee.hand
    if hand.phase is Phase.BID4:
        bids = [a for a in options if isinstance(a, acts.Bid) and a.amount < 300]
        if bids and (hand.turn == maker and not hand.auction.high):
            return bids[0]
        passes = [a for a in options if isinstance(a, acts.Pass)]
        return passes[0] if passes else rng.choice(options)
    if hand.phase is Phase.BID8:
        bids = [a for a in options if isinstance(a, acts.Bid) and a.amount < 300]
        if bids and high and not hand.auction.high:
            return rng.choice(bids)
        passes = [a for a in options if isinstance(a, acts.Pass)]
        return passes[0] if passes else rng.choice(options)
    if hand.phase in (Phase.TRUMP4, Phase.TRUMP8):
        held = referee.held[hand.turn or 0]
        count = {a: sum(c.suit is a.card.suit for c in held) for a in options}  # type: ignore
        return max(options, key=lambda a: count[a] + rng.random())
    plays = [a for a in options if isinstance(a, Play)]
    if not plays or rng.random() < 0.3:
        return rng.choice(options)
    won = [t.winner for t in hand.tricks if t.winner is not None]
    ours = not won or side(won[0]) == side(hand.turn or 0)
    table = hand.options.pack.strength
    plays.sort(key=lambda a: table[a.card] if a.card else 0)
    return plays[-1] if ours else plays[0]


def moments(referee: Referee) -> Iterator[Moment]:
    """What each seat with cards and no trick lost knows now."""
    hand = referee.hand
    for seat in range(hand.options.seats):
        view = referee.view(seat)
        lost = any(t.winner is not None and side(t.winner) != side(seat) for t in hand.tricks)
        if lost or not (view.cards or view.indicator):
            continue
        known = {
            (number, who): card
            for (number, who), card in referee.true_cards.items()
            if hand.tricks[number].by(who) and _knows(hand, number, seat, who)
        }
        cards = view.cards | ({view.indicator} if view.indicator else set())
        yield Moment(hand, seat, frozenset(cards), known, view.indicator)


def _knows(hand: Hand, number: int, seat: Seat, who: Seat) -> bool:
    """Own cards, and as trump maker those inspected in settled tricks."""
    return who == seat or (seat == hand.maker and hand.tricks[number].winner is not None)


def all_orders(cards: frozenset[Card]) -> list[tuple[Card, ...]]:
    return list(permutations(sorted(cards, key=lambda c: c.name)))


def placings(moment: Moment) -> int:
    """How many placings the twin would go through for this moment."""
    hand, seat = moment.hand, moment.seat
    sizes = [hand.cards_left(s) for s in range(hand.options.seats) if s != seat]
    sizes += [
        1
        for number, trick in enumerate(hand.tricks)
        for one in trick.plays
        if one.card is None and (number, one.seat) not in moment.known
    ]
    sizes += [1] * (hand.indicator_down and seat != hand.maker)
    return factorial(sum(sizes)) // prod(factorial(size) for size in sizes)
