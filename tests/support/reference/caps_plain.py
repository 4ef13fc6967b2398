"""The twin's lines once more, in plain rules instead of the engine's: the same sets, much sooner.

`surviving` gives what `caps_twin.surviving` gives (a test holds the two together), so that
thousands of moments can be compared. Nothing here is shared with the solver.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.rules.core.cards import Card
from p2p304.rules.core.seats import Seat, side
from p2p304.rules.core.tricks import has_exhausted_trumps
from p2p304.rules.records.referee import Referee

Order = tuple[Card, ...]


@dataclass(frozen=True)
class Table:
    """A world in play: hands, the lying indicator, the present trick as seats and cards."""

    hands: tuple[frozenset[Card], ...]
    lying: Card | None
    closed: bool
    spent: bool
    number: int
    leader: Seat
    plays: tuple[tuple[Seat, Card], ...] = ()


class Plain:
    """All lines of one world, for one caller."""

    def __init__(self, world: Referee, seat: Seat) -> None:
        hand = world.hand
        shown = hand.indicator or world.indicator
        if shown is None or hand.maker is None:
            raise LookupError("a hand in play has an indicator")
        self.seat, self.maker, self.trump = seat, hand.maker, shown.suit
        self.strength, self.shows = hand.options.pack.strength, hand.bid >= 250
        self.began_closed = hand.closed is True
        number = sum(trick.winner is not None for trick in hand.tricks)
        plays = hand.trick.plays if hand.trick else ()
        self.start = Table(
            tuple(frozenset(cards) for cards in world.held),
            world.indicator if hand.indicator_down else None,
            not hand.has_open_trumps,
            has_exhausted_trumps(hand.tricks, hand.maker, self.trump),
            number,
            hand.leader,
            tuple((play.seat, world.true_cards[number, play.seat]) for play in plays),
        )
        self.known: dict[Table, frozenset[Order]] = {}

    def orders(self, table: Table) -> frozenset[Order]:
        """Orders of the caller's cards that lose no trick from here."""
        found = self.known.get(table)
        if found is None:
            full = len(table.plays) == len(table.hands)
            found = self.known[table] = self._settled(table) if full else self._moved(table)
        return found

    def _moved(self, table: Table) -> frozenset[Order]:
        seat = (table.leader + len(table.plays)) % len(table.hands)
        found: frozenset[Order] | None = None
        for card in self._legal(table, seat):
            lying = None if card is table.lying else table.lying
            hands = tuple(cards - {card} for cards in table.hands)
            after = replace(table, hands=hands, lying=lying, plays=(*table.plays, (seat, card)))
            tails = self.orders(after)
            if seat == self.seat:
                found = (found or frozenset()) | {(card, *tail) for tail in tails}
            else:
                found = tails if found is None else found & tails
        return frozenset({()}) if found is None else found

    def _legal(self, table: Table, seat: Seat) -> set[Card]:
        hand = table.hands[seat]
        lying = table.lying if seat == self.maker else None
        trumps = {card for card in hand if card.suit is self.trump}
        if table.plays:
            led = table.plays[0][1].suit
            follow = {card for card in hand if card.suit is led}
            if follow or lying is None:
                return follow or set(hand)
            return set(hand - trumps) | ({lying} if led is not self.trump or not hand else set())
        if lying is not None and not hand:
            return {lying}
        if seat == self.maker and self.began_closed and table.number == 0:
            return set(hand - trumps)
        return trumps if seat == self.maker and table.spent and trumps else set(hand)

    def _settled(self, table: Table) -> frozenset[Order]:
        led = table.plays[0][1].suit
        trumps = [play for play in table.plays if play[1].suit is self.trump]
        ahead = trumps or [play for play in table.plays if play[1].suit is led]
        best = max(ahead, key=lambda play: self.strength[play[1]])[0]
        if side(best) != side(self.seat):
            return frozenset()
        opens = (bool(trumps) and led is not self.trump) or (self.shows and table.number == 0)
        hands, lying = list(table.hands), table.lying
        if table.closed and opens and lying is not None:
            hands[self.maker] |= {lying}
            lying = None
        alone = table.leader == self.maker and led is self.trump and len(trumps) == 1
        return self.orders(
            Table(
                tuple(hands),
                lying,
                table.closed and not opens,
                table.spent or alone,
                table.number + 1,
                best,
            )
        )


def surviving(world: Referee, seat: Seat) -> set[Order]:
    """As `caps_twin.surviving`."""
    tricks = world.hand.tricks
    if any(t.winner is not None and side(t.winner) != side(seat) for t in tricks):
        return set()
    plain = Plain(world, seat)
    return set(plain.orders(plain.start))
