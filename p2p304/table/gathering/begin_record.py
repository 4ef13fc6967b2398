"""The first record of a node's journal: how a table began for one player.

Responsible for its bytes (SPEC.md, "Coming back"); the records of places are
table/exchange/journal_records.py's. The record is written before this player's signature is sent. A
journal holds no secret.

``{t: "begin", list, pledges, v}``: the founder's list as it travels, and each guest's pledge in the
list's order with its author's signature.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from p2p304.log.faults import Refused
from p2p304.table.agreement.terms import Player, Terms
from p2p304.table.gathering.messages import Pledge, Seated, lobby_bytes, parse_lobby
from p2p304.wire.canonical import NotCanonical, decode, encode

JOURNAL, TRANSCRIPT = "journal", "transcript"
"""The names under which journal records and settled blocks are persisted."""
VERSION = 2


class NotAJournal(ValueError):
    """The records were not written by this program, or are not in this order."""


@dataclass(frozen=True, slots=True)
class BeginRecord:
    """How a table began for one player."""

    list: Seated
    pledges: tuple[Pledge, ...]

    @property
    def terms(self) -> Terms:
        """The terms that every player signs. They follow from the list and the pledges."""
        keys = (guest.key for guest in self.list.guests)
        pledge = dict(zip(keys, self.pledges, strict=True))
        players = tuple(
            Player(g.key, g.nick, pledge[g.key].pledge, g.bot) for g in self.list.in_seats
        )
        here = self.list
        return Terms(here.name, here.rules, here.hands, players, here.watch, here.after)

    def encode(self) -> bytes:
        return encode(
            {
                "list": lobby_bytes(self.list),
                "pledges": [p.pledge + p.sig for p in self.pledges],
                "t": "begin",
                "v": VERSION,
            }
        )


def read_begin(record: bytes) -> BeginRecord:
    """Read a journal's first record; raises NotAJournal."""
    fields = record_fields(record, "begin", {"list", "pledges", "v"})
    pledges, raw = fields["pledges"], fields["list"]
    if fields["v"] != VERSION:
        raise NotAJournal("its beginning is of another version")
    try:
        seated = parse_lobby(raw)
        signed = tuple(Pledge.parse(pledge) for pledge in pledges)
    except (Refused, TypeError) as error:
        raise NotAJournal("its beginning is malformed") from error
    if not isinstance(seated, Seated) or len(pledges) != len(seated.guests):
        raise NotAJournal("its beginning is malformed")
    return BeginRecord(seated, signed)


def record_fields(record: bytes, word: str, names: set[str]) -> dict[str, Any]:
    """Read the fields of a record of this kind, exactly these; raises NotAJournal."""
    try:
        value = decode(record)
    except NotCanonical as error:
        raise NotAJournal("a record of it is malformed") from error
    if not isinstance(value, dict) or set(value) != {*names, "t"} or value["t"] != word:
        raise NotAJournal(f"a record of it is not {word!r}")
    return value
