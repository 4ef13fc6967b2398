"""For whom a table that gathers waits, and why, so that nobody waits without a sentence.

Owns the reasons and when they are told (SPEC.md, "Gathering"). It changes nothing: whom the
founder does without is the founder's word (meeting.py).
"""

from __future__ import annotations

from collections.abc import Collection

from p2p304.table.gathering.pledges import ListSignatures
from p2p304.table.state.events import Gathering, GatherWait, Why

PATIENCE = 5.0
"""Seconds in which an honest gathering comes to its agreement once all are there."""
AGAIN = 30.0
"""Seconds after which the same reasons are told again."""


def waits(
    holding: ListSignatures, own: bytes, linked: Collection[bytes], others: Collection[bytes]
) -> tuple[GatherWait, ...]:
    """Everybody without whom this list cannot become an agreement, in the list's order.
    ``others``: who shows another list than this one."""
    nicks = {guest.key: guest.nick for guest in holding.list.guests}
    found = []
    for key in holding.keys:
        why, whom = _why(holding, key, own, linked, others)
        if why is not None:
            found.append(GatherWait(nicks[key], key, why, tuple(nicks[one] for one in whom)))
    return tuple(found)


def _why(
    holding: ListSignatures,
    key: bytes,
    own: bytes,
    linked: Collection[bytes],
    others: Collection[bytes],
) -> tuple[Why | None, tuple[bytes, ...]]:
    whole = len(holding.pledges) == len(holding.keys)
    if key in holding.contradicted:
        return (Why.OWN_PLEDGES if key == own else Why.TWO_PLEDGES), ()
    if key == own or (whole and key in holding.assents):
        return None, ()
    if key not in linked:
        return Why.NOT_LINKED, ()
    if key in holding.false:
        return Why.FALSE, ()
    if key in others:
        return Why.OTHER_LIST, ()
    if key in holding.pledges:
        return (Why.NOT_SIGNED if whole else None), ()
    lacks = tuple(one for one in holding.keys if one in holding.lacks.get(key, ()))
    return (Why.LACKS, lacks) if lacks else (Why.NOT_PLEDGED, ())


class WaitClock:
    """When to tell for whom one waits: after PATIENCE, when it changes, and now and then."""

    def __init__(self, now: float) -> None:
        self._since = now
        self._told: tuple[GatherWait, ...] = ()
        self._next = now + PATIENCE

    def begin(self, now: float) -> None:
        """Something has come about: waiting begins anew."""
        self._since, self._told, self._next = now, (), now + PATIENCE

    def is_long(self, now: float) -> bool:
        return now - self._since >= PATIENCE

    def tell(self, now: float, found: tuple[GatherWait, ...], is_mine: bool) -> Gathering | None:
        """What to tell now, if anything. A change is told after PATIENCE at the earliest, so
        that whoever changes its reason all the time is not told of all the time."""
        due = self._next if found == self._told else min(self._next, self._since + PATIENCE)
        if not found or now < due:
            return None
        if found != self._told and self._told and now < self._next - AGAIN + PATIENCE:
            return None
        self._told, self._next = found, now + AGAIN
        return Gathering(found, round(now - self._since), is_mine)
