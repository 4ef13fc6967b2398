"""The replay of a journal: its entries go through all checks again.

Responsible for the order in which a restarted node takes up a journal's entries and receipts. The
bytes of its records are journal_records.py's, every check is replica.py's, and what the node does
afterwards is table/machine/table_machine.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from p2p304.log.entry import parse_entry, parse_receipt
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
