"""The first record of a node's journal: how a table began for one player.

Responsible for its bytes (SPEC.md, "Coming back"); the records of places are
table/exchange/journal_records.py's. The record is written before this player's signature is sent. A
journal holds no secret.

``{t: "begin", list, pledges, v}``: the founder's list as it travels, and each guest's pledge in the
list's order with its author's signature.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.log.faults import Refused
from p2p304.rules.core.phrases import english
from p2p304.table.agreement.terms import Player, Terms
from p2p304.table.gathering.exchange.messages import (
    PLEDGE_FORM,
    Pledge,
    Seated,
    lobby_bytes,
    parse_lobby,
)
from p2p304.wire.canonical import Value
from p2p304.wire.forms import Form, Malformed, checked, many, octets, of, record

JOURNAL, TRANSCRIPT = "journal", "transcript"
"""The names under which journal records and settled blocks are persisted."""
VERSION = 2


class NotAJournal(ValueError):
    """The records were not written by this program, or are not in this order."""


def _read_list(value: Value) -> Seated:
    message = parse_lobby(octets().read(value))
    if not isinstance(message, Seated):
        raise Malformed("no list of players")
    return message


@dataclass(frozen=True, slots=True)
class BeginRecord:
    """How a table began for one player."""

    list: Seated = of(Form(_read_list, {"type": "bytes"}, lobby_bytes))
    pledges: tuple[Pledge, ...] = of(many(PLEDGE_FORM))

    @property
    def terms(self) -> Terms:
        """The terms that every player signs. They follow from the list and the pledges."""
        begun, keys = self.list, (guest.key for guest in self.list.guests)
        pledge = dict(zip(keys, self.pledges, strict=True))
        players = tuple(Player(g.key, g.nick, pledge[g.key].pledge, g.bot) for g in begun.in_seats)
        return Terms(begun.name, begun.rules, begun.hands, players, begun.watch, begun.after)

    def encode(self) -> bytes:
        return _BEGIN.encode(self)


_BEGIN = checked(
    record(BeginRecord, t="begin", v=VERSION),
    lambda begin: len(begin.pledges) == len(begin.list.guests),
    "not as many pledges as players",
)


def read_begin(raw: bytes) -> BeginRecord:
    """Read a journal's first record; raises NotAJournal."""
    try:
        return _BEGIN.decode(raw)
    except (Malformed, Refused) as error:
        raise NotAJournal(english("its beginning is malformed, or of another version")) from error
