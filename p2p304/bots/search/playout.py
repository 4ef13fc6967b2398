"""Play to the end of a hand with every card known, by quick rules of thumb.

Responsible for the moves of a world: what may be played, what wins, a sensible choice. The rules
are those of rules/play in the form of sets of bits; tests compare the two.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2p304.rules.caps.bitboard import SUIT_CARDS, WIDTH

POINTED = 20
"""Points in a trick that are worth a trump."""


class Table:
    """A world in play. ``hands`` by seat, the lying ``indicator`` apart (0: trumps are open);
    ``trump`` all cards of the trump suit; ``won`` the card points of the trump maker's side and of
    the other; ``plays`` of the present trick are pairs of seat and card."""

    __slots__ = (
        "first",
        "hands",
        "indicator",
        "leader",
        "led",
        "maker",
        "opens",
        "plays",
        "points",
        "seats",
        "stuck",
        "trump",
        "won",
    )

    def __init__(
        self,
        hands: list[int],
        indicator: int,
        trump: int,
        maker: int,
        leader: int,
        plays: list[tuple[int, int]],
        points: Mapping[int, int],
        won: tuple[int, int],
        first: bool,
        opens: bool,
        exhausted: bool,
    ) -> None:
        self.hands, self.indicator, self.trump = hands, indicator, trump
        self.maker, self.leader, self.plays, self.points = maker, leader, plays, points
        self.seats = len(hands)
        self.won = list(won)
        self.first, self.opens, self.stuck = first, opens, exhausted
        self.led = _suit(plays[0][1]) if plays else 0

    def copied(self) -> Table:
        """The same moment, to be played on apart."""
        after: Table = object.__new__(Table)
        after.hands, after.indicator, after.trump = self.hands[:], self.indicator, self.trump
        after.maker, after.leader, after.plays = self.maker, self.leader, self.plays[:]
        after.points, after.seats, after.won = self.points, self.seats, self.won[:]
        after.first, after.opens, after.stuck = self.first, self.opens, self.stuck
        after.led = self.led
        return after

    def legal(self, seat: int) -> int:
        """The cards that a seat may play, the lying indicator among them."""
        hand, trump = self.hands[seat], self.trump
        lies = self.indicator if seat == self.maker else 0
        if not hand:
            return lies
        if not self.plays:
            if seat == self.maker:
                if self.first and lies and hand & ~trump:
                    return hand & ~trump
                if self.stuck and hand & trump:
                    return hand & trump
            return hand
        follow = hand & self.led
        if follow:
            return follow
        if lies:
            if self.led == trump:
                return hand
            plain = hand & ~trump
            return plain | lies if plain else lies
        return hand

    def best(self) -> tuple[int, int]:
        """The seat and card that win the trick so far."""
        seat, card = self.plays[0]
        trump = self.trump
        for other, one in self.plays:
            if one & trump:
                if not card & trump or one > card:
                    seat, card = other, one
            elif one & self.led and not card & trump and one > card:
                seat, card = other, one
        return seat, card

    def play(self, seat: int, card: int) -> None:
        """A card to the trick; the fourth ends it."""
        if card == self.indicator and seat == self.maker:
            cut = True
        else:
            cut = False
            self.hands[seat] &= ~card
        if not self.plays:
            self.led = _suit(card)
        self.plays.append((seat, card))
        if len(self.plays) < self.seats:
            if cut:
                self.indicator = -card  # played: it lies no more, and trumps open with the trick
            return
        self._end(cut)

    def _end(self, cut: bool) -> None:
        winner, _ = self.best()
        plays, trump, points = self.plays, self.trump, self.points
        total = 0
        for _, card in plays:
            total += points[card]
        self.won[(winner - self.maker) % 2] += total
        if self.indicator:
            if cut or self.indicator < 0:
                self.indicator = 0
            elif self.opens or (self.led != trump and any(card & trump for seat, card in plays)):
                self.hands[self.maker] |= self.indicator
                self.indicator = 0
        if self.leader == self.maker and self.led == trump:
            followed = any(card & trump for seat, card in plays if seat != self.leader)
            self.stuck = self.stuck or not followed
        self.first = self.opens = False
        self.leader, self.plays, self.led = winner, [], 0

    def finish(self) -> int:
        """Play to the end by rules of thumb; returns the points of the trump maker's side."""
        while any(self.hands) or self.indicator > 0:
            seat = (self.leader + len(self.plays)) % self.seats
            able = self.legal(seat)
            self.play(seat, able if not able & (able - 1) else self.choice(seat, able))
        return self.won[0]

    def choice(self, seat: int, able: int) -> int:
        return self._lead(seat, able) if not self.plays else self._answer(seat, able)

    def _lead(self, seat: int, able: int) -> int:
        trump, others = self.trump, 0
        for other, hand in enumerate(self.hands):
            if other != seat:
                others |= hand
        ours = (seat - self.maker) % 2 == 0
        best, value = 0, -1000
        for suit in SUIT_CARDS:
            mine = able & suit
            if not mine:
                continue
            top, against = 1 << mine.bit_length() - 1, others & suit
            low = mine & -mine
            master = top > against
            if suit == trump:
                if master and ours and against:
                    one, worth = top, 40
                elif master and not against:
                    one, worth = top, 5
                else:
                    one, worth = low, -30 if not ours else -10
            elif master:
                cut = others & trump
                one, worth = top, self.points[top] + against.bit_count() * 4 - (12 if cut else 0)
            else:
                one = self._poorest(mine)
                worth = -self.points[one] - 2
            if worth > value:
                best, value = one, worth
        return best

    def _answer(self, seat: int, able: int) -> int:
        winner, card = self.best()
        trump, points = self.trump, self.points
        last = len(self.plays) == self.seats - 1
        friend = (winner - seat) % 2 == 0
        later = 0
        if not last:
            for step in range(1, self.seats - len(self.plays)):
                other = (seat + step) % self.seats
                if (other - seat) % 2:
                    later |= self.hands[other]
        if friend and (last or not self._beaten(card, later)):
            return self._richest(able & ~trump or able)
        if card & trump:
            winning = able & trump & ~(2 * card - 1)
        else:
            winning = (able & self.led & ~(2 * card - 1)) | (able & trump)
        if winning:
            total = sum(points[one] for _, one in self.plays)
            plain = winning & self.led & ~trump if self.led != trump else winning
            if plain:
                top = 1 << plain.bit_length() - 1
                if last:
                    return self._richest(plain)
                if not self._beaten(top, later):
                    return top
            elif total >= POINTED // 2 or (last and total):
                low = winning & trump
                one = low & -low
                if last or not self._beaten(one, later):
                    return one
                return 1 << low.bit_length() - 1
        rest = able & ~trump or able
        return self._poorest(rest)

    def _beaten(self, card: int, later: int) -> bool:
        """Whether an opponent still to play can beat a card, as if all cards were seen."""
        trump = self.trump
        if card & trump:
            if self.led == trump:
                return bool(later & trump & ~(2 * card - 1))
            return bool(later & trump & ~(2 * card - 1)) and not later & self.led
        if later & self.led & ~(2 * card - 1):
            return True
        return bool(later & trump) and not later & self.led

    def _richest(self, cards: int) -> int:
        points, best, value = self.points, 0, -1
        while cards:
            one = cards & -cards
            cards ^= one
            if points[one] > value:
                best, value = one, points[one]
        return best

    def _poorest(self, cards: int) -> int:
        points, best, value = self.points, 0, 1000
        while cards:
            one = cards & -cards
            cards ^= one
            if points[one] < value:
                best, value = one, points[one]
        return best


def _suit(card: int) -> int:
    """All cards of the suit of one card."""
    return SUIT_CARDS[(card.bit_length() - 1) // WIDTH]
