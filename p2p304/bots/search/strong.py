"""The strong player: bids as the club player does, and plays what is best in many worlds.

Responsible for the choice of a card: each legal card is played out in deals that fit what the bot
has seen, and the one with which the own side reaches its aim most often is chosen. Where it does not
know a game it plays as the club player.
"""

from __future__ import annotations

from p2p304.bots.club import ClubBot
from p2p304.bots.player import Below
from p2p304.bots.search.endgame import Solver, TooLong
from p2p304.bots.search.playout import Table
from p2p304.bots.search.worlds import World, sample
from p2p304.rules.caps.from_hand import knowledge
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase

EXACT = 4
"""Cards in hand from which on a world is solved exactly."""
MARGIN = 15
"""Card points: a bid that is made, or broken, by so many more counts a little more."""


class StrongBot:
    """``worlds`` are how many deals it plays out for a decision."""

    def __init__(self, below: Below, worlds: int = 24) -> None:
        self._below, self._worlds, self._club = below, worlds, ClubBot()

    def choose(self, view: View) -> Action:
        if view.hand.phase is not Phase.PLAY:
            return self._club.choose(view)
        options = legal(view)
        plays = [one for one in options if isinstance(one, Play) and one.card is not None]
        if len(plays) != len(options) or len(plays) == 1:
            return self._club.choose(view)
        try:
            known = knowledge(
                view.hand, view.seat, view.cards, {(n, s): c for n, s, c in view.known}, view.indicator
            )
        except CapsError:
            return self._club.choose(view)
        values = self._values(view, known, plays)
        if values is None:
            return self._club.choose(view)
        mine = (view.seat - known.maker) % 2 == 0
        sign = 1 if mine else -1
        fallback = self._club.choose(view)
        return max(plays, key=lambda one: (sign * values[plays.index(one)], one == fallback))

    def _values(self, view: View, known: Knowledge, plays: list[Play]) -> list[float] | None:
        """For each play the mean worth to the trump maker's side."""
        hand = view.hand
        bid, sums, done = hand.bid, [0.0] * len(plays), 0
        size = len(view.cards) + (view.indicator is not None)
        for _ in range(self._worlds):
            world = sample(known, self._below)
            if world is None:
                continue
            done += 1
            start = seated(view, known, world)
            solver = Solver(start.points) if size <= EXACT else None
            for number, play in enumerate(plays):
                if play.card is None:
                    raise LookupError("a play of one's own has a card")
                table = start.copied()
                table.play(view.seat, play.card.bit)
                sums[number] += self._worth(table, solver, bid)
        return [total / done for total in sums] if done else None

    def _worth(self, table: Table, solver: Solver | None, bid: int) -> float:
        if solver is not None:
            try:
                made = solver.reaches(table, bid)
                wanted = bid + MARGIN if made else bid - MARGIN
                more = solver.reaches(table, wanted)
                worth = (1.1 + 0.1 * more) if made else 0.1 * more
                return worth + table.finish() / 30400
            except TooLong:
                pass
        reached = table.finish()
        return (
            (reached >= bid)
            + 0.1 * ((reached >= bid + MARGIN) + (reached >= bid - MARGIN))
            + reached / 30400
        )


def seated(view: View, known: Knowledge, world: World) -> Table:
    """The world as it stands at this view."""
    from p2p304.rules.caps.bitboard import SUIT_CARDS

    hand = view.hand
    points = {card.bit: n for card, n in hand.options.pack.points.items()}
    won = [0, 0]
    laid = iter(world.laid)
    privately = {(n, s): c.bit for n, s, c in view.known}
    for number, trick in enumerate(hand.completed_tricks):
        total = 0
        for play in trick.plays:
            bit = play.card.bit if play.card else privately.get((number, play.seat)) or next(laid)
            total += points[bit]
        if trick.winner is not None:
            won[(trick.winner - known.maker) % 2] += total
    hands = list(world.hands)
    plays = [(put.seat, card) for put, card in zip(known.trick, world.trick, strict=True)]
    cuts = [card for put, card in zip(known.trick, world.trick, strict=True) if put.indicator]
    indicator = -cuts[0] if cuts and hand.trump is None else world.indicator
    return Table(
        hands,
        indicator,
        SUIT_CARDS[world.trump],
        known.maker,
        hand.leader,
        plays,
        points,
        (won[0], won[1]),
        known.first,
        known.opening,
        bool(known.exhausted >> world.trump & 1) and known.exhausts,
    )
