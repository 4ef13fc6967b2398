"""Parting: everybody but one who is gone agrees that the table ends here.

Owns the agreement's messages, its two steps and its certificate (SPEC.md, "Leaving for good").
First every player present says that it is *ready*; only when all present are, and still want to,
a program signs the *part* itself, which binds: nothing at this table is accepted after it. Who
has ever said ready joins a part that another signed, even if the absent one came back to it
meanwhile. That is safe: who is bound gives no receipt, so nothing said after that place can be
settled, and where it is settled nobody is left to begin a part. Both words are written down
before they are sent.
The hand in play is void without payment; tokens stand as after the last whole hand. It
verifies no entry and knows no clock.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.crypto.signing import SigningKey, verify
from p2p304.log.chain import of_this_table, seated_here, signed_by_author
from p2p304.log.entry import LINK, MAX_PLAYERS, MAX_SEQ, SIGNATURE
from p2p304.log.faults import Refused
from p2p304.table.terms import Terms
from p2p304.wire.canonical import NotCanonical, Value, decode, encode
from p2p304.wire.effects import Effect, Persist, Send
from p2p304.wire.framing import FrameKind

PARTING = "parting"
"""The name under which an own part, and later the certificate, is persisted."""
READY, PART = "ready", "part"
_LABELS = {READY: b"p2p304 ready\x00", PART: b"p2p304 part\x00"}


@dataclass(frozen=True, slots=True)
class Where:
    """What is agreed: after this head, whose place would be ``seq`` - 1, without this player."""

    table: bytes
    seq: int
    head: bytes
    absent: int

    def to_value(self) -> dict[str, Value]:
        return {"absent": self.absent, "head": self.head, "seq": self.seq, "table": self.table}


@dataclass(frozen=True, slots=True)
class Word:
    """One player's signed word: ready, or the part itself."""

    step: str
    where: Where
    author: int
    sig: bytes

    def encode(self) -> bytes:
        return encode({
            **self.where.to_value(), "author": self.author, "sig": self.sig, "t": self.step,
        })  # fmt: skip

    def is_signed_by(self, key: bytes) -> bool:
        return verify(key, _LABELS[self.step] + encode(self.where.to_value()), self.sig)


def say(key: SigningKey, step: str, where: Where, author: int) -> Word:
    return Word(step, where, author, key.sign(_LABELS[step] + encode(where.to_value())))


def _malformed(why: str) -> Refused:
    """W07: a word of parting, or a certificate of them, has not its form."""
    return Refused("W07", why)


def parse_word(raw: bytes) -> Word:
    """Decode strictly; raises Refused W07."""
    try:
        value = decode(raw)
    except NotCanonical as error:
        raise _malformed("this word of parting is not canonical") from error
    names = {"absent", "author", "head", "seq", "sig", "t", "table"}
    if not isinstance(value, dict) or set(value) != names:
        raise _malformed("this word of parting has other fields")
    step, numbers = value["t"], (value["absent"], value["author"], value["seq"])
    octets = ((value["head"], LINK), (value["table"], LINK), (value["sig"], SIGNATURE))
    if not isinstance(step, str) or step not in _LABELS:
        raise _malformed("this word of parting is neither ready nor part")
    for part, size in octets:
        if not isinstance(part, bytes) or len(part) != size:
            raise _malformed("a field of this word of parting is not of its size")
    for number, limit in zip(numbers, (MAX_PLAYERS, MAX_PLAYERS, MAX_SEQ), strict=True):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < limit:
            raise _malformed("a number in this word of parting is out of range")
    absent, author, seq = (int(n) for n in numbers if isinstance(n, int))
    head, table, sig = (bytes(part) for part, _ in octets if isinstance(part, bytes))
    return Word(step, Where(table, seq, head, absent), author, sig)


def check_word(word: Word, terms: Terms) -> None:
    """Raises Refused: L01 another table, L02 nobody here, L03 not signed by its author."""
    of_this_table(word.where.table == terms.table)
    seated_here(max(word.author, word.where.absent) < len(terms.keys))
    present = word.author != word.where.absent
    signed_by_author(present and word.is_signed_by(terms.keys[word.author]))


@dataclass(frozen=True, slots=True)
class Certificate:
    """Everybody's part but the absent one's: the table's end, for anybody who has the terms."""

    words: tuple[Word, ...]

    def encode(self) -> bytes:
        return encode([word.encode() for word in self.words])


