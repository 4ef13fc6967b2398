"""The teacher: what every card of a moment was worth, by what the player could know then.

Responsible for the chance to make the bid and the expected tokens of each choice, and for the
regret of the one that was made. It tries deals as the strong player does (strong.py), with its
worlds, quick play and exact ends. It sees a view and nothing else, and the same view gives the same
figures: deals are counted, time is not. Its sentences are teacher_phrases.py's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from random import Random
from statistics import fmean, stdev

from p2p304.bots.club import ClubBot
from p2p304.bots.search.endgame import Solver, TooLong
from p2p304.bots.search.playout import Table
from p2p304.bots.search.position import Position, reading
from p2p304.bots.search.strong import ASK, EXACT
from p2p304.bots.search.worlds import Worlds
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER
from p2p304.rules.caps.knowledge import CapsError
from p2p304.rules.core.actions import Action, Play, Reveal
from p2p304.rules.core.cards import Suit
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.scoring import payment, won_and_lost

HINT_DEALS, DEALS = 100, 300
"""Deals that are tried for a hint, and for a moment of a hand that is over."""
EXACT_DEALS = 150
"""The most deals that are tried where each is solved: that takes longer, and says more."""
MISSES = 3
"""So many times as many deals are drawn at most, where some fit nothing that was seen."""
LEAST_REGRET, LEAST_POINTS = 0.3, 1.0
"""Tokens, or points of the match: what a choice costs at least to be worth a word."""
CERTAINTY = 2.0
"""So many standard errors must lie between a choice and the best one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A card that could be played, or the question for trumps; in how many of the deals the bid is
    ``made`` after it, and what this seat then gains in each, in tokens (or points of the match)."""

    action: Play | Reveal
    made: int
    gains: tuple[int, ...]

    @property
    def tokens(self) -> float:
        return fmean(self.gains)


@dataclass(frozen=True)
class Evaluation:
    """What the choices of one moment are worth. ``taken`` is the place of the one that was made,
    ``defends`` says that the seat plays against the bid, and ``without`` in how many deals another
    seat has no card of a suit. What costs less than ``least`` is not worth a word."""

    seat: Seat
    bid: int
    deals: int
    defends: bool
    choices: tuple[Choice, ...]
    taken: int | None
    without: Mapping[tuple[Seat, Suit], int]
    least: float = LEAST_REGRET

    @cached_property
    def ranked(self) -> tuple[Choice, ...]:
        """The choices, the best first; of equal ones the one that was made."""
        made = None if self.taken is None else self.choices[self.taken]
        return tuple(sorted(self.choices, key=lambda one: (-sum(one.gains), one is not made)))

    @property
    def best(self) -> Choice:
        return self.ranked[0]

    @property
    def regret(self) -> float:
        """How many tokens the choice that was made costs, beside the best one; 0 if it is best."""
        taken = self.choices[self.taken] if self.taken is not None else self.best
        return self.best.tokens - taken.tokens

    @property
    def is_mistake(self) -> bool:
        """Whether the choice costs enough to be worth a word, and more than chance explains."""
        if self.taken is None or self.regret < self.least or self.deals < 2:
            return False
        pairs = zip(self.best.gains, self.choices[self.taken].gains, strict=True)
        error = stdev(best - taken for best, taken in pairs) / self.deals**0.5
        return bool(self.regret >= CERTAINTY * error)


def evaluate(view: View, taken: Action | None = None, deals: int = DEALS) -> Evaluation | None:
    """Return what the choices of this moment are worth, by ``deals`` that fit the view; None if
    there is no card to choose. Raises LookupError for a hand that the search does not know."""
    hand = view.hand
    if hand.phase is not Phase.PLAY or hand.turn != view.seat:
        return None
    actions = [one for one in legal(view) if isinstance(one, Play | Reveal)]
    if len(actions) < 2:
        return None
    if hand.doubled is not None:
        raise LookupError("a doubled hand is not known to the search")
    try:
        known = reading(view)
    except CapsError as error:  # a contract to win every trick
        raise LookupError("this contract is not known to the search") from error
    cards = [one.card if isinstance(one, Play) else None for one in actions]
    moves = [ASK if card is None else card.bit for card in cards]
    position, worlds = Position(view, known), Worlds(view, known, Random(0))
    made, gains = [0] * len(moves), [list[int]() for _ in moves]
    without, tried, defends = Counter[tuple[Seat, Suit]](), 0, False
    for _ in range(MISSES * deals):
        if tried >= deals:
            break
        world = worlds.draw()
        if world is None:
            continue
        tried += 1
        start = position.table(world)
        if _is_solved(start):
            deals = min(deals, EXACT_DEALS)
        aim, stakes = position.aim(start), _stakes(view, start.side)
        defends = start.side[view.seat] != 0
        for seat, suit in _lacking(start):
            without[seat, suit] += 1
        for place, is_made in enumerate(_outcomes(start, view.seat, moves, aim)):
            made[place] += is_made
            gains[place].append(stakes[not is_made])
    if not tried:
        raise LookupError("no deal fits what was seen")
    choices = tuple(
        Choice(one, made[place], tuple(gains[place])) for place, one in enumerate(actions)
    )
    least = LEAST_POINTS if hand.options.score == "online" else LEAST_REGRET
    chosen = _place(actions, taken)
    return Evaluation(view.seat, hand.bid, tried, defends, choices, chosen, without, least)


def advised(view: View) -> tuple[Action, Evaluation | None]:
    """What a hint advises here, and why: the card that is worth most, of equal ones the club
    player's, and where nothing is found what that player does. LookupError if it does not know the
    game."""
    usual, found = ClubBot().choose(view), None
    if isinstance(usual, Play | Reveal):
        with suppress(LookupError):
            found = evaluate(view, usual, HINT_DEALS)
    return usual if found is None else found.best.action, found


def hint_action(view: View) -> Action:
    """The action alone: what is done for a player whose time is up (``timeout``)."""
    return advised(view)[0]


def _place(actions: Sequence[Play | Reveal], taken: Action | None) -> int | None:
    """Where the action that was done stands; how a card was laid down does not matter."""
    for place, one in enumerate(actions):
        if isinstance(taken, Play) and isinstance(one, Play) and one.card is taken.card:
            return place
        if isinstance(taken, Reveal) and isinstance(one, Reveal):
            return place
    return None


def _stakes(view: View, side: Sequence[int]) -> tuple[int, int]:
    """What this seat gains by a bid that is made, and by one that fails, with these sides."""
    options = view.hand.options
    makers = sorted({options.account(seat) for seat, of in enumerate(side) if of == 0})
    others = [account for account in range(options.accounts) if account not in makers]
    won, lost = won_and_lost(options, view.hand.bid)
    mine = options.account(view.seat)
    return payment(options, makers, won)[mine], payment(options, others, lost)[mine]


def _lacking(table: Table) -> list[tuple[Seat, Suit]]:
    """The seats that have no card of a suit, with the suit."""
    return [
        (seat, suit)
        for seat, hand in enumerate(table.hands)
        for suit, number in SUIT_NUMBER.items()
        if not (hand | (max(table.indicator, 0) if seat == table.maker else 0)) & SUIT_CARDS[number]
    ]


def _is_solved(start: Table) -> bool:
    """Whether so few cards are left that deals are solved exactly."""
    return start.is_open and start.cards_left() <= EXACT


def _outcomes(start: Table, seat: Seat, moves: Sequence[int], aim: int) -> list[bool]:
    """Whether the bid is made in this deal after each move: all of them exactly, or all by quick
    play, so that none has an advantage."""
    tables = []
    for move in moves:
        table = start.copied()
        if move == ASK:
            table.ask(seat)
        else:
            table.play(seat, move)
        tables.append(table)
    if _is_solved(start):
        solver = Solver(start.points)
        with suppress(TooLong):
            return [solver.reaches(table, aim) for table in tables]
    return [table.finish() >= aim for table in tables]
