"""Worlds: deals of the unseen cards that fit everything a player has seen.

Responsible for drawing them at random. What may lie where comes from rules/caps/from_hand.py, as
for Caps; how likely a trump maker is to have bid on such cards, from inference.py; how likely a
player still holds a card, from card_reading.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from p2p304.bots.search.card_reading import likely_holders
from p2p304.bots.search.inference import Fit, first_cards, fit_to
from p2p304.rules.caps.bitboard import SUIT_CARDS, each, suit_of
from p2p304.rules.caps.knowledge import Knowledge
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View
from p2p304.rules.worlds.position import World

TRIES = 40
"""How often a deal that came to a dead end is begun again."""
DRAWS = 8
"""Of so many deals at most the first that fits the bid is taken."""


class Worlds:
    """The worlds that one view leaves open. ``chance`` draws; without ``infers`` all that are
    possible count alike."""

    def __init__(self, view: View, known: Knowledge, chance: Random, infers: bool = True) -> None:
        self._known, self._chance = known, chance
        self._hints = infers and view.seat != known.maker
        self._fit: Fit = fit_to(view.hand)
        self._first = first_cards(view.hand)
        self._laid_by: list[Seat] = []
        self._played = 0
        private = {(number, seat): card.bit for number, seat, card in view.known}
        self._indicator = 0 if view.hand.indicator is None else view.hand.indicator.bit
        for number, trick in enumerate(view.hand.tricks):
            for play in trick.plays:
                bit = play.card.bit if play.card else private.get((number, play.seat), 0)
                if play.seat == known.maker:
                    self._played |= bit
                    if play.indicator and bit:
                        self._indicator = bit
                if not bit and trick.winner is not None:
                    self._laid_by.append(play.seat)
        pool = known.unseen
        self._likely_holders = likely_holders(view, pool) if infers else {}
        self._suits = [number for number in range(4) if known.trumps >> number & 1]
        self._able = each(pool & sum(SUIT_CARDS[number] for number in self._suits))

    def draw(self) -> World | None:
        """Draw a world; None if none was found."""
        best, most = None, -1.0
        for _ in range(DRAWS):
            world = self._possible()
            if world is None or not self._hints:
                return world
            likely = self._likely(world)
            if self._chance.random() < likely:
                return world
            if likely > most:
                best, most = world, likely
        return best

    def _possible(self) -> World | None:
        for _ in range(TRIES):
            world = self._drawn()
            if world is not None:
                return world
        return None

    def _likely(self, world: World) -> float:
        """How well the trump maker's cards fit its bid: of those it held some were the first."""
        maker = self._known.maker
        indicator = world.indicator or self._indicator
        cards = world.hands[maker] | self._played | world.indicator
        for seat, card in zip(self._laid_by, world.laid, strict=True):
            if seat == maker:
                cards |= card
        for put, card in zip(self._known.trick, world.trick, strict=True):
            if put.seat == maker:
                cards |= card
                if put.indicator:
                    indicator = card
        if not indicator:
            return 1.0
        others = each(cards & ~indicator)
        if len(others) >= self._first:
            others = self._chance.sample(others, self._first - 1)
        return self._fit(sum(others) | indicator, world.trump, indicator)

    def _drawn(self) -> World | None:
        known, chance = self._known, self._chance
        pool, maker, indicator = known.unseen, known.maker, known.lying
        if known.hidden_indicator:
            if not self._able:
                return None
            indicator = chance.choice(self._able)
            trump = suit_of(indicator)
            pool &= ~indicator
        else:
            trump = self._suits[0] if len(self._suits) == 1 else chance.choice(self._suits)
        trumps = SUIT_CARDS[trump]
        hands = [0] * known.seats
        hands[known.seat] = known.mine & ~known.lying
        hands[maker] |= known.shown
        # Each place: its seat (or -1 - number for a card laid), the cards it takes, and how many.
        places: list[list[int]] = []
        free = not self._likely_holders
        for number, barred in enumerate(known.laid):
            places.append([-1 - number, pool & ~trumps & ~_SUITS[barred], 1])
            free = False
        for seat, room in enumerate(known.room):
            if room:
                out = known.barred[seat] | (known.spent & 1 << trump if seat == maker else 0)
                places.append([seat, pool & ~_SUITS[out], room])
                free = free and not out
        for number, put in enumerate(known.trick):
            if not put.card:
                takes = trumps if put.indicator else ~_SUITS[put.barred]
                if put.seat == maker and not put.indicator:
                    takes &= ~trumps
                places.append([-1 - len(known.laid) - number, pool & takes, 1])
                free = False
        cards = each(pool)
        chance.shuffle(cards)
        aside = len(cards) - sum([place[2] for place in places])
        if free:
            at = 0
            for seat, _, room in places:
                hands[seat] |= sum(cards[at : at + room])
                at += room
            pile = tuple(cards[at:])
            found = [0] * len(known.trick)
        else:
            single = [0] * (len(known.laid) + len(known.trick))
            if aside:
                places.append([len(hands), pool, aside])
                hands.append(0)
            likely = self._likely_holders
            if known.hidden_indicator:  # the plays are read as if no suit were trumps
                likely = {one: row for one, row in likely.items() if not one & trumps}
            if not _filled(cards, places, hands, single, chance, likely):
                return None
            pile = tuple(chance.sample(each(hands.pop()), aside)) if aside else ()
            found = single
        drawn = found[len(known.laid) :]
        trick = tuple([put.card or one for put, one in zip(known.trick, drawn, strict=True)])
        return World(tuple(hands), indicator, trump, tuple(found[: len(known.laid)]), trick, pile)


def _filled(
    cards: list[int],
    places: list[list[int]],
    hands: list[int],
    single: list[int],
    chance: Random,
    likely: Mapping[int, Sequence[float]],
) -> bool:
    """Put every card into a place that takes it, those with fewest places first: into ``hands``,
    as ``likely`` as it is with each seat, or ``single``, the places of one card. False at a dead
    end."""
    cards.sort(key=lambda one: sum([1 for place in places if place[1] & one]))
    for one in cards:
        able = [place for place in places if place[1] & one and place[2]]
        if not able:
            return False
        row = likely.get(one, _EVEN)
        weights = [
            place[2] * row[place[0]] if 0 <= place[0] < len(row) else place[2] for place in able
        ]
        (place,) = chance.choices(able, weights)
        place[2] -= 1
        if place[0] < 0:
            single[-1 - place[0]] = one
        else:
            hands[place[0]] |= one
    return True


_EVEN: tuple[float, ...] = ()
_SUITS = tuple(
    sum(SUIT_CARDS[number] for number in range(4) if suits >> number & 1) for suits in range(16)
)
"""All cards of a set of suits."""
