"""What the others may play, what the caller must play, and what a finished trick leaves.

Responsible for the rules of a trick, as legality/own_card_checks.py and legality/public_checks.py
have them, for hands that are not fixed yet, and for the search through one trick. Orders of more
than one card are left to solver.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from p2p304.rules.caps.bitboard import ALL_SUITS, SUIT_CARDS, WIDTH, suit_of
from p2p304.rules.caps.lines import LIES, MINE, NONE, TAKEN, Line, Lines, Worlds, classes
from p2p304.rules.core.seats import Seat

LOOKED_AT = 3
"""How many ends of a trick are looked at before the others are gone through."""


class Moves(Lines):
    """One trick further."""

    def finish(
        self, lines: Iterable[Line], rest: int, card: int, first: bool
    ) -> set[Worlds] | None:
        """Every state that these tricks may end in, the caller (who holds ``rest``) playing
        ``card`` where it is still to play; None if the side may lose the trick or the card be
        illegal, or if one of the first states seen is `is_hopeless`. ``first``: it is the trick in
        which the knowledge begins."""
        out: set[Worlds] = set()
        seen: set[Line] = set()
        stack = [iter(lines)]
        while stack:
            line = next(stack[-1], None)
            if line is None:
                stack.pop()
                continue
            if line in seen:
                continue
            seen.add(line)
            if line.laid == self.seats:
                if not self.ours[line.holder]:
                    return None
                worlds = self._settle(line, rest & ~card, first)
                out.add(worlds)
                if len(out) <= LOOKED_AT and self.is_hopeless(worlds, rest & ~card):
                    return None
                continue
            seat = (line.worlds.leader + line.laid) % self.seats
            if seat != self.seat:
                stack.append(self._others(line, seat, rest, first))
                continue
            worlds = line.worlds
            lying = self.known.lying if worlds.indicator == MINE else 0
            if not self._may(line, rest & ~lying, lying, card):
                return None
            stack.append(iter((self._put(line, worlds, card),)))
        return out

    def is_hopeless(self, worlds: Worlds, rest: int) -> bool:
        """Whether it is plain that no order of ``rest`` wins from here."""
        return False

    def _may(self, line: Line, hand: int, lying: int, card: int) -> bool:
        """Whether the caller may play this card now; its first lead `solver.py` judges."""
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
        return not worlds.spent or suit == trump or not hand & SUIT_CARDS[trump]

    def _others(self, line: Line, seat: Seat, rest: int, first: bool) -> Iterator[Line]:
        """Another seat's moves; for an opponent those that may win first."""
        if line.led < 0:
            yield from self._leads(line, seat, rest, first)
        elif self.ours[seat]:
            yield from self._follow(line, seat, rest)
            yield from self._off_suit(line, seat, rest)
        else:
            yield from self._off_suit(line, seat, rest)
            yield from self._follow(line, seat, rest)

    def _follow(self, line: Line, seat: Seat, rest: int) -> Iterator[Line]:
        worlds, led = line.worlds, line.led
        fence = rest | line.best | worlds.shown
        if worlds.room >> 4 * seat & 15 and not worlds.barred >> 4 * seat >> led & 1:
            yield from self._from_hand(line, worlds, seat, led, fence)
        if led == worlds.trump and self._has_indicator(worlds, seat):
            yield from self._indicator(line, worlds, fence)

    def _off_suit(self, line: Line, seat: Seat, rest: int) -> Iterator[Line]:
        """Out of the suit led: cut, or discard a card that is not named."""
        before, led, trump = line.worlds, line.led, line.worlds.trump
        extra = self._has_indicator(before, seat)
        if extra and led == trump:
            return
        fence = rest | line.best | before.shown
        worlds = before._replace(barred=before.barred | 1 << led << 4 * seat)
        if not self._fits(worlds):
            return
        suits = ALL_SUITS & ~(worlds.barred >> 4 * seat)
        room = worlds.room >> 4 * seat & 15
        lies = seat == self.maker and worlds.indicator == LIES
        discard = self._discard(line, worlds, seat, suits & ~(1 << trump)) if room else ()
        if self.ours[seat]:
            yield from discard
        if room and suits >> trump & 1 and not lies:
            yield from self._from_hand(line, worlds, seat, trump, fence)
        if extra or (lies and (led != trump or not room)):
            yield from self._indicator(line, worlds, fence)
        if not self.ours[seat]:
            yield from discard

    def _has_indicator(self, worlds: Worlds, seat: Seat) -> bool:
        """It is another trump maker who has taken the indicator up."""
        return seat == self.maker and (worlds.indicator == TAKEN or worlds.shown != 0)

    def _from_hand(
        self, line: Line, worlds: Worlds, seat: Seat, suit: int, fence: int
    ) -> Iterator[Line]:
        """A named card of ``suit`` from the hand."""
        room = worlds.room - (1 << 4 * seat)
        fits = None
        for card in self._picks(worlds.pool & SUIT_CARDS[suit], fence, seat):
            after = worlds._replace(pool=worlds.pool ^ card, room=room)
            if fits is None:
                fits = self._fits(after)
            if fits:
                yield self._put(line, after, card)

    def _indicator(self, line: Line, worlds: Worlds, fence: int) -> Iterator[Line]:
        """Another's indicator, lying or taken up."""
        if worlds.shown:
            if self._fits(worlds):
                yield self._put(line, worlds._replace(shown=0), worlds.shown)
            return
        for card in self._picks(worlds.pool & SUIT_CARDS[worlds.trump], fence, self.maker):
            after = worlds._replace(pool=worlds.pool ^ card, indicator=NONE)
            if self._fits(after):
                yield self._put(line, after, card)

    def _discard(self, line: Line, worlds: Worlds, seat: Seat, suits: int) -> Iterator[Line]:
        """A card of other suits, trumps apart: it is not named."""
        slots = tuple(sorted((*worlds.slots, suits)))
        after = worlds._replace(room=worlds.room - (1 << 4 * seat), slots=slots)
        if suits and self._fits(after):
            yield self._under(line, after)

    def _leads(self, line: Line, seat: Seat, rest: int, first: bool) -> Iterator[Line]:
        worlds, trump = line.worlds, line.worlds.trump
        maker = seat == self.maker
        fence = rest | worlds.shown
        room = worlds.room >> 4 * seat & 15
        extra = self._has_indicator(worlds, seat)
        for suit in range(len(SUIT_CARDS)) if room else ():
            if worlds.barred >> 4 * seat >> suit & 1:
                continue
            before = worlds
            if maker and suit == trump:
                if first and self.known.first:
                    if not self.known.leads_alone:
                        continue
                    others = ALL_SUITS & ~(1 << trump)
                    before = worlds._replace(barred=worlds.barred | others << 4 * seat)
            elif maker and worlds.spent:
                if extra:
                    continue
                before = worlds._replace(barred=worlds.barred | 1 << trump << 4 * seat)
            yield from self._from_hand(line, before, seat, suit, fence)
        if extra or (maker and worlds.indicator == LIES and not room):
            yield from self._indicator(line, worlds, fence)

    def _settle(self, line: Line, rest: int, first: bool) -> Worlds:
        """The worlds after a full trick: shown indicator, exhausted trumps, the next leader."""
        worlds = line.worlds
        kind, trump = worlds.indicator, worlds.trump
        if kind in (LIES, MINE) and (line.cut or (first and self.known.opening)):
            kind = TAKEN if kind == LIES else NONE
        led_out = line.led == trump and worlds.leader == self.maker and not line.has_followed
        spent = worlds.spent or (self.known.exhausts and led_out)
        pool = _packed(worlds.pool, rest | worlds.shown)
        return worlds._replace(pool=pool, indicator=kind, spent=spent, leader=line.holder)


@lru_cache(maxsize=1 << 16)
def _packed(pool: int, fence: int) -> int:
    """The pool with the cards between two of ``fence`` moved together, so that states which
    differ only by neighbours become one."""
    packed = 0
    for number, cards in enumerate(SUIT_CARDS):
        for group in classes(pool & cards, fence):
            below = fence & cards & ((group & -group) - 1)
            base = max(below.bit_length(), number * WIDTH)
            packed |= ((1 << group.bit_count()) - 1) << base
    return packed
