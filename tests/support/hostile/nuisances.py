"""The catalogue's other half: bytes that are refused without anybody being named, because nothing
that a player signed proves that the player sent them. Play goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from p2p304.crypto.group import base
from p2p304.log.entry import Receipt, sign_entry, sign_receipt
from p2p304.log.evidence import BOX, Evidence, of_fork, of_split
from p2p304.table.machine.table_machine import TableMachine
from p2p304.wire.canonical import encode
from p2p304.wire.framing import FrameKind
from tests.support.cheats.harness import corrupt
from tests.support.table import simnet

Message = tuple[FrameKind, bytes]


class Nuisance:
    """What a peer sends; ``check`` refuses it, or None where it is dropped without a word."""

    check: ClassVar[str | None]
    also: ClassVar[str | None] = None
    """Another check that refuses some of it."""
    without: ClassVar[bool] = False
    """Whether the others are to lack the sender's receipt that is spoken of."""

    def messages(self, me: TableMachine) -> list[Message]:
        """``me`` is the sender's own machine, at a place where an entry is awaited."""
        raise NotImplementedError


def entry(me: TableMachine, **changes: object) -> bytes:
    """A well signed entry for the next place, with fields changed before signing."""
    chain = me.chain
    fields: dict[str, object] = {
        "table": chain.table,
        "seq": chain.next_seq,
        "prev": chain.head,
        "author": me.me.player,
        "kind": "say",
        "body": {"word": "pass"},
        **changes,
    }
    return sign_entry(me.me.key, **fields).raw  # type: ignore[arg-type]


def receipt(
    me: TableMachine, seq: int, head: bytes, author: int | None = None, table: bytes | None = None
) -> Receipt:
    who = me.me.player if author is None else author
    return sign_receipt(me.me.key, table or me.chain.table, seq, head, who, None)


def foreign(me: TableMachine) -> int:
    """A place whose entry the sender did not write."""
    return next(e.entry.seq for e in reversed(me.chain.entries) if e.entry.author != me.me.player)


class Garbage(Nuisance):
    """Bytes that are no entry."""

    check = "W01"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.ENTRY, b"what")]


class NotTheShortestForm(Nuisance):
    """An entry with a byte after it."""

    check = "W01"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.ENTRY, entry(me) + b"\xc0")]


class NoReceipt(Nuisance):
    """Bytes that are no receipt."""

    check = "W02"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.RECEIPT, encode({"author": 1}))]


class NoEvidence(Nuisance):
    """Bytes that are no evidence."""

    check = "W03"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.EVIDENCE, encode({"kind": "gossip"}))]


class NoSync(Nuisance):
    """A sync message about an impossible place."""

    check = "W05"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.SYNC, encode({"have": -1, "receipts": []}))]


class SyncOfANinthPlayer(Nuisance):
    """A sync message that names player 8."""

    check = "W05"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.SYNC, encode({"have": 0, "receipts": [8]}))]


class SyncOfNineReceipts(Nuisance):
    """A sync message that names nine players."""

    check = "W05"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.SYNC, encode({"have": 0, "receipts": [0] * 9}))]


class OfAnotherTable(Nuisance):
    """An entry of another table."""

    check = "L01"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.ENTRY, entry(me, table=bytes(32)))]


class ReceiptOfAnotherTable(Nuisance):
    """A receipt of another table."""

    check = "L01"

    def messages(self, me: TableMachine) -> list[Message]:
        at = foreign(me)
        sent = receipt(me, at, me.chain.entries[at].link, table=bytes(32))
        return [(FrameKind.RECEIPT, sent.encode())]


class OfAFifthPlayer(Nuisance):
    """An entry by a player who does not sit here."""

    check = "L02"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.ENTRY, entry(me, author=7))]


class InAnothersName(Nuisance):
    """An entry in another player's name, under its own signature."""

    check = "L03"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.ENTRY, entry(me, author=(me.me.player + 1) % 4))]


class ForgeryOfThePast(Nuisance):
    """Another entry for a place that is taken, in its author's name."""

    check = "L03"

    def messages(self, me: TableMachine) -> list[Message]:
        at = foreign(me)
        past = me.chain.entries[at].entry
        return [(FrameKind.ENTRY, entry(me, seq=at, author=past.author, prev=past.prev))]


class AfterAnotherEntry(Nuisance):
    """An entry that follows another one than the last."""

    check = "L05"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.ENTRY, entry(me, prev=bytes(32)))]


class ReceiptInAnothersName(Nuisance):
    """A receipt in another player's name."""

    check = "L07"

    def messages(self, me: TableMachine) -> list[Message]:
        last = me.chain.entries[-1]
        other = next(n for n in range(4) if n not in (me.me.player, last.entry.author))
        sent = receipt(me, last.entry.seq, last.link, author=other)
        return [(FrameKind.RECEIPT, sent.encode())]


class ReceiptBent(Nuisance):
    """A receipt with one bit of its signature changed."""

    check = "L07"

    def messages(self, me: TableMachine) -> list[Message]:
        at = foreign(me)
        honest = receipt(me, at, me.chain.entries[at].link)
        return [(FrameKind.RECEIPT, replace(honest, sig=corrupt(honest.sig)).encode())]


class ReceiptForAnotherEntry(Nuisance):
    """A receipt for an entry that nobody else has seen: it proves nothing while it stands alone."""

    check = "L08"
    without = True

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.RECEIPT, receipt(me, foreign(me), bytes(32)).encode())]


