"""The players whom a gathering table waits for, shared by text mode and the full screen.

Responsible for whether this player may go on without one of them; the sentences are
ui/narration/waiting.py's.
"""

from __future__ import annotations

from p2p304.table.state.events import Gathering, GatherWait, WaitReason


def can_do_without(event: Gathering, wait: GatherWait) -> bool:
    """Whether this player may remove that player from the list."""
    return event.is_mine and wait.reason is not WaitReason.OWN_PLEDGES
