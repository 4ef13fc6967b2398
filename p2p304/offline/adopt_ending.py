"""`p2p304 resume --ended FILE`: adopts the ending of a table that the others ended while this
player was away, from a transcript of one of them.

Responsible for comparing the transcript with this player's own journal. The verdict on the
transcript is offline/audit.py's; nothing in it is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from p2p304.log.entry import parse_entry
from p2p304.log.transcript import Unreadable, read_blocks
from p2p304.offline.audit import audit
from p2p304.offline.report import verdict
from p2p304.rules.core.phrases import Quoted, say
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError, read_file
from p2p304.storage.unfinished import Unfinished, forget, resumable_tables
from p2p304.table.exchange.journal_records import PlaceRecord
from p2p304.ui.common.theme import LETTERS
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated
from p2p304.wire.names import shown

Out = Callable[[str], None]


def learn(
    store: DataFolder, path: Path, data: bytes, out: Out, translate: Translate = untranslated
) -> int:
    """Keep the transcript that was read from ``path``, and erase the journal of its table; returns
    1 if it is not sound. Raises Unreadable if it is no transcript, and DataFolderError if it is not
    of an ended table of this player or contradicts the journal."""
    report = audit(data)
    if not report.sound:
        out(verdict(report, translate))
        return 1
    if not report.without or not report.complete:
        raise DataFolderError(
            "{file} is sound, but the table has not ended in it. Continue the table with "
            "p2p304 resume.",
            file=str(path),
        )
    left = next(
        (one for one in resumable_tables(store) if report.table.startswith(one.table)), None
    )
    if left is None:
        raise DataFolderError(
            "{file} belongs to none of your unfinished tables. List them with p2p304 "
            "resume --list.",
            file=str(path),
        )
    _compare(left, data)
    left.game.persist("transcript", data)
    forget([left.game])
    terms = left.begin.terms
    own = terms.players[terms.keys.index(store.identity().public)].nick
    told = say(
        "{table}: all others ended the table without you. The transcript is saved, and the table's "
        "secret keys are deleted."
        if own == report.without
        else "{table}: all others ended the table without {who}. The transcript is saved, and the "
        "table's secret keys are deleted."
    )
    told = told.filled(table=Quoted(left.begin.list.name), who=Quoted(report.without))
    out(shown(PhraseRenderer(LETTERS, translate).text(told)))
    out(verdict(report, translate))
    return 0


def _compare(left: Unfinished, data: bytes) -> None:
    """Check that every place of the journal is in the transcript, with the same entry. Only the
    last place may be missing, and only without receipts of others: an absent player may have
    written or seen an entry that was never settled. If the hand was played out, the others went on
    from that place under another name of the table. Those places count only if this player has
    followed the hand, and so has some of them too."""
    table, past = left.begin.terms.table, left.memory.past
    followed = any(parse_entry(place.entry).entry.table != table for place in past)
    blocks = read_blocks(data)
    theirs = [b.entry for b in blocks if followed or b.entry.entry.table == table]
    settled = _settled_places(left, past)
    if len(theirs) < settled:
        raise DataFolderError(
            "The two records contradict each other: the transcript ends the table before place "
            "{n}, but in {table} everybody has signed place {last}. A player has signed both. Keep "
            "both files as evidence.",
            n=len(theirs),
            table=str(left.game.stem),
            last=settled - 1,
        )
    shared = min(len(past), len(theirs))
    for seq, (mine, other) in enumerate(zip(past[:shared], theirs[:shared], strict=True)):
        if mine.entry != other.raw:
            raise DataFolderError(
                "The two records contradict each other: the transcript and your journal {file} "
                "have different entries for place {n}. A player has signed both. Keep both files "
                "as evidence.",
                file=str(left.game.journal.path),
                n=seq,
            )


def _settled_places(left: Unfinished, past: Sequence[PlaceRecord]) -> int:
    """Count the places that everybody has signed, as this player's files say. The journal has the
    receipts for all but the last of its places. Those may be in the transcript, which is not synced
    and may be cut."""
    by_journal = max(0, len(past) - 1)
    path = left.game.transcript
    try:
        blocks = list(read_blocks(read_file(path))) if path.exists() else []
    except Unreadable:
        blocks = []
    own = [p.entry for p in past]
    if blocks and blocks[-1].parts is not None:
        blocks.pop()  # not everybody has signed it
    kept = [block.entry.raw for block in blocks]
    return len(own) if len(kept) >= len(own) and kept[: len(own)] == own else by_journal
