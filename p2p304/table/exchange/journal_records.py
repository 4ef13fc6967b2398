"""The records of a node's journal, from which it can resume a table.

Responsible for the bytes of a record for a place (SPEC.md, "Coming back"), and for reading a whole
journal; the first record is begin_record.py's. A record is written before the entry or its receipt
is sent. This module opens no file; taking the entries through all checks is journal_replay.py's. A
journal holds no secret: secrets have a record of their own (keyring.py), which is replaced with
every hand.

``{t: "entry", before: [{author, claim, sig}, …], entry, receipt}``: the entry as it travels, this
player's receipt (nil for an own entry), and all receipts for the entry before it, so that the
transcript can be rebuilt from this file alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from p2p304.log.entry import Receipt, link_of, parse_entry, parse_receipt
from p2p304.log.faults import Refused
from p2p304.table.gathering.begin_record import BeginRecord, NotAJournal, read_begin, record_fields
from p2p304.wire.canonical import Value, encode


@dataclass(frozen=True, slots=True)
class PlaceRecord:
    """One place of the log as this player saw it: the entry, its own receipt, and the receipts for
    the entry before."""

    entry: bytes
    receipt: bytes | None
    before: tuple[Receipt, ...]

    def encode(self) -> bytes:
        before: list[Value] = [
            {"author": r.author, "claim": r.claim, "sig": r.sig} for r in self.before
        ]
        return encode(
            {"before": before, "entry": self.entry, "receipt": self.receipt, "t": "entry"}
        )


@dataclass(frozen=True, slots=True)
class TableJournal:
    """A whole journal: the first record, and all places."""

    begin: BeginRecord
    past: tuple[PlaceRecord, ...]


def read_journal(records: Sequence[bytes]) -> TableJournal:
    """Read a journal's records; raises NotAJournal."""
    if not records:
        raise NotAJournal("it is empty")
    begin = read_begin(records[0])
    past: list[PlaceRecord] = []
    for record in records[1:]:
        _drop_superseded(past, record, begin.terms.table)
        past.append(_parse_place(record, len(past), past[-1].entry if past else None))
    return TableJournal(begin, tuple(past))


def _drop_superseded(past: list[PlaceRecord], record: bytes, table: bytes) -> None:
    """Drop the earlier records that this record replaces.

    A second record for the last place replaces the first one: it has the receipt that had not been
    given. If a hand is played out under another name of the table, what had been written at its
    first place is dropped, because it bound no player."""
    try:
        raw = record_fields(record, "entry", {"before", "entry", "receipt"})["entry"]
        entry = parse_entry(raw).entry
    except (Refused, TypeError) as error:
        raise NotAJournal(f"place {len(past)} is malformed") from error
    is_same = bool(past) and past[-1].entry == raw
    if entry.seq == len(past) - 1 and (is_same or entry.table != table):
        del past[entry.seq :]


def _parse_place(record: bytes, seq: int, before: bytes | None) -> PlaceRecord:
    fields = record_fields(record, "entry", {"before", "entry", "receipt"})
    try:
        if parse_entry(fields["entry"]).entry.seq != seq:
            raise NotAJournal(f"place {seq} is missing")
        receipts = tuple(_parse_receipt_item(item, seq - 1, before) for item in fields["before"])
    except (Refused, TypeError) as error:
        raise NotAJournal(f"place {seq} is malformed") from error
    return PlaceRecord(fields["entry"], fields["receipt"], receipts)


def _parse_receipt_item(item: Any, seq: int, before: bytes | None) -> Receipt:
    if before is None or not isinstance(item, dict):
        raise NotAJournal("it has receipts for nothing")
    table = parse_entry(before).entry.table
    return parse_receipt(encode({**item, "head": link_of(before), "seq": seq, "table": table}))
