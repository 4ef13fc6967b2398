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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from p2p304.log.entry import Receipt, parse_entry
from p2p304.log.faults import Refused
from p2p304.log.transcript import RECEIPTS_FORM, receipt_items, receipts_for
from p2p304.rules.core.phrases import english
from p2p304.table.gathering.exchange.begin_record import BeginRecord, NotAJournal, read_begin
from p2p304.wire.canonical import encode
from p2p304.wire.forms import Malformed, exactly, maybe, octets, one_of


@dataclass(frozen=True, slots=True)
class PlaceRecord:
    """One place of the log as this player saw it: the entry, its own receipt, and the receipts for
    the entry before."""

    entry: bytes
    receipt: bytes | None
    before: tuple[Receipt, ...]

    def encode(self) -> bytes:
        fields = {"entry": self.entry, "receipt": self.receipt, "t": "entry"}
        return encode({"before": receipt_items(self.before), **fields})


_PLACE = exactly(
    {"t": one_of("entry"), "entry": octets(), "receipt": maybe(octets()), "before": RECEIPTS_FORM}
)


@dataclass(frozen=True, slots=True)
class TableJournal:
    """A whole journal: the first record, and all places. ``records`` can be read again and
    again."""

    begin: BeginRecord
    records: Iterable[bytes]
    moves: int = 0
    """The number of places."""

    @property
    def past(self) -> tuple[PlaceRecord, ...]:
        return tuple(self.places())

    def places(self) -> Iterator[PlaceRecord]:
        """Read one place after the other; raises NotAJournal."""
        count, two = 0, tuple[PlaceRecord, ...]()  # the last place and the one before
        for raw in islice(self.records, 1, None):
            try:
                fields = _PLACE.decode(raw)
                entry = parse_entry(fields["entry"]).entry
            except (Malformed, Refused) as error:
                raise NotAJournal(f"place {count} is malformed: {error}") from error
            # A second record for the last place replaces the first: it has the receipt that had
            # not been given. If a hand is played out under another name of the table, what had
            # been written at its first place is dropped, because it bound no player.
            is_same = bool(two) and two[-1].entry == fields["entry"]
            if entry.seq == count - 1 and (is_same or entry.table != self.begin.terms.table):
                count, two = count - 1, two[:-1]
            elif len(two) == 2:
                yield two[0]
                two = two[1:]
            if entry.seq != count:
                raise NotAJournal(f"place {count} is missing")
            if fields["before"] and not two:
                raise NotAJournal(english("it has receipts for an entry that is missing"))
            before = receipts_for(parse_entry(two[-1].entry), fields["before"]) if two else ()
            count, two = count + 1, (*two, PlaceRecord(fields["entry"], fields["receipt"], before))
        yield from two


def read_journal(records: Iterable[bytes]) -> TableJournal:
    """Read and check a journal's records, which can be read again and again; raises
    NotAJournal."""
    first = next(iter(records), None)
    if first is None:
        raise NotAJournal(english("it is empty"))
    journal = TableJournal(read_begin(first), records)
    return replace(journal, moves=sum(1 for _ in journal.places()))
