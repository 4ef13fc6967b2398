"""A limit on notices about peers: each is shown once, the rest are counted.

Responsible for this limit on everything that a screen shows because of the bytes or connections of
others (SPEC.md, "Limits"), and for what counts as the same event of a node. Sentences about the
network are reports.py's.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Container, Hashable, Iterable

from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.wire.rate_limit import Allowance, RateLimit

MOST = 8
"""Notices shown at once; then one more every EVERY seconds."""
EVERY = 15.0
AGAIN = 60.0
"""Seconds after which the number of omitted notices is shown again."""
REMEMBERED = 256
"""Notices that are remembered as shown; the oldest is forgotten first."""
PROPOSAL_INTERVAL = 2.0
"""Seconds after which a bot is told of the same proposal to part again."""


class Notices:
    """The limiter. `take` tells whether to show a notice, `take_omitted` how many were not
    shown."""

    def __init__(self) -> None:
        self._remembered: OrderedDict[Hashable, float] = OrderedDict()
        self._limit = RateLimit(Allowance(MOST, 1 / EVERY), 0.0)
        self._omitted, self._next_omitted = 0, 0.0

    def take(self, thing: Hashable, now: float, again: float = math.inf) -> bool:
        """Take one notice; False if it is not to be shown. Each is shown once, or ``again`` after
        so many seconds, within the limit."""
        if self.is_remembered(thing, now, again) or not self._limit.take(1, now):
            self._omitted += 1
            return False
        self._remembered[thing] = now
        self._remembered.move_to_end(thing)
        if len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        return True

    def is_remembered(self, thing: Hashable, now: float = 0.0, again: float = math.inf) -> bool:
        """Whether this notice was shown, less than ``again`` seconds ago, and is remembered."""
        shown_at = self._remembered.get(thing)
        return shown_at is not None and now - shown_at < again

    def take_omitted(self, now: float) -> int:
        """Return how many were omitted since the last report; 0 if that was less than AGAIN seconds
        ago."""
        if self._omitted == 0 or now < self._next_omitted:
            return 0
        count, self._omitted, self._next_omitted = self._omitted, 0, now + AGAIN
        return count


class EventNotices:
    """The limit on the events of one node. ``is_patient``: the node is a person's."""

    def __init__(self, is_patient: bool) -> None:
        self._again = math.inf if is_patient else PROPOSAL_INTERVAL
        self._of_members, self._of_strangers = Notices(), Notices()

    def limited(
        self, drained: Iterable[Event], members: Container[bytes | None], now: float
    ) -> list[Event]:
        """Return the events to emit. The last of them tells how many were left out, if any is to
        be told."""
        shown = [event for event in drained if self._is_to_emit(event, members, now)]
        times = sum(each.take_omitted(now) for each in (self._of_members, self._of_strangers))
        return [*shown, events.LeftOut(times)] if times else shown

    def _is_to_emit(self, event: Event, members: Container[bytes | None], now: float) -> bool:
        match event:
            case events.Fault(finding=finding, nick=None, peer=peer) if peer in members:
                return self._of_members.take((peer, finding.check), now)
            case events.Fault(finding=finding, nick=None, peer=peer):
                return self._of_strangers.take((peer, finding), now)
            case events.PartingProposed() | events.PartingRefused():
                # A bot acts on a proposal to part, so it gets that event again at intervals.
                # Honest programs repeat these words: a repetition does not count as left out.
                known = self._of_members.is_remembered(event, now, self._again)
                return not known and self._of_members.take(event, now, self._again)
        return True
