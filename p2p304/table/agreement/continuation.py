"""The reference to an earlier table in the agreement of the table that continues it.

Responsible for the reference, its bytes and its form (SPEC.md, "Leaving for good"). Whether it is
true is checked by the players of the earlier table and by an audit that has both transcripts; that
check is successor.py's.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.state.scoring import Match
from p2p304.rules.variants.options import Options
from p2p304.wire.bodies import MAX_SEATS
from p2p304.wire.forms import many, number, octets, of, record

_AMOUNTS = many(number(-(10**6), 10**6), 0, MAX_SEATS)


@dataclass(frozen=True, slots=True)
class Continuation:
    """How an earlier table ended.

    ``table`` is its identifier and ``end`` the digest of its transcript's last block (32 bytes
    each); ``dealer`` is the seat that deals next; ``tokens``, ``cards`` and ``games`` are what each
    account had (`Match`).
    """

    table: bytes = of(octets(32, 32))
    end: bytes = of(octets(32, 32))
    dealer: int = of(number(0, MAX_SEATS - 1))
    tokens: tuple[int, ...] = of(_AMOUNTS)
    cards: tuple[int, ...] = of(_AMOUNTS)
    games: tuple[int, ...] = of(_AMOUNTS)

    def match(self, rules: Options) -> Match:
        """Return the match with which the new table begins."""
        return Match(rules, self.tokens, self.cards, self.games)

    def fits(self, rules: Options) -> bool:
        """Return whether this can be what a table with these rules continues."""
        amounts = {len(self.tokens), len(self.cards), len(self.games)}
        is_seat = self.dealer < rules.seats
        counts = rules.tenths or not any(self.cards + self.games)
        return rules.seating == "chosen" and is_seat and amounts == {rules.accounts} and counts


CONTINUATION_FORM = record(Continuation)
