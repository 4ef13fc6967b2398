"""The end of a hand, solved exactly with every card known.

Responsible for the search: whether the trump maker's side reaches so many points, when both sides
play as well as they can. The moves are those of rules/worlds/world_play.py, done and undone in
place because a search makes very many.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2p304.rules.caps.bitboard import SUIT_CARDS, WIDTH
from p2p304.rules.worlds.world_play import WorldPlay

EXACT = 16
"""With so many cards in all hands together, or fewer, a world is solved exactly."""
MOST_NODES = 6000
"""Positions after which a search gives up, and the rules of thumb decide."""
_SUIT = {1 << bit: SUIT_CARDS[bit // WIDTH] for bit in range(WIDTH * len(SUIT_CARDS))}


class TooLong(Exception):
    """The search has visited too many positions."""


class Solver:
    """Solves positions of one world; what it has found at the beginning of a trick is kept."""

    def __init__(self, points: Mapping[int, int]) -> None:
        self._points = points
        self._kept: dict[tuple[int, ...], tuple[int, int]] = {}
        self._nodes = 0
        self._hands: list[int] = []
        self._indicator = self._trump = self._maker = 0
        self._side: tuple[int, ...] = ()
        self._first = self._opens = self._stuck = self._exhausts = False
        self._last = 0

    def reaches(self, table: WorldPlay, wanted: int) -> bool:
        """Whether the trump maker's side reaches ``wanted`` points in all; raises TooLong."""
        left = sum([self._points[card] for _, card in table.plays])
        on_table = left
        for hand in (*table.hands, max(table.indicator, 0)):
            while hand:
                one = hand & -hand
                hand ^= one
                left += self._points[one]
        self._hands, self._indicator = table.hands[:], table.indicator
        self._trump, self._maker, self._side = table.trump, table.maker, table.side
        self._first, self._opens, self._stuck = table.first, table.opens, table.stuck
        self._exhausts, self._last = table.rules.exhausts, table.rules.last
        left += self._last
        need, played = wanted - table.won[0], len(table.plays)
        if not played:
            return self._lead(table.leader, need, left)
        seat, best = table.best()
        cuts = any(card & table.trump for _, card in table.plays)
        follows = any(card & table.trump for _, card in table.plays[1:])
        return self._answer(
            table.leader, played, table.led, seat, best, on_table, cuts, follows, need, left
        )

    def _lead(self, seat: int, need: int, left: int) -> bool:
        """Whether ``need`` of the ``left`` points come to the trump maker's side, ``seat`` to
        lead."""
        if need <= 0:
            return True
        if need > left:
            return False
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise TooLong
        hands, trump = self._hands, self._trump
        key = (*hands, self._indicator, seat, self._stuck, self._first)
        least, most = self._kept.get(key, (0, left))
        if need <= least:
            return True
        if need > most:
            return False
        hand, lies = hands[seat], self._indicator
        able = hand
        if seat == self._maker:
            if self._first and lies and hand & ~trump:
                able = hand & ~trump
            elif self._stuck and hand & trump:
                able = hand & trump
        ours = self._side[seat] == 0
        found = not ours
        if not hand:
            self._indicator = -lies
            found = self._answer(
                seat, 1, _SUIT[lies], seat, lies, self._points[lies], True, False, need, left
            )
            self._indicator = lies
        else:
            while able:
                one = 1 << able.bit_length() - 1
                able ^= one
                hands[seat] = hand ^ one
                got = self._answer(
                    seat,
                    1,
                    _SUIT[one],
                    seat,
                    one,
                    self._points[one],
                    bool(one & trump),
                    False,
                    need,
                    left,
                )
                if got is ours:
                    found = ours
                    break
            hands[seat] = hand
        least, most = self._kept.get(key, (0, left))
        self._kept[key] = (max(least, need), most) if found else (least, min(most, need - 1))
        return found

    def _answer(
        self,
        leader: int,
        played: int,
        led: int,
        winner: int,
        best: int,
        total: int,
        cuts: bool,
        follows: bool,
        need: int,
        left: int,
    ) -> bool:
        """The same inside a trick of ``total`` points so far, which ``winner`` wins by ``best``;
        ``cuts``: a trump lies in it, ``follows``: after the lead."""
        hands, trump = self._hands, self._trump
        if played == len(hands):
            return self._end(leader, led, winner, total, cuts, follows, need, left)
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise TooLong
        seat = (leader + played) % len(hands)
        hand = hands[seat]
        lies = self._indicator if seat == self._maker and self._indicator > 0 else 0
        able = hand & led
        if not able:
            able = hand & ~trump | lies if lies and led != trump else hand or lies
        ours = self._side[seat] == 0
        points = self._points
        # Cards that win the trick come first, the highest of them; then the others, the lowest.
        if best & trump:
            wins = able & trump & ~(2 * best - 1)
        else:
            wins = able & ((led & ~(2 * best - 1)) | trump)
        rest = able & ~wins
        while wins or rest:
            if wins:
                one = 1 << wins.bit_length() - 1
                wins ^= one
                now, card = seat, one
            else:
                one = rest & -rest
                rest ^= one
                now, card = winner, best
            if one == lies:
                self._indicator = -lies
            else:
                hands[seat] = hand ^ one
            got = self._answer(
                leader,
                played + 1,
                led,
                now,
                card,
                total + points[one],
                cuts or bool(one & trump),
                follows or bool(one & trump),
                need,
                left,
            )
            hands[seat] = hand
            if one == lies:
                self._indicator = lies
            if got is ours:
                return ours
        return not ours

    def _end(
        self,
        leader: int,
        led: int,
        winner: int,
        total: int,
        cuts: bool,
        follows: bool,
        need: int,
        left: int,
    ) -> bool:
        """The same at the end of a trick."""
        kept = self._indicator, self._stuck, self._first, self._opens
        hands, taken = self._hands, 0
        if self._indicator:
            if self._indicator < 0:
                self._indicator = 0
            elif self._opens or (led != self._trump and cuts):
                taken, self._indicator = self._indicator, 0
                hands[self._maker] |= taken
        if self._exhausts and leader == self._maker and led == self._trump and not follows:
            self._stuck = True
        self._first = self._opens = False
        if not any(hands) and not self._indicator:
            total += self._last
        gain = total if self._side[winner] == 0 else 0
        found = self._lead(winner, need - gain, left - total)
        hands[self._maker] &= ~taken
        self._indicator, self._stuck, self._first, self._opens = kept
        return found
