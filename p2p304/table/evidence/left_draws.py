"""Draws that a player leaves: when a table counts as left before it began, and what follows.

Owns the two rules of SPEC.md, "The draw", about leaving: whom a node notes, and the check that it
agrees to no other draw of seats with that player (A06). Notes are kept by early_leavers.py.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from p2p304.log.faults import Refused
from p2p304.rules.variants.absence import LONG, OVERDUE
from p2p304.table.agreement.terms import Player, Terms
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.replica import Replica
from p2p304.wire.outbox import Outbox

AT_ONCE = 3.0
"""Seconds for which a player must be gone, or late in the draw, to be noted."""

Gone = Mapping[bytes, float]
"""Players who are not connected, and since when."""


class DrawWatch:
    """Whom this node notes at its table. Each is told once (`events.DrawLeft`)."""

    def __init__(self, replica: Replica, me: bytes, out: Outbox[Event]) -> None:
        self._replica, self._me, self._out = replica, me, out
        self._noted: set[bytes] = set()
        self._waited: dict[bytes, float] = {}
        """Seconds for which the table has waited for each player by now."""

    @property
    def is_open(self) -> bool:
        """Whether leaving this table leaves its draw: seats are drawn here, and no hand that
        counts is over (``hands.played``)."""
        state = self._replica.state
        return (
            state is not None
            and state.terms.rules.has_drawn_seats
            and not state.over
            and not state.hands_played
        )

    def note(self, *keys: bytes) -> None:
        """Note these players, or whoever brought them, if leaving counts here now."""
        found = {self._answers_for(key).key: self._answers_for(key) for key in keys}
        fresh = [player for key, player in found.items() if key not in {self._me, *self._noted}]
        if self.is_open and fresh:
            self._noted.update(player.key for player in fresh)
            self._out.emit(
                events.DrawLeft(tuple(p.nick for p in fresh), tuple(p.key for p in fresh))
            )

    def moved_on(self, waited_for: Collection[bytes], seconds: float) -> None:
        """The table goes on after it has waited for these players."""
        for key in waited_for:
            self._waited[key] = self._waited.get(key, 0.0) + seconds

    def look(self, late: Collection[bytes], since: float, gone: Gone, now: float) -> None:
        """The table has waited for these players ``since`` then; ``gone`` are not connected."""
        times = self._times(late, since, gone)
        self.note(*(key for key, at in times.items() if at <= now))

    def next_timeout(self, late: Collection[bytes], since: float, gone: Gone) -> float:
        """When `look` would note somebody."""
        times = self._times(late, since, gone) if self.is_open else {}
        known = {self._me, *self._noted}
        fresh = (at for key, at in times.items() if self._answers_for(key).key not in known)
        return min(fresh, default=math.inf)

    def give_up(self, late: Collection[bytes], since: float, gone: Gone, now: float) -> None:
        """This player gives the table up: whoever was the first to go has left it, and so has
        whoever has kept it waiting for a minute."""
        if now >= since + LONG:
            self.note(*late)
        self.note(*self._first(gone))

    def _times(self, late: Collection[bytes], since: float, gone: Gone) -> dict[bytes, float]:
        """When players are to be noted.

        In the draw programs act by themselves, so that everybody who is waited for counts. Later
        players may think: only one who has needed five minutes in all counts.
        """
        state = self._replica.state
        if state is None:
            return {}
        draws = len(state.nonces) < state.seats
        times = {
            key: since + (AT_ONCE if draws else OVERDUE - self._waited.get(key, 0.0))
            for key in late
        }
        for key in self._first(gone):
            times[key] = min(gone[key] + AT_ONCE, times.get(key, math.inf))
        return times

    def _first(self, gone: Gone) -> tuple[bytes, ...]:
        """The player who has been gone for the longest: others may go because that one has.
        Nobody where two went at one moment, as after an own start."""
        keys = self._replica.terms.keys
        since = {
            key: at
            for key, at in gone.items()
            if key in keys and self._answers_for(key).key != self._me
        }
        first = tuple(key for key, at in since.items() if at == min(since.values()))
        return first if len(first) == 1 else ()

    def _answers_for(self, key: bytes) -> Player:
        """The player with this key; for a bot its owner, if that one is at the table."""
        players = {player.key: player for player in self._replica.terms.players}
        bot = players[key].bot
        return players[key] if bot is None else players.get(bot.owner, players[key])


def check_draw(terms: Terms, noted: frozenset[bytes]) -> None:
    """A06: seats are not drawn with a player who has left a draw or a first hand lately, or with
    that player's bot."""
    if not terms.rules.has_drawn_seats:
        return
    for player in terms.players:
        if noted & {player.key, b"" if player.bot is None else player.bot.owner}:
            raise Refused(
                "A06",
                f"{player.nick} lately left or held up a table before its first hand was over, so "
                "seats are not drawn again with this player: open a table where seats are chosen",
            )
