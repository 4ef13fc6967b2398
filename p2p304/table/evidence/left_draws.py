"""Draws of seats that a player left: when leaving counts, and what follows.

Responsible for the two rules about leaving (SPEC.md, "The draw"): which player a node notes, and
the check that it agrees to no other draw of seats with that player (A06). Storing the notes is
early_leavers.py's.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from p2p304.log.faults import Refused
from p2p304.rules.variants.absence import LONG, OVERDUE
from p2p304.table.agreement.terms import Terms
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.replica import Replica
from p2p304.wire.effects import Outbox

AT_ONCE = 3.0
"""Seconds for which a player must be gone, or late in the draw, before it is noted."""

GoneSince = Mapping[bytes, float]
"""Players who are not connected, and the time since when."""


class DrawWatch:
    """The players that this node notes at its table. Each is reported once (`events.DrawLeft`)."""

    def __init__(self, replica: Replica, me: bytes, out: Outbox[Event]) -> None:
        self._replica, self._me, self._out = replica, me, out
        self._noted: set[bytes] = set()
        self._waited: dict[bytes, float] = {}
        """Seconds for which the table has waited for each player so far."""

    @property
    def is_open(self) -> bool:
        """Whether leaving this table means leaving its draw: seats are drawn here, and no hand that
        counts is over (``hands.played``)."""
        state = self._replica.state
        return (
            state is not None
            and state.terms.rules.has_drawn_seats
            and not state.is_over
            and not state.hands_played
        )

    def note(self, *keys: bytes, linked: bool = False) -> None:
        """Note these players, or the owners of these bots, if leaving counts now. ``linked``: they
        are connected, and only late."""
        responsible = self._replica.terms.responsible
        found = {responsible[key].key: responsible[key] for key in keys}
        fresh = [player for key, player in found.items() if key not in {self._me, *self._noted}]
        if self.is_open and fresh:
            self._noted.update(player.key for player in fresh)
            self._out.emit(
                events.DrawLeft(tuple(p.nick for p in fresh), tuple(p.key for p in fresh), linked)
            )

    def record_wait(self, waited_for: Collection[bytes], seconds: float) -> None:
        """Record that the table waited for these players and now continues."""
        for key in waited_for:
            self._waited[key] = self._waited.get(key, 0.0) + seconds

    def note_absent(
        self, late: Collection[bytes], since: float, gone: GoneSince, now: float
    ) -> None:
        """Note the players who are absent or late for too long. The table has waited for ``late``
        since ``since``; ``gone`` are not connected."""
        times = self._note_times(late, since, gone)
        self._note_late([key for key, at in times.items() if at <= now], gone)

    def next_timeout(self, late: Collection[bytes], since: float, gone: GoneSince) -> float:
        """Return the time at which `note_absent` would note a player."""
        times = self._note_times(late, since, gone) if self.is_open else {}
        known = {self._me, *self._noted}
        responsible = self._replica.terms.responsible
        fresh = (at for key, at in times.items() if responsible[key].key not in known)
        return min(fresh, default=math.inf)

    def give_up(self, late: Collection[bytes], since: float, gone: GoneSince, now: float) -> None:
        """Note other players when this player gives the table up: the first one to leave, and those
        that have kept the table waiting for a minute."""
        if now >= since + LONG:
            self._note_late(late, gone)
        self.note(*self._first_gone(gone))

    def _note_late(self, late: Collection[bytes], gone: GoneSince) -> None:
        """Note these players: first those who are gone, or whose owner is, then the others."""
        responsible = self._replica.terms.responsible
        absent = [key for key in late if key in gone or responsible[key].key in gone]
        self.note(*absent)
        self.note(*(key for key in late if key not in absent), linked=True)

    def _note_times(
        self, late: Collection[bytes], since: float, gone: GoneSince
    ) -> dict[bytes, float]:
        """Return when players are to be noted.

        During the draw programs act by themselves, so every awaited player counts. Later players
        may think, so a player counts only after five minutes in all."""
        state = self._replica.state
        if state is None:
            return {}
        is_drawing = len(state.nonces) < state.seats
        times = {
            key: since + (AT_ONCE if is_drawing else OVERDUE - self._waited.get(key, 0.0))
            for key in late
        }
        for key in self._first_gone(gone):
            times[key] = min(gone[key] + AT_ONCE, times.get(key, math.inf))
        return times

    def _first_gone(self, gone: GoneSince) -> tuple[bytes, ...]:
        """Return the player who has been gone for the longest; the others may have left because of
        that one. Return nobody if two left at the same moment, as they seem to after a restart of
        this node."""
        players = self._replica.terms.responsible
        since = {
            key: at for key, at in gone.items() if key in players and players[key].key != self._me
        }
        first = tuple(key for key, at in since.items() if at == min(since.values()))
        return first if len(first) == 1 else ()


def check_draw(terms: Terms, noted: frozenset[bytes]) -> None:
    """Check A06: seats are not drawn with a player who lately left a draw or a first hand, nor with
    that player's bot. Raises Refused."""
    if not terms.rules.has_drawn_seats:
        return
    for player in terms.players:
        if noted & {player.key, b"" if player.bot is None else player.bot.owner}:
            raise Refused(
                "A06",
                f"you can't draw seats with {player.nick}, who recently left or stopped a table "
                "during its first hand: open a table with chosen seats",
            )
