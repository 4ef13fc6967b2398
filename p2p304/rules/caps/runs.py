"""A run: tricks that the caller leads one after another while nobody can overtake.

Responsible for the shortcut for the next card of a run: it is safe in every world, beaten in some
world that is known to exist, or the shortcut cannot tell, and solver.py plays the trick out. The
two methods say why the shortcut is exact; it depends only on how often each suit has been led.
"""

from __future__ import annotations

from enum import Enum

from p2p304.rules.caps.bitboard import ALL_SUITS, SUIT_CARDS, is_placeable, suit_counts, suit_of
from p2p304.rules.caps.knowledge import Knowledge
from p2p304.rules.caps.lines import LIES, TAKEN, Worlds
from p2p304.rules.caps.moves import Moves
from p2p304.rules.core.seats import Seat


class Fate(Enum):
    """What becomes of a card led in a run."""

    SAFE = "safe"
    BEATEN = "beaten"
    OPEN = "open"


class Runs(Moves):
    """Judges one card led from a state in which the caller leads."""

    def __init__(self, known: Knowledge) -> None:
        super().__init__(known)
        self._fates: dict[tuple[object, ...], Fate] = {}

    def fate(self, worlds: Worlds, card: int, led: tuple[int, ...], last: bool) -> Fate:
        """The fate of ``card``, led after a safe run in which each suit was led ``led`` times;
        ``last``: it is the caller's last card."""
        key = (worlds, card, led, last)
        found = self._fates.get(key)
        if found is not None:
            return found
        others = (seat for seat in range(self.seats) if seat != self.seat)
        threats = [seat for seat in others if self._threatens(worlds, seat, card, led, last)]
        is_beaten = any(
            self._beats(worlds, seat, card, led) or self._cuts(worlds, seat, card, led)
            for seat in threats
            if not self.ours[seat]
        )
        found = Fate.BEATEN if is_beaten else Fate.OPEN if threats else Fate.SAFE
        self._fates[key] = found
        return found

    def _threatens(
        self, worlds: Worlds, seat: Seat, card: int, led: tuple[int, ...], last: bool
    ) -> bool:
        """Whether ``seat`` might overtake, granting it every card that its places allow.

        Suit must be followed: who still has a card of a suit led n times before held n + 1."""
        suit, trump = suit_of(card), worlds.trump
        higher = SUIT_CARDS[suit] & ~((card << 1) - 1)
        maker = seat == self.maker
        if suit != trump:
            if maker and worlds.indicator == LIES:
                return True
            if self._most(worlds, seat, trump) > led[trump]:
                return True
            return bool(worlds.pool & higher) and self._most(worlds, seat, suit) > led[suit]
        above = worlds.pool & higher
        if maker and worlds.indicator == LIES and last and above:
            return True
        if maker and worlds.shown & higher:
            above = worlds.shown
        return above != 0 and self._most(worlds, seat, suit) > led[suit]

    def _most(self, worlds: Worlds, seat: Seat, suit: int) -> int:
        """At most so many cards of ``suit`` may be in this hand."""
        extra = 0
        if seat == self.maker and suit == worlds.trump:
            extra = (worlds.indicator == TAKEN) + (worlds.shown != 0)
        if worlds.barred >> 4 * seat >> suit & 1:
            return extra
        cards = (worlds.pool & SUIT_CARDS[suit]).bit_count()
        if suit == worlds.trump and worlds.indicator in (LIES, TAKEN):
            cards -= 1
        return extra + min(cards, worlds.room >> 4 * seat & 15)

    def _beats(self, worlds: Worlds, seat: Seat, card: int, led: tuple[int, ...]) -> bool:
        """A world in which this opponent keeps the highest unseen card of the suit until now.

        It holds that card and one more for each earlier lead of the suit; its other cards suffice
        for the other leads. No partner is forced to trump (`_partners_plain`), nor to overtake
        with an indicator that all have seen."""
        suit, trump = suit_of(card), worlds.trump
        cards = worlds.pool & SUIT_CARDS[suit]
        shown = worlds.shown if suit == trump else 0
        own = shown if seat == self.maker else 0
        room = worlds.room >> 4 * seat & 15
        need = led[suit] + (own == 0)
        if max(cards, own) < card or (shown > cards and self.ours[self.maker]):
            return False
        if cards > own:
            need = max(need, 1)
        if need and worlds.barred >> 4 * seat >> suit & 1:
            return False
        if need > room or room + (own != 0) < sum(led) + 1 or cards.bit_count() < need:
            return False
        taken = _lowest(cards, need)
        after = worlds._replace(pool=worlds.pool & ~taken, room=worlds.room - (need << 4 * seat))
        places = self.places(after)
        return self._partners_plain(worlds, places, led, suit == trump) and is_placeable(
            suit_counts(after.pool), places
        )

    def _cuts(self, worlds: Worlds, seat: Seat, card: int, led: tuple[int, ...]) -> bool:
        """A world in which this opponent is out of the suit by now and has kept a trump.

        It holds a trump more than were led, and of the suit no more cards than were led."""
        suit, trump = suit_of(card), worlds.trump
        if suit == trump:
            return False
        room = worlds.room >> 4 * seat & 15
        suits = ALL_SUITS & ~(worlds.barred >> 4 * seat)
        maker = seat == self.maker
        lies = maker and worlds.indicator == LIES
        extra = maker and (worlds.indicator == TAKEN or worlds.shown != 0)
        need = 0 if lies else led[trump] + (not extra)
        trumps = worlds.pool & SUIT_CARDS[trump]
        if need and (not suits >> trump & 1 or trumps.bit_count() < need):
            return False
        if room + extra + lies < sum(led) + 1:
            return False
        taken = _lowest(trumps, need)
        after = worlds._replace(pool=worlds.pool & ~taken, room=worlds.room & ~(15 << 4 * seat))
        places = self.places(after)
        _add(places, suits, led[suit])
        _add(places, suits & ~(1 << suit), room - need - led[suit])
        return self._partners_plain(worlds, places, led, False) and is_placeable(
            suit_counts(after.pool), places
        )

    def _partners_plain(
        self, worlds: Worlds, places: dict[int, int], led: tuple[int, ...], trump_led: bool
    ) -> bool:
        """Give each partner so many plain cards that it need not trump now: as many as there were
        leads of plain suits, and one more. False if they have no room for them."""
        if trump_led:
            return True
        plain = sum(led) + 1 - led[worlds.trump]
        for seat in range(self.seats):
            if seat == self.seat or not self.ours[seat]:
                continue
            suits = ALL_SUITS & ~(worlds.barred >> 4 * seat)
            lies = seat == self.maker and worlds.indicator == LIES
            least = sum(led) + 1 if lies else plain
            if (worlds.room >> 4 * seat & 15) < least:
                return False
            _add(places, suits, -plain)
            _add(places, suits & ~(1 << worlds.trump), plain)
        return True

    def may_all_be_out(self, worlds: Worlds, leads: int) -> bool:
        """Whether after so many trump leads of a safe run nobody else need hold a trump: then the
        next trump led exhausts them (a trump leaves a hand only where trumps are led)."""
        places = self.places(worlds)
        for seat in range(self.seats):
            suits = ALL_SUITS & ~(worlds.barred >> 4 * seat)
            rest = (worlds.room >> 4 * seat & 15) - leads
            if rest > 0:
                _add(places, suits, -rest)
                _add(places, suits & ~(1 << worlds.trump), rest)
        return is_placeable(suit_counts(worlds.pool), places)


def _lowest(cards: int, number: int) -> int:
    """So many of these cards; which of a suit they are does not matter where places are counted."""
    left = cards
    for _ in range(number):
        left &= left - 1
    return cards & ~left


def _add(places: dict[int, int], suits: int, number: int) -> None:
    if number:
        places[suits] = places.get(suits, 0) + number
