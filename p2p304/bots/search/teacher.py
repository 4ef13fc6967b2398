"""The teacher: what every choice of a moment was worth, by what the player could know then.

Responsible for the chance to make the bid and the expected tokens of each choice, and for the
regret of the one that was made. It tries cards and marriages in deals as the strong player does
(strong.py), with its worlds, quick play and exact ends; bids, the indicator and open trumps are
before_play.py's. It sees a view and nothing else, and the same view gives the same figures: deals
are counted, time is not. Its sentences are teacher_phrases.py's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from random import Random
from statistics import fmean, stdev

from p2p304.bots.club import ClubBot
from p2p304.bots.search import before_play
from p2p304.bots.search.before_play import stakes
from p2p304.bots.search.endgame import Solver, TooLong
from p2p304.bots.search.playout import Table
from p2p304.bots.search.position import Position, reading
from p2p304.bots.search.strong import ASK, EXACT
from p2p304.bots.search.worlds import Worlds
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER
from p2p304.rules.caps.knowledge import CapsError
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, LayTrump, Marriage, Play, Reveal
from p2p304.rules.core.cards import Suit
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View, legal

DEALS = 300
"""Deals that are tried for a hint, and for the same moment once the hand is over: one card has one
figure."""
EARLY_DEALS = 200
"""The most deals that are tried before the first lead: each is played whole, some several times."""
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
    """What could be done; in how many of the deals the bid is ``made`` after it, and what this seat
    then gains in each, in tokens (or points of the match)."""

    action: Action
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


def evaluate(
    view: View,
    taken: Action | None = None,
    deals: int = DEALS,
    shown: Collection[tuple[Seat, Suit]] = (),
) -> Evaluation | None:
    """Return what the choices of this moment are worth, by ``deals`` that fit the view; None if
    there is nothing to choose. A marriage among those ``shown`` later is no choice here. Raises
    LookupError for a hand that the search does not know."""
    hand = view.hand
    if hand.turn == view.seat and hand.phase in before_play.PHASES:
        return _before_play(view, taken, min(deals, EARLY_DEALS))
    if hand.phase is not Phase.PLAY or hand.turn != view.seat:
        return None
    options = legal(view)
    actions = [one for one in options if isinstance(one, Play | Reveal)]
    marriages = [
        one
        for one in options
        if isinstance(one, Marriage)
        and (one == taken or ((one.seat, one.suit) not in shown and _is_first_chance(view)))
    ]
    if len(actions) + len(marriages) < 2:
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
    # The bid needs so many points more (or fewer) after a marriage: this one, or none.
    extras = [0, *(40 if one.suit is view.trump else 20 for one in marriages)]
    made = [[0] * len(moves) for _ in extras]
    gains = [[list[int]() for _ in moves] for _ in extras]
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
        aim, paid = position.aim(start), stakes(hand.options, view.seat, hand.bid, start.side)
        defends = start.side[view.seat] != 0
        for seat, suit in _lacking(start):
            without[seat, suit] += 1
        for row, extra in enumerate(extras):
            needs = aim + (extra if defends else -extra)
            for place, is_made in enumerate(_outcomes(start, view.seat, moves, needs)):
                made[row][place] += is_made
                gains[row][place].append(paid[not is_made])
    if not tried:
        raise LookupError("no deal fits what was seen")
    choices = [
        Choice(one, made[0][place], tuple(gains[0][place])) for place, one in enumerate(actions)
    ]
    for row, one in enumerate(marriages, 1):  # the best card follows
        place = max(range(len(moves)), key=lambda n: sum(gains[row][n]))
        choices.append(Choice(one, made[row][place], tuple(gains[row][place])))
    return _evaluation(view, tried, defends, choices, taken, without)


def _before_play(view: View, taken: Action | None, deals: int) -> Evaluation | None:
    if len(legal(view)) < 2:
        return None
    choices = [
        Choice(one, sum(made for made, _ in found), tuple(gain for _, gain in found))
        for one, found in before_play.outcomes(view, deals)
    ]
    if taken is not None and _place([one.action for one in choices], taken) is None:
        raise LookupError("this choice is not known to the search")
    return _evaluation(view, deals, False, choices, taken, {})


def _evaluation(
    view: View,
    deals: int,
    defends: bool,
    choices: Sequence[Choice],
    taken: Action | None,
    without: Mapping[tuple[Seat, Suit], int],
) -> Evaluation:
    options, chosen = view.hand.options, _place([one.action for one in choices], taken)
    least = LEAST_POINTS if options.score == "online" else LEAST_REGRET
    found = tuple(choices)
    return Evaluation(view.seat, view.hand.bid, deals, defends, found, chosen, without, least)


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


def advised(view: View) -> tuple[Action, Evaluation | None]:
    """What a hint advises here, and why: the card that is worth most, of equal ones the club
    player's, and where nothing is found what that player does. LookupError if it does not know the
    game."""
    usual, found = ClubBot().choose(view), None
    if isinstance(usual, Play | Reveal):
        with suppress(LookupError):
            found = evaluate(view, usual)
    return usual if found is None else found.best.action, found


def hint_action(view: View) -> Action:
    """The action alone: what is done for a player whose time is up (``timeout``)."""
    return advised(view)[0]


def _place(actions: Sequence[Action], taken: Action | None) -> int | None:
    """Where the action that was done stands; how a card was laid down does not matter, and of an
    indicator only its suit."""
    for place, one in enumerate(actions):
        match one, taken:
            case (Play(card=card), Play(card=other)) if card is other:
                return place
            case (LayTrump(card=card), LayTrump(card=other)) if card and other:
                if card.suit is other.suit:
                    return place
            case (Reveal(), Reveal()) | (acts.Open(), acts.Open()):
                return place
            case _ if one == taken:
                return place
    return None


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
