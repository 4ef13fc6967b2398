"""What the others may play, what the caller must, and what a finished trick leaves.

Owns the rules of a trick as view.py has them, for hands that are not fixed yet, and the search
through one trick. It knows no order beyond the next card.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2p304.rules.caps.bits import ALL_SUITS, SUIT_CARDS, WIDTH, suit_of
from p2p304.rules.caps.lines import LIES, MINE, NONE, TAKEN, Line, Lines, Worlds, classes
from p2p304.rules.seats import Seat


class Moves(Lines):
    """One trick further."""

    def finish(
        self, lines: Iterable[Line], rest: int, card: int, first: bool
    ) -> set[Worlds] | None:
        """Every state that these tricks may end in, the caller (who holds ``rest``) playing
        ``card`` where it is still to play; None if the side may lose the trick or the card be
        illegal. ``first``: it is the trick in which the knowledge begins."""
        out: set[Worlds] = set()
        stack, seen = list(lines), set()
        while stack:
            line = stack.pop()
            if line in seen:
                continue
            seen.add(line)
            if line.laid == self.seats:
                if not self.ours[line.holder]:
                    return None
                out.add(self._settle(line, rest & ~card, first))
                continue
            seat = (line.worlds.leader + line.laid) % self.seats
            if seat != self.seat:
                stack.extend(reversed(self._others(line, seat, rest, first)))
                continue
            after = self._own(line, rest, card, first)
            if after is None:
                return None
            stack.append(after)
        return out

    def _own(self, line: Line, rest: int, card: int, first: bool) -> Line | None:
        """The caller's card, None if it is illegal."""
        worlds = line.worlds
        lying = self.known.lying if worlds.indicator == MINE else 0
        if not self._may(line, rest & ~lying, lying, card, first):
            return None
        return self._put(line, worlds._replace(indicator=NONE) if card == lying else worlds, card)

    def _may(self, line: Line, hand: int, lying: int, card: int, first: bool) -> bool:
        worlds, suit = line.worlds, suit_of(card)
        trump = worlds.trump
        if line.led >= 0:
            if hand & SUIT_CARDS[line.led]:
                return suit == line.led and card != lying
            if card == lying:
                return line.led != trump or not hand
            return not lying or suit != trump
        if self.seat != self.maker:
            return True
        if card == lying:
            return not hand
        if first and self.known.first and suit == trump:
            return False
        return not worlds.spent or suit == trump or not hand & SUIT_CARDS[trump]

    def _others(self, line: Line, seat: Seat, rest: int, first: bool) -> list[Line]:
        """Another seat's moves; for an opponent those that may win first."""
        if line.led < 0:
            return self._leads(line, seat, rest, first)
        worlds, led, trump = line.worlds, line.led, line.worlds.trump
        maker = seat == self.maker
        fence = rest | line.best | worlds.shown
        suits = ALL_SUITS & ~(worlds.barred >> 4 * seat)
        room = worlds.room >> 4 * seat & 15
        follow: list[Line] = []
        if room and suits >> led & 1:
            follow = self._from_hand(line, worlds, seat, led, fence)
        extra = maker and (worlds.indicator == TAKEN or worlds.shown != 0)
        if extra and led == trump:
            return follow + self._indicator(line, worlds, fence)
        lies = maker and worlds.indicator == LIES
        void = worlds._replace(barred=worlds.barred | 1 << led << 4 * seat)
        cut: list[Line] = []
        if led != trump and room and suits >> trump & 1 and not lies:
            cut = self._from_hand(line, void, seat, trump, fence)
        if extra or (lies and (led != trump or not room)):
            cut += self._indicator(line, void, fence)
        under = self._discard(line, void, seat, suits & ~(1 << led | 1 << trump)) if room else []
        return follow + under + cut if self.ours[seat] else cut + follow + under

    def _from_hand(
        self, line: Line, worlds: Worlds, seat: Seat, suit: int, fence: int
    ) -> list[Line]:
        """A named card of ``suit`` from the hand."""
        out = []
        for card in self._picks(worlds.pool & SUIT_CARDS[suit], fence, seat):
            after = worlds._replace(pool=worlds.pool ^ card, room=worlds.room - (1 << 4 * seat))
            if self._fits(after):
                out.append(self._put(line, after, card))
        return out

    def _indicator(self, line: Line, worlds: Worlds, fence: int) -> list[Line]:
        """Another trump maker's indicator, lying or taken up."""
        if worlds.shown:
            return [self._put(line, worlds._replace(shown=0), worlds.shown)] * self._fits(worlds)
        out = []
        for card in self._picks(worlds.pool & SUIT_CARDS[worlds.trump], fence, self.maker):
            after = worlds._replace(pool=worlds.pool ^ card, indicator=NONE)
            if self._fits(after):
                out.append(self._put(line, after, card))
        return out

    def _discard(self, line: Line, worlds: Worlds, seat: Seat, suits: int) -> list[Line]:
        """A card of other suits, trumps apart: it is not named."""
        after = worlds._replace(
            room=worlds.room - (1 << 4 * seat), slots=tuple(sorted((*worlds.slots, suits)))
        )
        return [self._under(line, after)] if suits and self._fits(after) else []

    def _leads(self, line: Line, seat: Seat, rest: int, first: bool) -> list[Line]:
        worlds, trump = line.worlds, line.worlds.trump
        maker = seat == self.maker
        fence = rest | worlds.shown
        room = worlds.room >> 4 * seat & 15
        extra = maker and (worlds.indicator == TAKEN or worlds.shown != 0)
        out: list[Line] = []
        for suit in range(len(SUIT_CARDS)) if room else ():
            if worlds.barred >> 4 * seat >> suit & 1:
                continue
            before = worlds
            if maker and suit == trump:
                if first and self.known.first:
                    continue
            elif maker and worlds.spent:
                if extra:
                    continue
                before = worlds._replace(barred=worlds.barred | 1 << trump << 4 * seat)
            out += self._from_hand(line, before, seat, suit, fence)
        if extra or (maker and worlds.indicator == LIES and not room):
            out += self._indicator(line, worlds, fence)
        return out

    def _settle(self, line: Line, rest: int, first: bool) -> Worlds:
        """The worlds after a full trick: shown indicator, exhausted trumps, the next leader."""
        worlds = line.worlds
        kind, trump = worlds.indicator, worlds.trump
        if kind in (LIES, MINE) and (line.cut or (first and self.known.opening)):
            kind = TAKEN if kind == LIES else NONE
        spent = worlds.spent or (
            self.known.exhausts
            and worlds.leader == self.maker
            and line.led == trump
            and not line.followed
        )
        pool = _packed(worlds.pool, rest | worlds.shown)
        return worlds._replace(pool=pool, indicator=kind, spent=spent, leader=line.holder)


def _packed(pool: int, fence: int) -> int:
    """The pool with the cards between two of ``fence`` moved together, so that states which
    differ only by neighbours become one."""
    found = _PACKED.get((pool, fence))
    if found is None:
        found = 0
        for number, cards in enumerate(SUIT_CARDS):
            for group in classes(pool & cards, fence):
                below = fence & cards & ((group & -group) - 1)
                base = max(below.bit_length(), number * WIDTH)
                found |= ((1 << group.bit_count()) - 1) << base
        if len(_PACKED) > 50_000:
            _PACKED.clear()
        _PACKED[pool, fence] = found
    return found


_PACKED: dict[tuple[int, int], int] = {}
