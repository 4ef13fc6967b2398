"""The reasons why a table that gathers has no agreement yet, for the players to read.

Responsible for the reasons and for when they are reported (SPEC.md, "Gathering"). It changes
nothing; removing a guest is the founder's decision, which is meeting.py's.
"""

from __future__ import annotations

from collections.abc import Collection

from p2p304.table.gathering.pledges import ListSignatures
from p2p304.table.state.gathering_events import Gathering, GatherWait, WaitReason

TO_AGREE = 5.0
"""Seconds in which honest members reach the agreement once all of them are there."""
AGAIN = 30.0
"""Seconds after which the same reasons are reported again."""


def waiting_players(
    holding: ListSignatures, own: bytes, linked: Collection[bytes], others: Collection[bytes]
) -> tuple[GatherWait, ...]:
    """Return the members without whom this list cannot become an agreement, in the list's order,
    with the reasons. ``others``: members that show another list than this one."""
    nicks = {guest.key: guest.nick for guest in holding.list.guests}
    found = []
    for key in holding.keys:
        why, whom = _reason(holding, key, own, linked, others)
        if why is not None:
            found.append(GatherWait(nicks[key], key, why, tuple(nicks[one] for one in whom)))
    return tuple(found)


def _reason(
    holding: ListSignatures,
    key: bytes,
    own: bytes,
    linked: Collection[bytes],
    others: Collection[bytes],
) -> tuple[WaitReason | None, tuple[bytes, ...]]:
    whole = len(holding.pledges) == len(holding.keys)
    if key in holding.contradicted:
        return (WaitReason.OWN_PLEDGES if key == own else WaitReason.TWO_PLEDGES), ()
    if key == own or (whole and key in holding.assents):
        return None, ()
    if key not in linked:
        return WaitReason.NOT_LINKED, ()
    if key in holding.false:
        return WaitReason.FALSE, ()
    if key in others:
        return WaitReason.OTHER_LIST, ()
    if key in holding.pledges and whole:
        return WaitReason.NOT_SIGNED, ()
    lacks = tuple(
        one
        for one in holding.keys
        if one in holding.lacks.get(key, ()) or key in holding.lacks.get(one, ())
    )
    if lacks:
        return WaitReason.LACKS, lacks
    return (None if key in holding.pledges else WaitReason.NOT_PLEDGED), ()


class ReportClock:
    """The time to report the reasons: after TO_AGREE, after a change, and every AGAIN seconds."""

    def __init__(self, now: float) -> None:
        self.begin(now)

    def begin(self, now: float) -> None:
        """Start the wait anew: the gathering has made progress."""
        self._since = self._last_notice = now
        self._last_waits: tuple[GatherWait, ...] = ()

    def is_long(self, now: float) -> bool:
        return now - self._since >= TO_AGREE

    def take_notice(
        self, now: float, found: tuple[GatherWait, ...], is_mine: bool
    ) -> Gathering | None:
        """Return what to report now, or None. A change is reported after TO_AGREE at the earliest,
        so that a member that changes its reason all the time causes few reports."""
        pause = AGAIN if found == self._last_waits else TO_AGREE
        if not found or now < self._last_notice + pause:
            return None
        self._last_waits, self._last_notice = found, now
        return Gathering(found, round(now - self._since), is_mine)
