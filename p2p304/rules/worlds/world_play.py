"""A world in play: every card known, as sets of bits, for searches.

Responsible for the moves: what may be played, what wins, what the end of a trick does. The rules
are those of rules/play in the form of sets of bits; tests compare the two. How a world follows from
a view is position.py's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2p304.rules.caps.bitboard import SUIT_CARDS, WIDTH
from p2p304.rules.core.seats import Seat

ASKED = WIDTH * len(SUIT_CARDS)
"""A card shifted by so many bits is played after the seat has asked for trumps."""
CARDS = (1 << ASKED) - 1
Key = tuple[
    tuple[int, ...], int, int, tuple[tuple[int, int], ...], bool, bool, bool, int, tuple[int, ...]
]


@dataclass(frozen=True, slots=True)
class WorldRules:
    """What a world's play obeys and what stays the same in it: the card ``points``, the seats'
    ``side`` (0: the trump maker's), whether trumps are shown when ``asks`` is said rather than
    after a cut, whether exhausted trumps bind (``exhausts``), and what the last trick is worth."""

    points: Mapping[int, int]
    side: tuple[int, ...]
    asks: bool = False
    exhausts: bool = True
    last: int = 0


class WorldPlay:
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
        rules: WorldRules,
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
        self.led = suit_cards(plays[0][1]) if plays else 0

    def copied(self) -> WorldPlay:
        """The same moment, to be played on apart."""
        after: WorldPlay = object.__new__(WorldPlay)
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
            if self.indicator <= 0:
                return hand
            held = hand | lies
            return hand | (held & trump or held) << ASKED
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
            self.led, self.first = suit_cards(card), False
        elif self.rules.asks and self.indicator > 0 and not cut and not card & self.led:
            self.dead |= card
        self.plays.append((seat, card))
        if cut:
            # Face down it lies no more, and trumps open with the trick; face up they are open.
            self.indicator = 0 if self.rules.asks or card & self.led else -card
        if len(self.plays) == self.seats:
            self._end()

    @property
    def key(self) -> Key:
        """What the rest of the play depends on: worlds of one deal with equal keys go on alike."""
        return (
            tuple(self.hands), self.indicator, self.leader, tuple(self.plays),
            self.first, self.opens, self.stuck, self.dead, self.pile,
        )  # fmt: skip

    def undo(self, key: Key, won: Sequence[int]) -> None:
        """Take back the plays since the moment that had this ``key`` and these points ``won``."""
        hands, self.indicator, self.leader, plays, *flags, self.dead, self.pile = key
        self.first, self.opens, self.stuck = flags
        self.hands, self.plays, self.won = list(hands), list(plays), list(won)
        self.led = suit_cards(plays[0][1]) if plays else 0

    @property
    def is_open(self) -> bool:
        """Whether nothing is left to ask for or to draw."""
        return not self.pile and not (self.rules.asks and self.indicator)

    def cards_left(self) -> int:
        return sum([hand.bit_count() for hand in self.hands]) + (self.indicator > 0)

    def _end(self) -> None:
        winner, _ = self.best()
        plays, trump, points = self.plays, self.trump, self.points
        total = 0
        for _, card in plays:
            total += points[card]
        if self.indicator:
            if self.indicator < 0:
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
        self.opens = False
        self.leader, self.plays, self.led, self.dead = winner, [], 0, 0
        if self.pile:
            for step in range(self.seats):
                self.hands[(winner + step) % self.seats] |= self.pile[step]
            self.pile = self.pile[self.seats :]
        elif self.rules.last and not self.indicator and not any(self.hands):
            total += self.rules.last
        self.won[self.side[winner]] += total


def suit_cards(card: int) -> int:
    """All cards of the suit of one card."""
    return SUIT_CARDS[(card.bit_length() - 1) // WIDTH]


def without_idle_seats(table: WorldPlay, playing: Sequence[Seat]) -> WorldPlay:
    """The same moment without the seats that do not play; seats are places in ``playing``."""
    place, rules = {seat: number for number, seat in enumerate(playing)}, table.rules
    return WorldPlay(
        WorldRules(rules.points, tuple(table.side[s] for s in playing), rules.asks, rules.exhausts),
        [table.hands[seat] for seat in playing],
        table.indicator,
        table.trump,
        place[table.maker],
        place[table.leader],
        [(place[seat], card) for seat, card in table.plays],
        (0, 0),
        table.first,
        table.opens,
        table.stuck,
        table.dead,
        table.pile,
    )