def read_certificate(raw: bytes, terms: Terms) -> Where:
    """What was agreed; raises Refused (W07, L01 to L03, E02 if somebody's part is missing)."""
    try:
        value = decode(raw)
    except NotCanonical as error:
        raise _malformed("this certificate is not canonical") from error
    if not isinstance(value, list) or not all(isinstance(item, bytes) for item in value):
        raise _malformed("this certificate is malformed")
    words = [parse_word(item) for item in value if isinstance(item, bytes)]
    for word in words:
        check_word(word, terms)
    whole = {word.author for word in words} | {word.where.absent for word in words}
    same = len({word.where for word in words}) == 1 and all(w.step == PART for w in words)
    if not same or whole != set(range(len(terms.keys))) or len(words) != len(terms.keys) - 1:
        raise Refused("E02", "this certificate lacks somebody's part")
    return words[0].where


class Parting:
    """One node's side. Drain `effects`; `bound` and `certificate` say how far it is."""

    def __init__(self, key: SigningKey, terms: Terms) -> None:
        self.certificate: Certificate | None = None
        self._key, self._terms = key, terms
        self._me = terms.keys.index(key.public)
        self._mine: Where | None = None
        self._part: Word | None = None
        self._promised: set[Where] = set()
        self._ready: dict[tuple[Where, int], Word] = {}
        self._parts: dict[tuple[Where, int], Word] = {}
        self._effects: list[Effect] = []

    @property
    def bound(self) -> bool:
        """Whether this node has signed its part: it accepts nothing else at this table."""
        return self._part is not None

    def restore(self, records: list[bytes]) -> None:
        """What was said, from disk; raises Refused."""
        for raw in records:
            if raw.startswith(b"\x87"):
                self._remember(parse_word(raw))

    def _remember(self, word: Word) -> None:
        check_word(word, self._terms)
        self._promised.add(word.where)
        if word.step == PART:
            self._part, self._mine = word, word.where
            self._parts[word.where, self._me] = word

    def wish(self, where: Where) -> None:
        """This player is ready to part without ``where.absent``."""
        if self.bound or where.absent == self._me:
            return
        self._mine = where
        word = say(self._key, READY, where, self._me)
        if where not in self._promised:
            self._promised.add(where)
            self._effects.append(Persist(PARTING, word.encode()))
        self._ready[where, self._me] = word
        self._send(word)
        self._go_on()

    def moved_on(self, seq: int) -> None:
        """Play went on, or the absent one is back: the wish is over, unless it is bound."""
        if self._mine is not None and self._mine.seq != seq and not self.bound:
            self._ready.pop((self._mine, self._me), None)
            self._mine = None

    def repeat(self) -> None:
        """Say again what has not had its effect; to be called now and then."""
        if self._part is not None:
            self._send(self._part)
        elif self._mine is not None:
            self._send(self._ready[self._mine, self._me])

    def receive(self, payload: bytes) -> Word:
        """Take one word; raises Refused."""
        word = parse_word(payload)
        check_word(word, self._terms)
        kept = self._ready if word.step == READY else self._parts
        if len(kept) < MAX_PLAYERS * MAX_PLAYERS:
            kept[word.where, word.author] = word
        if word.step == PART and word.where in self._promised and not self.bound:
            self._mine = word.where
            self._bind(word.where)
        self._go_on()
        return word

    def ready_without(self, absent: int) -> tuple[int, ...]:
        """Who has said ready to part without this player."""
        return tuple(sorted({who for where, who in self._ready if where.absent == absent}))

    def effects(self) -> list[Effect]:
        drained, self._effects = self._effects, []
        return drained

    def _go_on(self) -> None:
        where = self._mine
        if where is None or self.certificate is not None:
            return
        present = [n for n in range(len(self._terms.keys)) if n != where.absent]
        said = [(where, n) in self._ready or (where, n) in self._parts for n in present]
        if self._part is None and all(said):
            self._bind(where)
        if all((where, n) in self._parts for n in present):
            self.certificate = Certificate(tuple(self._parts[where, n] for n in present))
            self._effects.append(Persist(PARTING, self.certificate.encode()))

    def _bind(self, where: Where) -> None:
        self._part = say(self._key, PART, where, self._me)
        self._parts[where, self._me] = self._part
        self._effects.append(Persist(PARTING, self._part.encode()))
        self._send(self._part)

    def _send(self, word: Word) -> None:
        self._effects.append(Send(None, FrameKind.PART, word.encode()))