class ReceiptForItself(Nuisance):
    """A receipt for its own entry."""

    check = "L09"

    def messages(self, me: TableMachine) -> list[Message]:
        own = [e for e in me.chain.entries if e.entry.author == me.me.player][-1]
        return [(FrameKind.RECEIPT, receipt(me, own.entry.seq, own.link).encode())]


class EvidenceOfNothing(Nuisance):
    """Two entries for different places as evidence of a fork."""

    check = "E01"

    def messages(self, me: TableMachine) -> list[Message]:
        evidence = of_fork(me.chain.entries[1].raw, me.chain.entries[2].raw)
        return [(FrameKind.EVIDENCE, evidence.encode())]


class EvidenceOfABoxWhereNoneIs(Nuisance):
    """A word about a sealed share at a table whose rules seal none: an entry with points for
    shares, well signed by the accuser itself."""

    check = "E01"

    def messages(self, me: TableMachine) -> list[Message]:
        share = base(5) + base(6) + bytes(48)
        shuffle = {"key": base(7), "knows": b"x", "deck": [base(9)], "proof": b"x"}
        raw = entry(me, kind="shuffle", body={**shuffle, "shares": [share] * 3})
        words = [{"point": base(3), "proof": bytes(64), "seat": seat} for seat in (0, 3, 8, 2**60)]
        return [(FrameKind.EVIDENCE, Evidence(BOX, raw, encode(word)).encode()) for word in words]  # type: ignore[arg-type]


class FramesItsNeighbour(Nuisance):
    """Evidence against a neighbour, half of it signed by the accuser."""

    check = "E01"

    def messages(self, me: TableMachine) -> list[Message]:
        at = foreign(me)
        past = me.chain.entries[at]
        false = entry(me, seq=at, author=past.entry.author, prev=past.entry.prev)
        return [(FrameKind.EVIDENCE, of_fork(past.raw, false).encode())]


class TwiceTheSameReceipt(Nuisance):
    """One receipt as both halves of its evidence: there is only one."""

    check = "W03"

    def messages(self, me: TableMachine) -> list[Message]:
        at = foreign(me)
        one = receipt(me, at, me.chain.entries[at].link).encode()
        assert of_split(one, one).first == one
        return [(FrameKind.EVIDENCE, Evidence("split", one, one).encode())]


class FloodOfTheFuture(Nuisance):
    """Thousands of entries for places far ahead."""

    check = None

    def messages(self, me: TableMachine) -> list[Message]:
        ahead = entry(me, seq=me.chain.next_seq + 9)
        return [(FrameKind.ENTRY, ahead)] * 3000


class FloodOfTheSame(Nuisance):
    """The last entry again and again."""

    check = None

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.ENTRY, me.chain.entries[-1].raw)] * 500


class ManyMapsOfNothing(Nuisance):
    """An entry of 62 kB that holds 62,000 empty maps: each would cost more than its byte."""

    check = "W01"

    def messages(self, me: TableMachine) -> list[Message]:
        maps = b"\xdc\x03\xfc" + b"\x80" * 1020
        many = b"\xdc\x00\x3c" + maps * 60
        return [
            (
                FrameKind.ENTRY,
                entry(me, body={"word": 0}).replace(b"\xa4word\x00", b"\xa4word" + many),
            )
        ]


class AForgeryAgainAndAgain(Nuisance):
    """Entries in another's name, more than any fault explains: the sender is named and cut off."""

    check, also = "W14", "L03"

    def messages(self, me: TableMachine) -> list[Message]:
        other = (me.me.player + 1) % 4
        return [(FrameKind.ENTRY, entry(me, author=other, body={"word": f"{n}"})) for n in range(9)]


class EarlyEntriesInOthersNames(Nuisance):
    """Entries and receipts for the place after the next, in everybody else's name, to leave no
    room for honest ones."""

    check = None

    def messages(self, me: TableMachine) -> list[Message]:
        at, others = me.chain.next_seq + 1, [n for n in range(4) if n != me.me.player]
        forged: list[Message] = []
        for n in range(40):
            raw = entry(me, seq=at, author=others[n % 3], body={"word": f"{n}"})
            said = receipt(me, at, bytes([n]) * 32, author=others[n % 3])
            forged += [(FrameKind.ENTRY, raw), (FrameKind.RECEIPT, said.encode())]
        return forged


class FloodOfQuestions(Nuisance):
    """Two questions for the whole log, in turn, faster than anybody needs answers."""

    check = None

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.SYNC, encode({"have": n % 2, "receipts": []})) for n in range(400)]


class FloodOfGarbage(Nuisance):
    """Bytes that are nothing, again and again: each is refused, the link is cut."""

    check, also = "W01", "W14"

    def messages(self, me: TableMachine) -> list[Message]:
        return [(FrameKind.ENTRY, bytes([n % 256]) * 40) for n in range(200)]


NUISANCES: list[type[Nuisance]] = Nuisance.__subclasses__()


def without_receipts(net: simnet.Net, sender: int) -> None:
    """Nobody has the sender's receipt for the last entry of another yet."""
    for table in net.tables:
        table.chain._receipts[foreign(net.tables[sender])].pop(sender)


def deliver(net: simnet.Net, sender: int, nuisance: Nuisance) -> None:
    """Everybody else gets the sender's messages, past the network's queue."""
    for kind, payload in nuisance.messages(net.tables[sender]):
        for target, table in enumerate(net.tables):
            if target != sender:
                table.receive(net.keys[sender], kind, payload, net.now)
    for number in range(len(net.tables)):
        net.collect(number)
