"""Play to the end of a hand with every card known, by quick rules of thumb.

Responsible for the moves of a world: what may be played, what wins, a sensible choice. The rules
are those of rules/play in the form of sets of bits; tests compare the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from p2p304.rules.caps.bitboard import SUIT_CARDS, WIDTH

POINTED = 20
"""Points in a trick that are worth a trump."""


ASKED = WIDTH * len(SUIT_CARDS)
"""A card shifted by so many bits is played after the seat has asked for trumps."""
CARDS = (1 << ASKED) - 1


@dataclass(frozen=True, slots=True)
class Rules:
    """What a world's play obeys and what stays the same in it: the card ``points``, the seats'
    ``side`` (0: the trump maker's), whether trumps are shown when ``asks`` is said rather than
    after a cut, whether exhausted trumps bind (``exhausts``), and what the last trick is worth."""

    points: Mapping[int, int]
    side: tuple[int, ...]
    asks: bool = False
    exhausts: bool = True
    last: int = 0


class Table:
    """A world in play. ``hands`` by seat, the lying ``indicator`` apart (0: trumps are open, below
    0: it was played to this trick); ``trump`` all cards of the trump suit; ``won`` the card points
    of the trump maker's side and of the other; ``plays`` of the present trick are pairs of seat and
    card, of which those in ``dead`` cut nothing; ``pile`` is what is drawn after each trick."""

    __slots__ = (
        "dead", "first", "hands", "indicator", "leader", "led", "maker", "opens", "pile",
        "plays", "points", "rules", "seats", "side", "stuck", "trump", "won",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        hands: list[int],
        indicator: int,
        trump: int,
        maker: int,
        leader: int,
        plays: list[tuple[int, int]],
        won: tuple[int, int],
        first: bool = False,
        opens: bool = False,
        stuck: bool = False,
        dead: int = 0,
        pile: tuple[int, ...] = (),
    ) -> None:
        self.rules, self.points, self.side = rules, rules.points, rules.side
        self.hands, self.indicator, self.trump = hands, indicator, trump
        self.maker, self.leader, self.plays = maker, leader, plays
        self.seats = len(hands)
        self.won = list(won)
        self.first, self.opens, self.stuck = first, opens, stuck
        self.dead, self.pile = dead, pile
        self.led = _suit(plays[0][1]) if plays else 0

    def copied(self) -> Table:
        """The same moment, to be played on apart."""
        after: Table = object.__new__(Table)
        after.rules, after.points, after.side = self.rules, self.points, self.side
        after.hands, after.indicator, after.trump = self.hands[:], self.indicator, self.trump
        after.maker, after.leader, after.plays = self.maker, self.leader, self.plays[:]
        after.seats, after.won = self.seats, self.won[:]
        after.first, after.opens, after.stuck = self.first, self.opens, self.stuck
        after.led, after.dead, after.pile = self.led, self.dead, self.pile
        return after

    def legal(self, seat: int) -> int:
        """The cards that a seat may play, the lying indicator among them; those that it may play
        after asking for trumps are shifted by ASKED."""
        hand, trump = self.hands[seat], self.trump
        lies = self.indicator if seat == self.maker and self.indicator > 0 else 0
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
        if self.rules.asks:
            return hand | ((hand | lies) & trump) << ASKED if self.indicator > 0 else hand
        if lies:
            if self.led == trump:
                return hand
            plain = hand & ~trump
            return plain | lies if plain else lies
        return hand

    def best(self) -> tuple[int, int]:
        """The seat and card that win the trick so far."""
        seat, card = self.plays[0]
        trump = self.trump & ~self.dead
        for other, one in self.plays:
            if one & trump:
                if not card & trump or one > card:
                    seat, card = other, one
            elif one & self.led and not card & trump and one > card:
                seat, card = other, one
        return seat, card

    def play(self, seat: int, card: int) -> None:
        """A card to the trick; the last seat's ends it."""
        if card > CARDS:
            card >>= ASKED
            self.hands[self.maker] |= self.indicator
            self.indicator = 0
        cut = card == self.indicator and seat == self.maker
        if not cut:
            self.hands[seat] &= ~card
        if not self.plays:
            self.led = _suit(card)
        elif self.rules.asks and self.indicator > 0 and not cut and not card & self.led:
            self.dead |= card
        self.plays.append((seat, card))
        if len(self.plays) < self.seats:
            if cut:
                self.indicator = -card  # played: it lies no more, and trumps open with the trick
            return
        self._end(cut)

    def ask(self, seat: int) -> None:
        """Ask for trumps, and play what the rules of thumb say then."""
        self.hands[self.maker] |= self.indicator
        self.indicator = 0
        hand = self.hands[seat]
        able = hand & self.led or hand & self.trump or hand
        self.play(seat, able if not able & (able - 1) else self.choice(seat, able))

    @property
    def is_open(self) -> bool:
        """Whether nothing is left to ask for or to draw."""
        return not self.pile and not (self.rules.asks and self.indicator)

    def cards_left(self) -> int:
        return sum([hand.bit_count() for hand in self.hands]) + (self.indicator > 0)

    def _end(self, cut: bool) -> None:
        winner, _ = self.best()
        plays, trump, points = self.plays, self.trump, self.points
        total = 0
        for _, card in plays:
            total += points[card]
        if self.indicator:
            if cut or self.indicator < 0:
                self.indicator = 0
            elif self.opens or (
                self.led != trump
                and not self.rules.asks
                and any(card & trump for seat, card in plays)
            ):
                self.hands[self.maker] |= self.indicator
                self.indicator = 0
        if self.rules.exhausts and self.leader == self.maker and self.led == trump:
            followed = any(card & trump for seat, card in plays if seat != self.leader)
            self.stuck = self.stuck or not followed
        self.first = self.opens = False
        self.leader, self.plays, self.led, self.dead = winner, [], 0, 0
        if self.pile:
            for step in range(self.seats):
                self.hands[(winner + step) % self.seats] |= self.pile[step]
            self.pile = self.pile[self.seats :]
        elif self.rules.last and not self.indicator and not any(self.hands):
            total += self.rules.last
        self.won[self.side[winner]] += total

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
        if self.indicator > 0 and seat != self.maker:
            others |= self.indicator
        ours = self.side[seat] == 0
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
        side = self.side
        friend = side[winner] == side[seat]
        later = 0
        if not last:
            for step in range(1, self.seats - len(self.plays)):
                other = (seat + step) % self.seats
                if side[other] != side[seat]:
                    later |= self.hands[other]
                    if other == self.maker and self.indicator > 0:
                        later |= self.indicator
        asked, able = able >> ASKED, able & CARDS
        if friend and (last or not self._beaten(card, later)):
            return self._richest(able & ~trump or able)
        if asked:  # only a trump wins, and only after asking for it
            total = sum([points[one] for _, one in self.plays])
            if total >= POINTED // 2 or (last and total):
                return (asked & -asked if last else 1 << asked.bit_length() - 1) << ASKED
            return self._poorest(able & ~trump or able)
        if self.indicator > 0 and self.rules.asks:
            winning = able & self.led & ~(2 * card - 1)
        elif card & trump & ~self.dead:
            winning = able & trump & ~(2 * card - 1)
        else:
            winning = (able & self.led & ~(2 * card - 1)) | (able & trump)
        if winning:
            total = sum([points[one] for _, one in self.plays])
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
        if card & trump & ~self.dead:
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
