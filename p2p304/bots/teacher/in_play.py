"""What a player's choices in play are worth: cards, asking for trumps, marriages, and double.

Responsible for trying each choice in the same deals, with the strong player's worlds, quick play
and exact ends (strong.py), or all_tricks.py where every trick must be won. The teacher compares the
choices (evaluation.py). After a marriage, or double, the card follows that is best in all these
deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from p2p304.bots.search.all_tricks import all_tricks_won, is_lost
from p2p304.bots.search.endgame import EXACT, Solver, TooLong
from p2p304.bots.search.playout import ASK, finish, tables_after
from p2p304.bots.search.worlds import Worlds
from p2p304.bots.teacher.before_play import stakes
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Double, Marriage, Play, Reveal
from p2p304.rules.core.cards import Suit
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View, legal
from p2p304.rules.worlds.position import Position, reading_of_any
from p2p304.rules.worlds.world_play import WorldPlay

MISSES = 3
"""So many times as many deals are drawn at most, where some fit nothing that was seen."""


@dataclass(slots=True)
class Tally:
    """In how many deals the bid is ``made`` after each move, and what this seat then ``gains``."""

    made: list[int]
    gains: list[list[int]]

    @classmethod
    def of(cls, moves: int) -> Tally:
        return cls([0] * moves, [[] for _ in range(moves)])

    def add(self, outcomes: Sequence[bool], paid: tuple[int, int]) -> None:
        for place, is_made in enumerate(outcomes):
            self.made[place] += is_made
            self.gains[place].append(paid[not is_made])

    def of_move(self, place: int) -> tuple[int, tuple[int, ...]]:
        return self.made[place], tuple(self.gains[place])

    def of_best(self) -> tuple[int, tuple[int, ...]]:
        return self.of_move(max(range(len(self.made)), key=lambda n: sum(self.gains[n])))


@dataclass(slots=True)
class Trial:
    """What was found in ``deals`` deals: for each choice how often the bid is made, and the gains
    of this seat. It ``defends`` if it plays against the bid; ``without``: in how many deals another
    seat has no card of a suit."""

    deals: int = 0
    defends: bool = False
    without: Counter[tuple[Seat, Suit]] = field(default_factory=Counter)
    choices: list[tuple[Action, tuple[int, tuple[int, ...]]]] = field(default_factory=list)


def trial(
    view: View,
    taken: Action | None,
    deals: int,
    exact_deals: int,
    shown: Collection[tuple[Seat, Suit]],
) -> Trial | None:
    """Try the choices of this moment in ``deals`` deals, or in ``exact_deals`` where each is
    solved; None if there is nothing to choose. Raises LookupError if no deal fits."""
    hand, options = view.hand, legal(view)
    cards = [one for one in options if isinstance(one, Play | Reveal)]
    marriages = [one for one in options if isinstance(one, Marriage)]
    marriages = [one for one in marriages if one == taken or _is_new(view, one, shown)]
    doubles = [one for one in options if isinstance(one, Double)]
    sweeper = hand.maker if hand.bids_all_tricks else hand.doubled
    if sweeper is not None:
        if is_lost(hand, sweeper):
            return None
        marriages = []
    if len(cards) + len(marriages) + len(doubles) < 2:
        return None
    known = reading_of_any(view)
    moves = [ASK if isinstance(one, Reveal) or one.card is None else one.card.bit for one in cards]
    position, found = Position(view, known), Trial()
    usual, every = Tally.of(len(moves)), Tally.of(len(moves))
    after = [Tally.of(len(moves)) for _ in marriages]
    for start in _starts(view, position, Worlds(view, known, Random(0)), MISSES * deals):
        if found.deals >= (min(deals, exact_deals) if _is_solved(start) else deals):
            break
        found.deals += 1
        found.defends = start.side[view.seat] != 0
        found.without.update(_lacking(start))
        if sweeper is not None or doubles:
            seat = view.seat if sweeper is None else sweeper
            side = start.side[seat]
            makes = [one is (side == 0) for one in all_tricks_won(view, start, side, moves)]
            said = None if hand.bids_all_tricks else start.side[seat] == 0
            every.add(makes, stakes(hand.options, view.seat, hand.bid, start.side, said))
        if sweeper is not None:
            continue
        aim, paid = position.aim(start), stakes(hand.options, view.seat, hand.bid, start.side)
        usual.add(_outcomes(start, view.seat, moves, aim), paid)
        for one, tally in zip(marriages, after, strict=True):
            # The bid needs so many points more (or fewer) after a marriage.
            worth = 40 if one.suit is view.trump else 20
            needs = aim + (worth if found.defends else -worth)
            tally.add(_outcomes(start, view.seat, moves, needs), paid)
    if not found.deals:
        raise LookupError("no deal fits what was seen")
    counted = usual if sweeper is None else every
    found.choices += [(one, counted.of_move(place)) for place, one in enumerate(cards)]
    found.choices += [(one, tally.of_best()) for one, tally in zip(marriages, after, strict=True)]
    found.choices += [(one, every.of_best()) for one in doubles]
    return found


def _starts(view: View, position: Position, worlds: Worlds, most: int) -> Iterator[WorldPlay]:
    """Draw at most so many deals that fit the view, and yield each at its moment."""
    for _ in range(most):
        world = worlds.draw()
        if world is not None:
            yield position.table(world)


def _is_new(view: View, one: Marriage, shown: Collection[tuple[Seat, Suit]]) -> bool:
    return (one.seat, one.suit) not in shown and _is_first_chance(view)


def _is_first_chance(view: View) -> bool:
    """Whether this seat, on lead, has not led before since trumps are open: what it could have
    shown then is told there."""
    plays = 0
    for action in view.hand.history:
        is_open = isinstance(action, acts.Open | acts.Show) or (
            isinstance(action, acts.Announce) and action.indicator is not None
        )
        if is_open:
            break
        plays += isinstance(action, Play)
    seats = len(view.hand.playing)
    return not any(
        trick.leader == view.seat and number * seats >= max(1, plays)
        for number, trick in enumerate(view.hand.completed_tricks)
    )


def _lacking(table: WorldPlay) -> list[tuple[Seat, Suit]]:
    """The seats that have no card of a suit, with the suit."""
    return [
        (seat, suit)
        for seat, hand in enumerate(table.hands)
        for suit, number in SUIT_NUMBER.items()
        if not (hand | (max(table.indicator, 0) if seat == table.maker else 0)) & SUIT_CARDS[number]
    ]


def _is_solved(start: WorldPlay) -> bool:
    """Whether so few cards are left that deals are solved exactly."""
    return start.is_open and start.cards_left() <= EXACT


def _outcomes(start: WorldPlay, seat: Seat, moves: Sequence[int], aim: int) -> list[bool]:
    """Whether the bid is made in this deal after each move: all of them exactly, or all by quick
    play, so that none has an advantage."""
    tables = tables_after(start, seat, moves)
    if _is_solved(start):
        solver = Solver(start.points)
        with suppress(TooLong):
            return [solver.reaches(table, aim) for table in tables]
    return [finish(table) >= aim for table in tables]
