"""The check of a table that continues one which its players ended without an absent player.

Responsible for what must be the same (SPEC.md, "Leaving for good"): name, rules, hands left, who
sits where except on the empty seat, who deals, and what every account has. Every player who stays
checks it before signing; so does an audit that has both transcripts. Gathering the players is
meeting.py's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.log.faults import Refused
from p2p304.rules.variants.absence import REPLACE
from p2p304.rules.variants.options import Options
from p2p304.table.agreement.continuation import Continuation
from p2p304.table.agreement.terms import Terms
from p2p304.table.state.table import TableState


@dataclass(frozen=True, slots=True)
class Ending:
    """How a table ended, as far as a table that continues it depends on it. ``keys`` and ``nicks``
    are by seat; ``empty`` is the absent player's seat."""

    name: str
    rules: Options
    hands: int
    watch: str
    keys: tuple[bytes, ...]
    nicks: tuple[str, ...]
    empty: int
    after: Continuation

    @property
    def stay(self) -> tuple[bytes, ...]:
        """The keys of the players who go on, by seat. The first of them opens the new table."""
        return tuple(key for seat, key in enumerate(self.keys) if seat != self.empty)

    def seat_of(self, key: bytes) -> int:
        """Return a player's own seat, or the empty seat for a new player."""
        return self.keys.index(key) if key in self.stay else self.empty


def ending(state: TableState, absent: int, second_name: bytes) -> Ending | None:
    """Return how a table ended whose players ended it in ``state`` without ``absent``.

    ``second_name`` is that of the table after the parting. None if the rules do not let the table
    be continued, its seats were not drawn yet, or it was played to its end.
    """
    terms = state.terms
    if terms.rules.away != REPLACE or not state.seating or state.is_played_to_its_end:
        return None
    match = state.match
    left = max(0, terms.hands - state.hands_played)
    after = Continuation(
        state.table, second_name, state.dealer, match.tokens, match.cards, match.games
    )
    return Ending(
        terms.name,
        replace(terms.rules, seating="chosen"),
        left,
        terms.watch,
        tuple(terms.keys[player] for player in state.seating),
        tuple(terms.players[player].nick for player in state.seating),
        state.seat_of(absent),
        after,
    )


def check_continues(before: Ending | None, terms: Terms) -> None:
    """A05: the terms continue the table just as it ended (None: in a way that nothing continues);
    any player may take the empty seat."""
    if before is None or not _is_same(before, terms) or not _stay(before, terms):
        raise Refused("A05", "this table does not start as the earlier table ended")


def _is_same(before: Ending, terms: Terms) -> bool:
    theirs = (terms.name, terms.rules, terms.hands, terms.watch, terms.after)
    return theirs == (before.name, before.rules, before.hands, before.watch, before.after)


def _stay(before: Ending, terms: Terms) -> bool:
    keys = terms.keys
    return len(keys) == len(before.keys) and all(
        key == keys[seat] for seat, key in enumerate(before.keys) if seat != before.empty
    )
