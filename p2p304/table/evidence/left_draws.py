"""Draws of seats that a player left: when leaving counts, and what follows.

Responsible for the two rules about leaving (SPEC.md, "The draw"): which player a node notes, and
the check that it agrees to no other draw of seats with that player (A06). Storing the notes is
early_leavers.py's.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

from p2p304.log.faults import Refused
from p2p304.rules.variants.absence import LONG, OVERDUE, LeaverCause
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
        self._said: set[bytes] = set()
        """The players that are not connected and have said that they leave."""
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

    def on_link_up(self, peer: bytes) -> None:
        self._said.discard(peer)

    def on_link_down(self, peer: bytes, said: bool) -> None:
        """Record a lost link, and whether the player had ``said`` that it leaves."""
        if said:
            self._said.add(peer)

    def note(self, key: bytes, cause: LeaverCause) -> None:
        """Note this player, or the owner of this bot, if leaving counts now."""
        player = self._replica.terms.responsible[key]
        if self.is_open and player.key not in {self._me, *self._noted}:
            self._noted.add(player.key)
            self._out.emit(events.DrawLeft(player.nick, player.key, cause))

    def _note_all(self, keys: Iterable[bytes], gone: GoneSince) -> None:
        """Note these players, with what this node knows of the cause; ``gone`` are not
        connected."""
        for key in keys:
            owner = self._replica.terms.responsible[key].key
            cause = LeaverCause.LOST if owner in gone else LeaverCause.LATE
            self.note(key, LeaverCause.LEFT if owner in self._said else cause)

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
        self._note_all(self._first_gone(gone), gone)

    def _note_late(self, late: Collection[bytes], gone: GoneSince) -> None:
        """Note these players: first those who are gone, or whose owner is, then the others."""
        responsible = self._replica.terms.responsible
        absent = [key for key in late if key in gone or responsible[key].key in gone]
        self._note_all([*absent, *(key for key in late if key not in absent)], gone)

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


_WHY: Mapping[str | None, str] = {
    None: "who recently left or held up a table during its first hand",
    LeaverCause.LEFT: "who recently left a table during its first hand",
    LeaverCause.LOST: "whose connection to a table was recently lost during its first hand",
    LeaverCause.LATE: "for whom a table recently waited during its first hand",
    LeaverCause.PARTED: "without whom a table was recently continued during its first hand",
    LeaverCause.FAULT: "whose fault recently stopped a table during its first hand",
}
"""Why a player is noted, by the cause that was noted with it (None: by an earlier version)."""


def check_draw(terms: Terms, noted: Mapping[bytes, str | None]) -> None:
    """Check A06: seats are not drawn with a player who lately left a draw or a first hand, nor with
    that player's bot. Raises Refused."""
    if not terms.rules.has_drawn_seats:
        return
    for player in terms.players:
        responsible = (player.key, b"" if player.bot is None else player.bot.owner)
        found = next((key for key in responsible if key in noted), None)
        if found is not None:
            whose = "" if found == player.key else "a bot of a player "
            raise Refused(
                "A06",
                f"you can't draw seats with {player.nick}, {whose}{_WHY[noted[found]]}: open a "
                "table with chosen seats",
            )
