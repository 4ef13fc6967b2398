"""The catalogue of words that are none: chat, messages of the gathering, words of parting and
questions of spectators. The node hangs up, names nobody, and the table goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from p2p304.log.absence_vote import READY, PartingPlace, parse_word, say
from p2p304.table.exchange.chat import parse_chat
from p2p304.table.exchange.notes import NOTHING, Note, note_bytes, parse_note
from p2p304.table.gathering.exchange.messages import Full, lobby_bytes, parse_lobby
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.spectators import parse_watch, watch_bytes
from p2p304.wire.canonical import decode, encode
from p2p304.wire.framing import FrameKind

READERS: dict[FrameKind, Callable[[bytes], Any]] = {
    FrameKind.LOBBY: parse_lobby,
    FrameKind.PART: parse_word,
    FrameKind.WATCH: parse_watch,
    FrameKind.TALK: parse_chat,
    FrameKind.NOTE: parse_note,
}
STRANGER = b"E" * 32


class NoWord:
    """What a peer sends; ``check`` refuses it."""

    check: ClassVar[str]
    kind: ClassVar[FrameKind]

    def payload(self, me: TableMachine) -> bytes:
        raise NotImplementedError


class Gathering(NoWord):
    check, kind = "W06", FrameKind.LOBBY


class Parting(NoWord):
    check, kind = "W07", FrameKind.PART


class Watching(NoWord):
    check, kind = "W08", FrameKind.WATCH


class Noting(NoWord):
    check, kind = "W33", FrameKind.NOTE


class Talking(NoWord):
    """A chat message that its reader refuses; a subclass names its check if it is not W09."""

    check, kind = "W09", FrameKind.TALK


def changed(raw: bytes, **fields: Any) -> bytes:
    value = decode(raw)
    assert isinstance(value, dict)
    return encode({**value, **fields})


def ready(me: TableMachine) -> bytes:
    where = PartingPlace(me.chain.table, me.chain.next_seq, me.chain.head, (me.me.player + 1) % 4)
    return say(me.me.key, READY, where, me.me.player).encode()


class GathersWithAWordThatIsNone(Gathering):
    """A message of the gathering that nobody has heard of."""

    def payload(self, me: TableMachine) -> bytes:
        return encode({"t": "hello"})


class GathersWithAFieldTooMany(Gathering):
    """A refusal with more in it than belongs there."""

    def payload(self, me: TableMachine) -> bytes:
        return changed(lobby_bytes(Full("full")), more=1)


class PartsWithoutAStep(Parting):
    """A word of parting that is neither ready nor part."""

    def payload(self, me: TableMachine) -> bytes:
        return changed(ready(me), t="perhaps")


class PartsFromNobody(Parting):
    """A word of parting without a ninth player, who cannot be."""

    def payload(self, me: TableMachine) -> bytes:
        return changed(ready(me), absent=8)


class PartsWithHalfASignature(Parting):
    """A word of parting whose signature is cut short."""

    def payload(self, me: TableMachine) -> bytes:
        return changed(ready(me), sig=bytes(32))


class PartsWithoutReadies(Parting):
    """A part that shows nobody's *ready*."""

    def payload(self, me: TableMachine) -> bytes:
        return changed(ready(me), t="part")


class AsksForMoreThanToWatch(Watching):
    """A spectator's question with a second one in it."""

    def payload(self, me: TableMachine) -> bytes:
        return changed(watch_bytes(0), hands=True)


class WatchesFromAPlaceBeforeTheFirst(Watching):
    """A spectator's question for place -1."""

    def payload(self, me: TableMachine) -> bytes:
        return changed(watch_bytes(0), have=-1)


class NotesACodeOfNumbers(Noting):
    """A note that says 1 where it should say true."""

    def payload(self, me: TableMachine) -> bytes:
        return changed(note_bytes(NOTHING), code=1)


class NotesMoreThanItMay(Noting):
    """A note with a field more."""

    def payload(self, me: TableMachine) -> bytes:
        return changed(note_bytes(NOTHING), cards=["JS"])


class NotesASentence(Noting):
    """A note that names a spectator with a sentence of the program."""

    def payload(self, me: TableMachine) -> bytes:
        return changed(note_bytes(NOTHING), watched=["Eve. Your turn"])


class NotesTooManySpectators(Noting):
    """A note with seventeen names."""

    def payload(self, me: TableMachine) -> bytes:
        return changed(note_bytes(NOTHING), watched=["Eve"] * 17)


class TalksInControlCharacters(Talking):
    """A remark that would move the cursor."""

    def payload(self, me: TableMachine) -> bytes:
        return b"good \x1b[2J luck"


class TalksTooMuch(Talking):
    """A remark of 201 characters."""

    def payload(self, me: TableMachine) -> bytes:
        return b"x" * 201


class TalksInBrokenText(Talking):
    """Bytes that are no UTF-8."""

    def payload(self, me: TableMachine) -> bytes:
        return b"\xff\xfe"


class TalksWithAGap(Talking):
    """A remark with two spaces in a row."""

    def payload(self, me: TableMachine) -> bytes:
        return b"good  luck"


class TalksAfterASpace(Talking):
    """A remark that begins with a space."""

    def payload(self, me: TableMachine) -> bytes:
        return b" good luck"


class TalksOfNothing(Talking):
    """A remark without a character."""

    def payload(self, me: TableMachine) -> bytes:
        return b""


class TalksUnderMarks(Talking):
    """A remark with three combining marks in a row."""

    def payload(self, me: TableMachine) -> bytes:
        return "go\u0301\u0302\u0303d".encode()


class TalksInvisibly(Talking):
    """A remark with a space of no width, and nothing else wrong."""

    def payload(self, me: TableMachine) -> bytes:
        return "good\u200bluck".encode()


GOOD_WORDS: dict[str, tuple[FrameKind, bytes, str]] = {
    "TalksAtLength": (FrameKind.TALK, "\u0d85".encode() * 200, "200 characters, 600 bytes"),
    "TalksWithMarks": (FrameKind.TALK, "e\u0301: (no), good.".encode(), "marks of punctuation"),
    "TalksSinhala": (
        FrameKind.TALK,
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3 \u0301a".encode(),
        "a joiner after a virama; a word that begins with a combining mark",
    ),
    "WatchesFromTheLastPlace": (FrameKind.WATCH, watch_bytes(2**32 - 1), "place 2^32 - 1"),
    "NotesAtLength": (
        FrameKind.NOTE,
        note_bytes(Note(True, ("\U00011183" * 32,) * 16)),
        "sixteen names of 32 characters with four bytes, all the same",
    ),
    "SyncOfEightReceipts": (
        FrameKind.SYNC,
        encode({"have": 0, "receipts": [7] * 8}),
        "eight numbers of one player that no table of four has",
    ),
}
"""Name to a frame's kind and payload, and what it is: words that no check refuses."""
NO_WORDS: list[type[NoWord]] = [
    each for kind in NoWord.__subclasses__() for each in kind.__subclasses__()
]
