"""The catalogue of false words of parting: well formed and well signed, by one who sits at the
table. Each is refused by its check; where two signatures exclude each other their author is
named, and the evidence convinces by itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from p2p304.log.absence_vote import PART, READY, STAY, AbsenceWord, PartingPlace, say
from p2p304.log.entry import sign_entry, sign_receipt
from p2p304.rules.variants.presets import preset
from p2p304.table.machine.table_machine import TableMachine
from p2p304.wire.effects import Send
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet

RULES = preset("pagat").override({"away": "replace"})
PLACE = 30
LIAR, VICTIM, ABSENT = 2, 0, 3
Message = tuple[FrameKind, bytes]


@cache
def game() -> simnet.Net:
    """A table before place 30; all that was said before is settled."""
    net = simnet.make_closed(3, 1, RULES)
    net.come_to(PLACE)
    for table in net.tables:
        table.replica.blocked_from = None
    return net


def where(net: simnet.Net, seq: int = PLACE, absent: int = ABSENT) -> PartingPlace:
    chain = net.tables[0].chain
    return PartingPlace(chain.table, seq, chain.entries[seq - 1].link, absent)


def word(
    net: simnet.Net,
    step: str,
    at: PartingPlace,
    author: int = LIAR,
    round_: int = 0,
    readies: Sequence[bytes] | None = None,
) -> AbsenceWord:
    """A word of this player; a part carries what all present had truly signed."""
    keys = [table.me.key for table in net.tables]
    present = [n for n in range(4) if n != at.absent]
    true = tuple(say(keys[n], READY, at, n, round_).sig for n in present)
    shown = tuple(true if readies is None else readies)
    return say(keys[author], step, at, author, round_, shown if step == PART else ())


class FalseWord:
    """What a liar tells one player; ``check`` refuses it."""

    check: ClassVar[str]
    proven: ClassVar[bool] = False
    kind: FrameKind = FrameKind.PART

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        raise NotImplementedError

    def messages(self, net: simnet.Net) -> list[Message]:
        return [(FrameKind.PART, each.encode()) for each in self.words(net)]


class IsReadyAtASettledPlace(FalseWord):
    """The one ready that a part for a settled place still lacked."""

    check = "E04"

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        return [word(net, READY, where(net, PLACE - 9))]


class StaysAtASettledPlace(FalseWord):
    """An answer to a wish that was over long ago."""

    check = "E04"

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        return [word(net, STAY, where(net, 12))]


class PartsWithAFalseReady(FalseWord):
    """A part that shows a ready which the receiver never signed."""

    check = "E05"

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        at = where(net)
        mine = word(net, READY, at).sig
        return [word(net, PART, at, readies=[bytes(64), mine, mine])]


class PartsWithTooFewReadies(FalseWord):
    """A part that shows two of three."""

    check = "E05"

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        at = where(net)
        return [word(net, PART, at, readies=word(net, PART, at).readies[:2])]


class PartsWithReadiesOfAnotherRound(FalseWord):
    """A part in a second attempt that shows what was said in the first."""

    check = "E05"

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        at = where(net)
        return [word(net, PART, at, round_=1, readies=word(net, PART, at).readies)]


class PartsWithReadiesOfAnotherPlace(FalseWord):
    """A part at this place that shows what was said for an earlier one."""

    check = "E05"

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        earlier = word(net, PART, where(net, PLACE - 1)).readies
        return [word(net, PART, where(net), readies=earlier)]


class PartsAtASettledPlace(FalseWord):
    """A part for a place long settled, with everybody's true ready of that time: its author has
    signed what came after."""

    check, proven = "E06", True

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        return [word(net, PART, where(net, 20))]


class PartsBeforeItsOwnReceipt(FalseWord):
    """A part for a place that is settled, by one whose receipt for it all have."""

    check, proven = "E06", True

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        return [word(net, PART, where(net, receipted(net)))]


class PartsAndWritesOn(FalseWord):
    """A part, and then an entry for that very place."""

    check, proven = "E06", True

    def messages(self, net: simnet.Net) -> list[Message]:
        part, chain = word(net, PART, where(net)), net.tables[LIAR].chain
        entry = sign_entry(
            net.tables[LIAR].me.key, chain.table, PLACE, chain.head, LIAR, "say", {"word": "pass"}
        )
        return [(FrameKind.PART, part.encode()), (FrameKind.ENTRY, entry.raw)]


class PartsAndReceiptsWhatComesLater(FalseWord):
    """A part, and then a receipt for a place after it that nobody has seen."""

    check, proven = "E06", True

    def messages(self, net: simnet.Net) -> list[Message]:
        part, chain = word(net, PART, where(net)), net.tables[LIAR].chain
        key = net.tables[LIAR].me.key
        late = sign_receipt(key, chain.table, PLACE + 7, bytes(32), LIAR, None)
        return [(FrameKind.PART, part.encode()), (FrameKind.RECEIPT, late.encode())]


class SaysReadyAndStay(FalseWord):
    """*Stay* to one player and *ready* to another, as soon as they compare."""

    check, proven = "E07", True

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        return [word(net, STAY, where(net)), word(net, READY, where(net))]


class StaysAfterItsPart(FalseWord):
    """*Stay* in a round whose *ready* the own part shows."""

    check, proven = "E07", True

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        return [word(net, PART, where(net)), word(net, STAY, where(net))]


class PartsFromTwo(FalseWord):
    """Parts from two different players at one place."""

    check, proven = "E07", True

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        return [word(net, PART, where(net)), word(net, PART, where(net, absent=1))]


class PartsAfterTwoHeads(FalseWord):
    """Parts at one place after different entries."""

    check, proven = "E07", True

    def words(self, net: simnet.Net) -> list[AbsenceWord]:
        one = where(net)
        other = PartingPlace(one.table, one.seq, bytes(32), one.absent)
        return [word(net, PART, one), word(net, PART, other)]


def receipted(net: simnet.Net) -> int:
    """A settled place whose entry the liar did not write."""
    entries = net.tables[0].chain.entries
    return next(e.entry.seq for e in reversed(entries) if e.entry.author != LIAR)


def sent_receipts(table: TableMachine) -> list[bytes]:
    return [
        e.payload for e in table.effects() if isinstance(e, Send) and e.kind is FrameKind.RECEIPT
    ]


FALSE_WORDS: list[type[FalseWord]] = FalseWord.__subclasses__()
