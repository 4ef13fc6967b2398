"""The end of a hand, solved exactly with every card known.

Responsible for the search: whether the trump maker's side reaches so many points, when both sides
play as well as they can. The moves are playout.py's.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2p304.bots.search.playout import Table

MOST_NODES = 4000
"""Positions after which a search gives up, and the rules of thumb decide."""


class TooLong(Exception):
    """The search has visited too many positions."""


class Solver:
    """Solves positions of one world; what it has found at the beginning of a trick is kept."""

    def __init__(self, points: Mapping[int, int]) -> None:
        self._points = points
        self._kept: dict[tuple[object, ...], tuple[int, int]] = {}
        self._nodes = 0

    def reaches(self, table: Table, wanted: int) -> bool:
        """Whether the trump maker's side reaches ``wanted`` points in all; raises TooLong."""
        left = sum(self._points[card] for seat, card in table.plays)
        for hand in (*table.hands, max(table.indicator, 0)):
            while hand:
                one = hand & -hand
                hand ^= one
                left += self._points[one]
        return self._search(table, wanted, left)

    def _search(self, table: Table, wanted: int, left: int) -> bool:
        """``left`` are the points not won yet."""
        need = wanted - table.won[0]
        if need <= 0:
            return True
        if need > left:
            return False
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise TooLong
        key: tuple[object, ...] | None = None
        if not table.plays:
            key = (*table.hands, table.indicator, table.leader, table.stuck)
            least, most = self._kept.get(key, (0, left))
            if need <= least:
                return True
            if need > most:
                return False
        seat = (table.leader + len(table.plays)) % table.seats
        ours = (seat - table.maker) % 2 == 0
        able, first = table.legal(seat), 0
        if able & (able - 1):
            first = table.choice(seat, able)
        found = not ours
        rest = able
        while rest:
            one = first if first else rest & -rest
            first = 0
            rest &= ~one
            after = table.copied()
            before = after.won[0] + after.won[1]
            after.play(seat, one)
            gone = after.won[0] + after.won[1] - before
            if self._search(after, wanted, left - gone) is ours:
                found = ours
                break
        if key is not None:
            least, most = self._kept.get(key, (0, left))
            self._kept[key] = (max(least, need), most) if found else (least, min(most, need - 1))
        return found
