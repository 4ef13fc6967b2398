"""Whom a gathering table waits for, in text mode.

Responsible for these sentences, and for which reasons the founder can act on. When they are shown
is the table's to decide (SPEC.md, "Gathering").
"""

from __future__ import annotations

from p2p304.table.state.events import Gathering, GatherWait, WaitReason
from p2p304.ui.common.waiting import can_do_without


def waits_lines(event: Gathering) -> list[str]:
    """Return a line for every player for whom the table waits, and one on what can be done."""
    lines = [reason(wait, event.seconds) for wait in event.waits]
    return lines + [
        f"Type 'without {wait.nick}' to go on without {wait.nick}."
        for wait in event.waits
        if can_do_without(event, wait)
    ]


def reason(wait: GatherWait, seconds: int) -> str:
    """Describe why the table waits for a player."""
    waiting, whom = f"Waiting for {wait.nick} ({seconds} s)", ", ".join(wait.whom)
    return {
        WaitReason.NO_ANSWER: f"The player who opened this table has not answered for {seconds} s: "
        "perhaps they are asked about you, or others come in first. Waiting ...",
        WaitReason.NOT_LINKED: f"{waiting}: there is no connection between you.",
        WaitReason.LACKS: f"{waiting}, who has no connection with {whom}.",
        WaitReason.NOT_PLEDGED: f"{waiting}, whose program has not pledged its part in the draw.",
        WaitReason.NOT_SIGNED: f"{waiting}, whose program has not signed the table's rules and "
        "players.",
        WaitReason.FALSE: f"{waiting}, whose program has sent something false.",
        WaitReason.TWO_PLEDGES: f"{waiting}, whose program has shown two different pledges: it "
        "runs on two machines, or cheats.",
        WaitReason.OWN_PLEDGES: "Somebody else pledges with your own identity: stop p2p304 on your "
        "other machine.",
        WaitReason.OTHER_LIST: f"{waiting}, who has been shown another list of the players.",
    }[wait.reason]
