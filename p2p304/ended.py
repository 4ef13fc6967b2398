"""`p2p304 resume --ended FILE`: a table that the others ended while this player was away, learnt
from a transcript that one of them hands over.

Owns the comparison with what this player's own journal says. The verdict on the transcript is the
audit's; nothing of it is believed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from p2p304.audit import audit
from p2p304.files import StoreError, read_file
from p2p304.log.transcript import read_blocks
from p2p304.report import verdict
from p2p304.returning import Unfinished, forget, unfinished
from p2p304.store import Store

Say = Callable[[str], None]


def learn(store: Store, path: Path, say: Say) -> int:
    """Keep the transcript and erase the journal of its table; 1 if it is not sound. Raises
    StoreError where it is none of an ended table of this player, or contradicts the journal."""
    data = read_file(path)
    report = audit(data)
    if not report.sound:
        say(verdict(report))
        return 1
    if not report.without or not report.complete:
        raise StoreError(f"{path} is sound, and says of no end: come back with p2p304 resume.")
    left = next((one for one in unfinished(store) if report.table.startswith(one.table)), None)
    if left is None:
        raise StoreError(f"{path} is of no table that you could come back to.")
    _compare(left, data)
    left.game.persist("transcript", data)
    forget([left.game])
    for line in _told(report.without, left, store):
        say(line)
    say(verdict(report))
    return 0


def _told(absent: str, left: Unfinished, store: Store) -> list[str]:
    terms = left.memory.begin.terms
    own = terms.players[terms.keys.index(store.identity().public)].nick
    who = "you" if own == absent else absent
    return [f"{left.memory.begin.list.name}: all others have ended the table without {who}. "
            "Its transcript is kept, its secrets are erased."]  # fmt: skip


def _compare(left: Unfinished, data: bytes) -> None:
    """Every place that the journal and the transcript share holds the same entry. (The journal may
    hold one more, which nobody receipted; where the hand was played out the others went on from
    that place, under another name of the table.)"""
    theirs = [block.entry for block in read_blocks(data)]
    for seq, (mine, other) in enumerate(zip(left.memory.past, theirs, strict=False)):
        if mine.entry != other.raw and other.entry.table == left.memory.begin.terms.table:
            raise StoreError(
                f"The transcript and your journal {left.game.journal.path} hold different entries "
                f"for place {seq}: somebody has signed both. Keep both files."
            )
