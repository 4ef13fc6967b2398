"""The table of bids: for every four cards of the pack of 32, the best trumps and the chances.

Responsible for reading it. `scripts/dev bidding-table` writes it, by quick play of many deals in
which all cards are seen (search/playout.py). What to bid with these chances is bids.py's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from p2p304.rules.core.cards import PACKS, Card, Suit

FILE = Path(__file__).with_name("bidding_table.dat")
BIDS = tuple(range(160, 310, 10))
"""The bids for which a chance is kept: 300 stands for every trick."""
SUITS = 4
RECORD = SUITS + 1 + len(BIDS)
_RANKS = "J9ATKQ87"
Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chances:
    """The suit that is best as trumps, and the percentage of deals in which each of BIDS is
    reached with it."""

    trump: Suit
    percent: tuple[int, ...]

    def of(self, bid: int) -> float:
        """Return the chance to make a bid of any amount from 0 to 304."""
        step = max(0, -(-(bid - BIDS[0]) // 10))
        return self.percent[min(step, len(BIDS) - 1)] / 100


def ranks(cards: Iterable[Card]) -> dict[Suit, int]:
    """Return each suit's cards as bits, the jack the highest."""
    found = dict.fromkeys(Suit, 0)
    for card in cards:
        found[card.suit] |= 128 >> _RANKS.index(card.rank)
    return found


def in_order(found: dict[Suit, int]) -> list[Suit]:
    """Return the suits in the table's order; suits with the same cards are alike."""
    return sorted(found, key=lambda suit: -found[suit])


@cache
def _table() -> dict[Key, tuple[int, tuple[int, ...]]]:
    data = FILE.read_bytes()
    rows = (data[at : at + RECORD] for at in range(0, len(data), RECORD))
    return {tuple(row[:SUITS]): (row[SUITS], tuple(row[SUITS + 1 :])) for row in rows}


def chances(cards: Iterable[Card]) -> Chances | None:
    """Return what these cards promise; None unless they are four of the pack of 32."""
    held = frozenset(cards)
    if len(held) != SUITS or not held <= frozenset(PACKS[32].cards):
        return None
    found = ranks(held)
    order = in_order(found)
    best, percent = _table()[tuple(found[suit] for suit in order)]
    return Chances(order[best], percent)
