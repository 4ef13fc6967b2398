"""The empty seat of a hand that is played out: whose it was, and which of its cards lie open.

Responsible for what plain lines and the full screen remember of it from the table's events.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from p2p304.rules.core.cards import PACKS, Card, by_suit
from p2p304.rules.variants.absence import LONG, WAIT
from p2p304.table.state.events import LaidOpen, OpenSeat, PlayingOut

NOTHING = OpenSeat(frozenset(), None)


@dataclass(frozen=True, slots=True)
class EmptySeat:
    """``open`` is what lies open now, ``shown`` all that ever did."""

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
        """After an event that says what lies open."""
        if empty is None:
            return self
        lying = frozenset() if empty.indicator is None else {empty.indicator}
        return replace(self, open=empty, shown=self.shown | empty.cards | lying)

    def laid_open(self, event: LaidOpen) -> EmptySeat:
        """After cards were opened; at the count some of them are in no hand."""
        after = self.now(event.empty)
        return replace(after, shown=after.shown | set(event.cards))


def held(cards: Iterable[Card]) -> list[Card]:
    """Cards as a hand is held, whatever pack they are from."""
    known = set(cards)
    pack = next((pack for pack in PACKS.values() if known <= pack.strength.keys()), None)
    return sorted(known, key=str) if pack is None else by_suit(known, pack)


def may_part(gone: tuple[str, ...], seconds: float, away: str, emptied: EmptySeat | None) -> bool:
    """Whether those present may part now, as far as a screen knows: ``away`` is the table's rule
    ("" while it is not known), ``emptied`` the seat without which they play already."""
    return len(gone) == 1 and seconds >= LONG and away != WAIT and emptied is None
