"""For whom a gathering table waits: what text mode and the full screen share."""

from __future__ import annotations

from p2p304.table.state.events import Gathering, GatherWait, Why


def can_do_without(event: Gathering, wait: GatherWait) -> bool:
    """Whether this player may put that one out of the list."""
    return event.is_mine and wait.why is not Why.OWN_PLEDGES
