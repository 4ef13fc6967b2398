"""What is proven against a player, in words.

Responsible for these sentences. What is proven is table/proofs/checks.py's and log/faults.py's.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Phrase, say
from p2p304.table.state import events


def proven(fault: events.Fault, nick: str) -> Phrase:
    check = fault.finding.check
    if check in events.TWO_FOR_A_PLACE:
        return say(
            "{nick} signed two different entries for the same place (check {check}): by "
            "cheating, by running one identity on two computers, or after restoring a "
            "backup. The table stops; the evidence is saved.",
            nick=nick,
            check=check,
        )
    if check in events.TWO_THAT_EXCLUDE:
        return say(
            "{nick} signed two contradictory messages (check {check}): by cheating, by "
            "running one identity on two computers, or after restoring a backup. The table "
            "stops; the evidence is saved.",
            nick=nick,
            check=check,
        )
    return say(
        "CHEATING PROVEN against {nick}: {why} (check {check}). The table stops; the "
        "evidence is saved.",
        nick=nick,
        why=fault.finding.sentence,
        check=check,
    )
