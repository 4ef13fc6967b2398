"""The strong player: bids as the club player does, and plays what is best in many worlds.

Responsible for the choice of a card. Each legal card is tried in deals that fit what the bot has
seen (worlds.py), by quick play (playout.py), near the end exactly (endgame.py). Where it does not
know a game it plays as the club player.
"""

from __future__ import annotations

from random import Random
from time import monotonic

from p2p304.bots.club import ClubBot
from p2p304.bots.player import Below
from p2p304.bots.search.endgame import Solver, TooLong
from p2p304.bots.search.playout import Table
from p2p304.bots.search.worlds import World, Worlds
from p2p304.rules.caps.bitboard import SUIT_CARDS
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.play.view import View, known_to, legal
from p2p304.rules.state.hand import Hand, Phase

EXACT = 4
"""With so many cards in hand, or fewer, a world is solved exactly."""
MARGIN = 15
"""Card points: a bid that is made, or broken, by so many more counts a little more."""
LEAST = 4
"""Worlds that are tried even when the time is over."""


class StrongBot:
    """Tries ``worlds`` deals for a decision, or as many as it has ``seconds`` for."""

    def __init__(
        self, below: Below, worlds: int = 40, seconds: float = 0.3, infers: bool = True
    ) -> None:
        self._chance, self._worlds, self._seconds = Random(below(1 << 32)), worlds, seconds
        self._infers = infers
        self._club = ClubBot()

    def choose(self, view: View) -> Action:
        usual = self._club.choose(view)
        across = view.hand.options.partner == "across"
        if view.hand.phase is not Phase.PLAY or not isinstance(usual, Play) or not across:
            return usual
        plays = [one for one in legal(view) if isinstance(one, Play)]
        try:
            known = known_to(view)
        except CapsError:
            return usual
        cards = [one.card for one in plays if one.card is not None]
        values = self._values(view, known, cards) if len(cards) > 1 else None
        if values is None:
            return usual
        sign = 1 if (view.seat - known.maker) % 2 == 0 else -1
        best = max(sign * value for value in values)
        able = [play for play, value in zip(plays, values, strict=True) if sign * value == best]
        return usual if usual in able else able[0]

    def _values(self, view: View, known: Knowledge, cards: list[Card]) -> list[float] | None:
        """What each card is worth to the trump maker's side, over the worlds; None if no world was
        found."""
        until, tried, sums = monotonic() + self._seconds, 0, [0.0] * len(cards)
        bid, left = view.hand.bid, len(view.cards) + (view.indicator is not None)
        worlds = Worlds(view, known, self._chance, self._infers)
        for number in range(self._worlds):
            world = worlds.draw()
            if world is None:
                continue
            if number >= LEAST and monotonic() > until:
                break
            start = seated(view, known, world)
            solver = Solver(start.points) if left <= EXACT else None
            tried += 1
            for place, card in enumerate(cards):
                table = start.copied()
                table.play(view.seat, card.bit)
                sums[place] += _worth(table, solver, bid)
        return [total / tried for total in sums] if tried else None


def _worth(table: Table, solver: Solver | None, bid: int) -> float:
    """1 for a bid that is made, a tenth for each margin, and hardly anything for each point."""
    reached, aims = table.copied().finish(), (bid, bid + MARGIN, bid - MARGIN)
    try:
        made, more, less = (_reaches(table, solver, reached, aim) for aim in aims)
    except TooLong:  # then the quick play decides
        made, more, less = (reached >= aim for aim in aims)
    return made + (more + less) / 10 + reached / (100 * sum(table.points.values()))


def _reaches(table: Table, solver: Solver | None, reached: int, aim: int) -> bool:
    return reached >= aim if solver is None else solver.reaches(table, aim)


def seated(view: View, known: Knowledge, world: World) -> Table:
    """The world as it stands at this view."""
    hand = view.hand
    points = {card.bit: n for card, n in hand.options.pack.points.items()}
    plays = [(put.seat, card) for put, card in zip(known.trick, world.trick, strict=True)]
    cuts = [card for put, card in zip(known.trick, world.trick, strict=True) if put.indicator]
    return Table(
        hands=list(world.hands),
        # A cut that still lies face down counts as played: trumps are open with the trick's end.
        indicator=-cuts[0] if cuts and hand.trump is None else world.indicator,
        trump=SUIT_CARDS[world.trump],
        maker=known.maker,
        leader=hand.leader,
        plays=plays,
        points=points,
        won=_won(view, hand, known.maker, world, points),
        first=known.first,
        opens=known.opening,
        exhausted=bool(known.exhausts and known.exhausted >> world.trump & 1),
    )


def _won(
    view: View, hand: Hand, maker: int, world: World, points: dict[int, int]
) -> tuple[int, int]:
    """The points in the tricks so far, of the trump maker's side and of the other."""
    won, laid = [0, 0], iter(world.laid)
    private = {(number, seat): card.bit for number, seat, card in view.known}
    for number, trick in enumerate(hand.completed_tricks):
        for play in trick.plays:
            bit = play.card.bit if play.card else private.get((number, play.seat)) or next(laid)
            if trick.winner is not None:
                won[(trick.winner - maker) % 2] += points[bit]
    return won[0], won[1]
