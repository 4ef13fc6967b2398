"""How a trick may go: every line that the others' unseen cards and the rules allow.

Responsible for the moves of the other seats and for whether the caller's next card is legal, over
worlds that are fixed no further than a move needs: a hand is a number of places and the suits it is
out of; a plain discard stays unnamed. Neighbouring unseen cards of a suit are played for one
another. The rules behind the moves stand in legality/own_card_checks.py and
legality/public_checks.py. Orders of more than one card are left to solver.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from p2p304.rules.caps.bitboard import ALL_SUITS, SUIT_CARDS, is_placeable, suit_counts, suit_of
from p2p304.rules.caps.knowledge import Knowledge, Put
from p2p304.rules.core.seats import Seat

NONE, LIES, MINE, TAKEN = range(4)
"""The indicator: seen by all or played; lying, another's; lying, the caller's; taken up by another
trump maker without its card being fixed yet."""


class Worlds(NamedTuple):
    """Worlds at the start of a trick. ``room`` and ``barred`` have four bits a seat (places;
    suits), ``slots`` are the suits that each unseen card out of play may be of, ``shown`` the
    known indicator in another trump maker's hand, ``spent``: trumps are exhausted."""

    trump: int
    pool: int
    room: int
    barred: int
    slots: tuple[int, ...]
    indicator: int
    shown: int
    spent: bool
    leader: int


class Line(NamedTuple):
    """Worlds in the middle of a trick: ``laid`` cards lie, ``best`` of seat ``holder`` leads
    so far (a trump on another suit if ``cut``), ``led`` is the suit, -1 before the lead."""

    worlds: Worlds
    laid: int
    led: int
    holder: int
    best: int
    cut: bool
    has_followed: bool


def new_trick(worlds: Worlds) -> Line:
    """The line before a lead."""
    return Line(worlds, 0, -1, worlds.leader, 0, False, False)


def classes(cards: int, fence: int) -> list[int]:
    """``cards`` of one suit in groups that no card of ``fence`` parts, the highest first."""
    out = []
    while cards:
        top = cards.bit_length()
        below = fence & ((1 << (top - 1)) - 1)
        group = cards >> below.bit_length() << below.bit_length()
        out.append(group)
        cards ^= group
    return out


class Lines:
    """The lines of play against one seat's knowledge."""

    def __init__(self, known: Knowledge) -> None:
        self.known = known
        self.seat, self.seats, self.maker = known.seat, known.seats, known.maker
        self.ours = [bool(known.ours >> s & 1) for s in range(known.seats)]
        self.several = sum(self.ours) > 2
        self._placed: dict[tuple[object, ...], bool] = {}

    # Where the worlds begin

    def start(self) -> Iterator[Line]:
        """Every way the present trick may lie, before the next card to it."""
        for trump in range(len(SUIT_CARDS)):
            if self.known.trumps >> trump & 1:
                yield from self._start(trump)

    def _start(self, trump: int) -> list[Line]:
        k = self.known
        # Where the indicator is, or was before the present trick if it lies in that unseen.
        lies = k.hidden_indicator or any(put.indicator and not put.card for put in k.trick)
        indicator = LIES if lies else MINE if k.lying else NONE
        slots = [ALL_SUITS & ~(barred | 1 << trump) for barred in k.laid]
        room = barred = 0
        for seat in range(self.seats):
            room |= k.room[seat] << 4 * seat
            barred |= k.barred[seat] << 4 * seat
        if k.spent >> trump & 1:
            barred |= 1 << trump << 4 * k.maker
        if k.alone >> trump & 1:
            barred |= (ALL_SUITS & ~(1 << trump)) << 4 * k.maker
        spent = bool(k.exhausted >> trump & 1)
        places = room, barred, tuple(sorted(slots))
        worlds = Worlds(trump, k.unseen, *places, indicator, k.shown, spent, k.leader)
        lines = [new_trick(worlds)]
        for put in k.trick:
            lines = [after for line in lines for after in self._lay(line, put)]
        return [line for line in lines if self._fits(line.worlds)]

    def _lay(self, line: Line, put: Put) -> list[Line]:
        """A card that already lies in the present trick."""
        worlds, trumps = line.worlds, SUIT_CARDS[line.worlds.trump]
        if put.card:
            return [self._put(line, worlds, put.card)]
        fence = self.known.mine | line.best
        picks = self._picks(worlds.pool & trumps, fence, put.seat)
        if put.indicator:
            played = worlds._replace(indicator=NONE)
            return [self._put(line, played._replace(pool=worlds.pool ^ c), c) for c in picks]
        allowed = ALL_SUITS & ~put.barred
        slots = tuple(sorted((*worlds.slots, allowed & ~(1 << worlds.trump))))
        out = [self._under(line, worlds._replace(slots=slots))]
        if put.seat != self.maker and allowed >> worlds.trump & 1:
            out += [self._put(line, worlds._replace(pool=worlds.pool ^ c), c) for c in picks]
        return out

    def _fits(self, worlds: Worlds) -> bool:
        """Whether these worlds contain any."""
        counts = suit_counts(worlds.pool)
        key = (counts, worlds.room, worlds.barred, worlds.slots, worlds.indicator, worlds.trump)
        found = self._placed.get(key)
        if found is None:
            found = self._placed[key] = is_placeable(counts, self.places(worlds))
        return found

    def places(self, worlds: Worlds) -> dict[int, int]:
        """Places for unseen cards: set of suits to number."""
        places: dict[int, int] = {}
        room, barred = worlds.room, worlds.barred
        while room:
            suits = ALL_SUITS & ~barred
            places[suits] = places.get(suits, 0) + (room & 15)
            room, barred = room >> 4, barred >> 4
        for suits in worlds.slots:
            places[suits] = places.get(suits, 0) + 1
        if worlds.indicator in (LIES, TAKEN):
            suits = 1 << worlds.trump
            places[suits] = places.get(suits, 0) + 1
        return places

    # One card

    def _put(self, line: Line, worlds: Worlds, card: int) -> Line:
        """The trick with ``card`` on it; ``worlds`` are those after it has been taken."""
        suit, led, trump = suit_of(card), line.led, worlds.trump
        seat = (worlds.leader + line.laid) % self.seats
        if led < 0:
            return Line(worlds, 1, suit, seat, card, False, False)
        cuts, follows = suit == trump != led, suit == led
        ahead = (cuts or follows) and card > line.best if line.cut is cuts else cuts
        holder, best = (seat, card) if ahead else (line.holder, line.best)
        cut, has_followed = line.cut or cuts, line.has_followed or follows
        return Line(worlds, line.laid + 1, led, holder, best, cut, has_followed)

    def _under(self, line: Line, worlds: Worlds) -> Line:
        """The trick with a discard on it."""
        return line._replace(worlds=worlds, laid=line.laid + 1)

    def _picks(self, cards: int, fence: int, seat: Seat) -> list[int]:
        """Cards of one suit worth trying, best for the opponents first: of neighbours an opponent
        plays the highest, a partner the lowest (one of several partners also the highest)."""
        groups = classes(cards, fence)
        if not self.ours[seat]:
            return [1 << (group.bit_length() - 1) for group in groups]
        low = [group & -group for group in reversed(groups)]
        if self.several:
            low += [1 << (g.bit_length() - 1) for g in reversed(groups) if g & (g - 1)]
        return low
