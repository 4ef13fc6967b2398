"""The reference to an earlier table in the agreement of the table that continues it.

Responsible for the reference, its bytes and its form (SPEC.md, "Leaving for good"). Whether it is
true is checked by the players of the earlier table and by an audit that has both transcripts; that
check is successor.py's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from p2p304.rules.state.scoring import Match
from p2p304.rules.variants.options import Options
from p2p304.wire.canonical import Value

_MOST = 10**6
_FIELDS = {"cards", "dealer", "end", "games", "table", "tokens"}


@dataclass(frozen=True, slots=True)
class Continuation:
    """How an earlier table ended.

    ``table`` is its identifier and ``end`` the digest of its transcript's last block (32 bytes
    each); ``dealer`` is the seat that deals next; ``tokens``, ``cards`` and ``games`` are what each
    account had (`Match`).
    """

    table: bytes
    end: bytes
    dealer: int
    tokens: tuple[int, ...]
    cards: tuple[int, ...]
    games: tuple[int, ...]

    def match(self, rules: Options) -> Match:
        """Return the match with which the new table begins."""
        return Match(rules, self.tokens, self.cards, self.games)

    def to_value(self) -> dict[str, Value]:
        return {
            "cards": list(self.cards),
            "dealer": self.dealer,
            "end": self.end,
            "games": list(self.games),
            "table": self.table,
            "tokens": list(self.tokens),
        }


def parse_after(value: Any, rules: Options) -> Continuation:
    """Read a reference strictly; raises TypeError if its form is wrong or it does not fit these
    rules."""
    if not isinstance(value, dict) or set(value) != _FIELDS:
        raise TypeError("what it continues has other fields")
    table, end, dealer = value["table"], value["end"], value["dealer"]
    if not (isinstance(table, bytes) and isinstance(end, bytes) and len(table) == len(end) == 32):
        raise TypeError("what it continues is not named by 32 bytes each")
    if rules.seating != "chosen" or not 0 <= _number(dealer) < rules.seats:
        raise TypeError("what it continues has its seats and a dealer")
    amounts = (_amounts(value[name], rules.accounts) for name in ("tokens", "cards", "games"))
    return Continuation(table, end, dealer, *amounts)


def _amounts(value: Any, count: int) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) != count:
        raise TypeError("an amount for every account")
    return tuple(_number(each) for each in value)


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not -_MOST <= value <= _MOST:
        raise TypeError("a number")
    return value
