"""Deals that a view before the first lead leaves open.

Responsible for drawing them at random, by what the seat holds and what the others have said, and
for the table on which a bid is played. What a choice comes to is for bids.py, and the teacher;
deals during play are worlds of worlds.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from p2p304.bots import bidding
from p2p304.bots.search.club_play import club_card
from p2p304.bots.search.inference import FLOOR, FORCED_FLOOR, WIDTH, values
from p2p304.bots.search.playout import finish
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER, bits, each
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import HALF_COURT, PCC
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View
from p2p304.rules.state.auction import ALL_POINTS
from p2p304.rules.variants.options import Options
from p2p304.rules.worlds.world_play import WorldPlay, WorldRules

DRAWS = 8
"""Of so many deals at most the first that fits what the others have said is taken."""


@dataclass(frozen=True, slots=True)
class Deal:
    """All cards by seat, those of the first batch, and those that lie aside. ``blind`` says how it
    is played for points: by players who see their own cards alone, or all hands."""

    hands: tuple[int, ...]
    first: tuple[int, ...]
    aside: tuple[int, ...]
    blind: bool = False

    def points(self, table: WorldPlay) -> int:
        """What the trump maker's side reaches on this deal's table; plays it to its end."""
        return finish(table, club_card if self.blind else None)

    def played(self, bid: int) -> tuple[int, ...]:
        """The hands after this bid: after half court no second batch is dealt."""
        return self.first if bid == HALF_COURT else self.hands

    def table(
        self,
        options: Options,
        first: Seat,
        maker: Seat,
        suit: int,
        lies: int,
        bid: int = 0,
        sides: tuple[int, ...] | None = None,
    ) -> tuple[WorldPlay, tuple[int, ...]]:
        """This deal before the first lead, by the seat ``first`` to lead, and every seat's side (0:
        the trump maker's); open trumps where no indicator ``lies``. While a partner who was called
        is not known, the others play each for itself: nobody else knows where they belong."""
        points = {card.bit: n for card, n in options.pack.points.items()}
        trump, asks = SUIT_CARDS[suit], options.hidden == "ask_reveal"
        hands, aside = list(self.played(bid)), list(self.aside)
        side = _sides(options, hands, maker, suit) if sides is None else sides
        hands[maker] &= ~lies
        if options.stock == "exchange":
            poor = [one for one in each(hands[maker] & ~trump) if not points[one]][-2:]
            if aside and len(poor) == len(aside):
                hands[maker] ^= sum(poor) | sum(aside)
        apart = side
        if options.partner == "called" and bid < PCC:
            apart = tuple(of and seat + 1 for seat, of in enumerate(side))
        exhausts = options.exhausted and bid < PCC
        table = WorldPlay(
            WorldRules(points, apart, asks, exhausts, options.last_trick),
            hands,
            lies,
            trump,
            maker,
            maker if maker_leads(options, bid) else first,
            [],
            (0, 0),
            first=lies != 0 and not asks,
            pile=tuple(aside) if options.stock == "draw" else (),
        )
        table.won = [0] * (max(apart) + 1)
        return table, side


def maker_leads(options: Options, bid: int) -> bool:
    """Whether the trump maker leads after this bid."""
    return bid >= PCC or bid == ALL_POINTS == options.pack.total


def lying_indicator(options: Options, cards: int, suit: int, bid: int) -> int:
    """The indicator that lies in the play after this bid: the lowest trump. To win every trick
    trumps are opened, where that is allowed."""
    opens = bid >= PCC and options.open_trump and options.hidden != "ask_reveal"
    return 0 if opens else lowest(cards, suit)


def lowest(cards: int, suit: int) -> int:
    held = cards & SUIT_CARDS[suit]
    return held & -held


class Deals:
    """The deals that a view before the first lead leaves open. What the others have bid, or did not
    bid, says softly what they hold. With lasting partners every other deal is blind: where all see
    all hands the trump maker's opponents gain most, and bids are made less often than at tables."""

    def __init__(self, view: View, chance: Random) -> None:
        hand, self._chance, self._blind = view.hand, chance, False
        self._options, self._seat = hand.options, view.seat
        self._mine = bits(view.held)
        self._rest = each(bits(self._options.pack.cards) & ~self._mine)
        self._needs = list(_said(view))

    def draw(self) -> Deal:
        best, most = None, -1.0
        self._blind = not self._blind and self._options.partner == "across"
        for _ in range(DRAWS):
            deal = self._drawn()
            likely = 1.0
            cards = deal.hands if self._options.bid4 == "courts" else deal.first
            for seat, least, floor in self._needs:
                value = max(values(cards[seat]))
                short = least - value if least > 0 else value + least
                likely *= max(floor, exp(-max(0.0, short) / WIDTH))
            if likely > most:
                best, most = deal, likely
            if self._chance.random() < likely:
                return deal
        if best is None:
            raise LookupError("there is no deal")
        return best

    def _drawn(self) -> Deal:
        options, rest, at = self._options, self._rest, 0
        self._chance.shuffle(rest)
        hands, first = list[int](), list[int]()
        for seat in range(options.seats):
            held = self._mine if seat == self._seat else 0
            early = options.batches[0] - held.bit_count()
            late = options.hand_size - held.bit_count()
            first.append(held | sum(rest[at : at + max(0, early)]))
            hands.append(held | sum(rest[at : at + late]))
            at += late
        return Deal(tuple(hands), tuple(first), tuple(rest[at:]), self._blind)


def _said(view: View) -> Iterator[tuple[Seat, float, float]]:
    """Yield for each other seat that has spoken the value of its cards: what a bid needs at least,
    or (below 0) what a pass before any bid does not exceed; and how unlikely others are. A pass
    where half court alone can be bid says nothing."""
    hand, options, high = view.hand, view.hand.options, 0
    courts = options.seats if options.bid4 == "courts" else 0
    for action in hand.history[courts:]:
        if isinstance(action, acts.LayTrump):
            return
        if isinstance(action, acts.Bid) and action.amount < PCC:
            forced = action.amount == options.bid_min and options.bid_first == "must" and not high
            high = action.amount
            if action.seat != view.seat:
                yield action.seat, need(options, high), FORCED_FLOOR if forced else FLOOR
        elif isinstance(action, acts.Pass) and not high and action.seat != view.seat:
            yield action.seat, -need(options, options.bid_min), FORCED_FLOOR


def need(options: Options, bid: int) -> float:
    """The value of four cards (bidding.py) that a bid needs."""
    bid = bid * 304 // options.pack.total
    return next((least for least, most in reversed(bidding.LADDER) if bid <= most), 960)


def _sides(options: Options, hands: Sequence[int], maker: Seat, suit: int) -> tuple[int, ...]:
    """Every seat's side; a partner is taken to be called by the best card, as club players do."""
    seats = range(options.seats)
    if options.partner == "across":
        return tuple((seat - maker) % 2 for seat in seats)
    mates = {maker}
    if options.partner == "called":
        strength = options.pack.strength
        wanted = max(
            (card for card in options.pack.cards if not card.bit & hands[maker]),
            key=lambda c: (c.rank == "J", SUIT_NUMBER[c.suit] == suit, strength[c], c.name),
        )
        mates |= {seat for seat in seats if hands[seat] & wanted.bit}
    return tuple(int(seat not in mates) for seat in seats)
