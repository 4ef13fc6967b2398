"""The empty seat of a hand that is played out: its former player and its open cards.

Responsible for what text mode and the full screen remember of that seat from the table's events.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from p2p304.rules.core.cards import PACKS, Card, by_suit
from p2p304.table.state.events import LaidOpen, OpenSeat, PlayingOut

NOTHING = OpenSeat(frozenset(), None)


@dataclass(frozen=True, slots=True)
class EmptySeat:
    """``open`` are the cards that lie open now, ``shown`` all that were ever open."""

    nick: str
    seat: int
    open: OpenSeat = NOTHING
    shown: frozenset[Card] = frozenset()

    @classmethod
    def begin(cls, event: PlayingOut) -> EmptySeat:
        return cls(event.absent, event.seat).now(event.empty)

    @property
    def cards(self) -> frozenset[Card]:
        return self.open.cards

    @property
    def indicator(self) -> Card | None:
        return self.open.indicator

    def now(self, empty: OpenSeat | None) -> EmptySeat:
        """Return the seat after an event that says what lies open."""
        if empty is None:
            return self
        lying = frozenset() if empty.indicator is None else {empty.indicator}
        return replace(self, open=empty, shown=self.shown | empty.cards | lying)

    def laid_open(self, event: LaidOpen) -> EmptySeat:
        """Return the seat after cards were opened; at the count some of them are in no hand."""
        after = self.now(event.empty)
        return replace(after, shown=after.shown | set(event.cards))


def held(cards: Iterable[Card]) -> list[Card]:
    """Sort cards as a hand is held, whatever pack they are from."""
    known = set(cards)
    pack = next((pack for pack in PACKS.values() if known <= pack.strength.keys()), None)
    return sorted(known, key=str) if pack is None else by_suit(known, pack)
