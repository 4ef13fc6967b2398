"""The replay of a journal: its entries go through all checks again.

Responsible for the order in which a restarted node takes up a journal's entries and receipts, and
for comparing the transcript file with them block by block, so that a long table needs no more
memory than a short one. The bytes of its records are journal_records.py's, every check is
replica.py's, and what the node does afterwards is table/machine/table_machine.py's. Reading is
handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from p2p304.log.entry import parse_entry, parse_receipt
from p2p304.log.transcript import MAGIC, Read
from p2p304.table.exchange.journal_records import PlaceRecord
from p2p304.table.state.events import PublicEvent
from p2p304.table.transition.replica import Replica


def replay_journal(
    replica: Replica,
    past: Iterable[PlaceRecord],
    on_other_table: Callable[[], tuple[PublicEvent, ...]],
    on_settled: Callable[[int], None] = lambda seq: None,
) -> tuple[list[PublicEvent], int]:
    """Take up every place of a journal. Return what had happened, and the number of the hand in
    which the last entry was written.

    ``on_other_table`` is called before an entry that is written under another name of the table,
    because a hand is played out; ``on_settled`` with every place once it is settled. Raises Refused
    if this table did not accept these entries."""
    happened: list[PublicEvent] = []
    hand = 0
    for place in past:
        unverified = parse_entry(place.entry)
        if unverified.entry.table != replica.chain.table and not replica.is_parted:
            happened += on_other_table()
        for receipt in place.before:
            replica.chain.authenticate_receipt(receipt)
            replica.chain.add_receipt(receipt)
        replica.settle()
        if replica.chain.next_seq:
            on_settled(replica.chain.next_seq - 1)
        hand = 0 if replica.state is None else replica.state.number
        signed = replica.chain.authenticate(unverified)
        state, more = replica.judge(signed)
        replica.append(signed, state)
        happened += more
        if place.receipt is not None:
            replica.chain.add_receipt(parse_receipt(place.receipt))
    replica.settle()
    if replica.chain.next_seq and replica.chain.is_settled:
        on_settled(replica.chain.next_seq - 1)
    return happened, hand


class RestoredTranscript:
    """Feed every block in order with `add`; `missing` then returns what is to be written."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._same = len(MAGIC) if read(0, len(MAGIC)) == MAGIC else 0
        """The bytes of the file, from its beginning, that are right."""
        self._others = bytearray(b"" if self._same else MAGIC)

    def add(self, block: bytes) -> None:
        """Take the next block as it stands in a transcript file."""
        if not self._others and self._read(self._same, len(block)) == block:
            self._same += len(block)
        else:
            self._others += block

    def missing(self) -> bytes | None:
        """Return the whole file as it must be, or None if it is so already."""
        if not self._others and not self._read(self._same, 1):
            return None
        return self._read(0, self._same) + self._others
