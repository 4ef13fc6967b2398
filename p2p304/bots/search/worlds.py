"""Worlds: deals of the unseen cards that fit everything a player has seen.

Responsible for drawing them at random. What may lie where comes from rules/caps/from_hand.py, as
for Caps; how likely a trump maker is to have bid on such cards, from bidding.py's values.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.bots.player import Below
from p2p304.rules.caps.bitboard import SUIT_CARDS, each
from p2p304.rules.caps.knowledge import Knowledge

TRIES = 12
"""How often a deal that came to a dead end is begun again."""


@dataclass(frozen=True, slots=True)
class World:
    """One deal: cards by seat (the lying indicator apart), the indicator where it lies face down
    (else 0), the trump suit's number, the cards that lie unknown in past tricks, and those of the
    present trick."""

    hands: tuple[int, ...]
    indicator: int
    trump: int
    laid: tuple[int, ...]
    trick: tuple[int, ...]


def sample(known: Knowledge, below: Below) -> World | None:
    """Draw a world; None if none was found."""
    suits = [number for number in range(4) if known.trumps >> number & 1]
    for _ in range(TRIES):
        world = _drawn(known, suits[below(len(suits))], below)
        if world is not None:
            return world
    return None


def _drawn(known: Knowledge, trump: int, below: Below) -> World | None:
    pool, maker, trumps = known.unseen, known.maker, SUIT_CARDS[trump]
    indicator = known.lying
    if known.hidden_indicator:
        able = each(pool & trumps)
        if not able:
            return None
        # Of two the lower: hardly anybody lays a high card down.
        indicator = min(able[below(len(able))], able[below(len(able))])
        pool &= ~indicator
    hands = [0] * known.seats
    hands[known.seat] = known.mine & ~known.lying
    hands[maker] |= known.shown
    # Each place: its seat (or -1 - number for a card laid), the cards it takes, and how many.
    places: list[list[int]] = []
    for number, barred in enumerate(known.laid):
        places.append([-1 - number, pool & ~trumps & ~_suits(barred), 1])
    for seat, room in enumerate(known.room):
        if room:
            out = known.barred[seat] | (known.spent & 1 << trump if seat == maker else 0)
            places.append([seat, pool & ~_suits(out), room])
    for number, put in enumerate(known.trick):
        if not put.card:
            takes = trumps if put.indicator else ~_suits(put.barred)
            if put.seat == maker and not put.indicator:
                takes &= ~trumps
            places.append([-1 - len(known.laid) - number, pool & takes, 1])
    found = _filled(pool, places, hands, len(known.laid) + len(known.trick), below)
    if found is None:
        return None
    laid = tuple(found[: len(known.laid)])
    drawn = found[len(known.laid) :]
    trick = tuple(put.card or one for put, one in zip(known.trick, drawn, strict=True))
    return World(tuple(hands), indicator, trump, laid, trick)


def _filled(
    pool: int, places: list[list[int]], hands: list[int], count: int, below: Below
) -> list[int] | None:
    """Put every card of the pool into a place that takes it, those with fewest places first;
    returns the cards of the places that are no hands."""
    single = [0] * count
    cards = each(pool)
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    cards.sort(key=lambda one: sum(1 for place in places if place[1] & one))
    for one in cards:
        able = [place for place in places if place[1] & one and place[2]]
        total = sum(place[2] for place in able)
        if not total:
            return None
        at = below(total)
        for place in able:
            at -= place[2]
            if at < 0:
                place[2] -= 1
                if place[0] < 0:
                    single[-1 - place[0]] = one
                else:
                    hands[place[0]] |= one
                break
    return single


def _suits(numbers: int) -> int:
    """All cards of a set of suits."""
    return sum(SUIT_CARDS[number] for number in range(4) if numbers >> number & 1)
