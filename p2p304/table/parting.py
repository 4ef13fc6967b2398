"""Parting: everybody but one who is gone agrees that the table ends here.

Owns the agreement's messages, its two steps and its certificate (SPEC.md, "Leaving for good").
First every player present says that it is *ready*; only when all present are, and still want to,
a program signs the *part* itself, which binds: nothing at this table is accepted after it. Who
has ever said ready joins a part that another signed, even if the absent one came back to it
meanwhile. That is safe: who is bound gives no receipt, so nothing said after that place can be
settled, and where it is settled nobody is left to begin a part. Both words are written down
before they are sent. Everybody's part but the absent one's is the *certificate*, which ends the
transcript; what becomes of the hand, the table's rules say (ending.py). It verifies no entry and
knows no clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Never

from p2p304.crypto.signing import SigningKey, verify
from p2p304.log.chain import Parts, Without, of_this_table, seated_here, signed_by_author
from p2p304.log.entry import LINK, MAX_PLAYERS, MAX_SEQ, SIGNATURE
from p2p304.log.faults import Refused
from p2p304.rules.away import WAIT
from p2p304.rules.options import Options
from p2p304.table.terms import Terms, digest
from p2p304.wire.canonical import NotCanonical, Value, decode, encode
from p2p304.wire.effects import Effect
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

PARTING = "parting"
"""The name under which an own part, and later the certificate, is persisted."""
READY, PART = "ready", "part"
_A_WORD = b"\x87"
"""A word is a map of seven fields; what is persisted otherwise is the certificate."""
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


def may_end(rules: Options, over: bool = False) -> None:
    """E03: the rules let players end the table without one who is gone, and it goes on."""
    if rules.away == WAIT or over:
        raise Refused("E03", "this table's rules are to wait for whoever is gone, or it is over")


def check_word(word: Word, terms: Terms) -> None:
    """Raises Refused: L01 another table, L02 nobody here, L03 not signed by its author, E03 where
    the table's rules are to wait."""
    of_this_table(word.where.table == terms.table)
    seated_here(max(word.author, word.where.absent) < len(terms.keys))
    present = word.author != word.where.absent
    signed_by_author(present and word.is_signed_by(terms.keys[word.author]))
    may_end(terms.rules)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Everybody's part but the absent one's: the table's end, for anybody who has the terms."""

    words: tuple[Word, ...]

    @property
    def where(self) -> Where:
        return self.words[0].where

    @property
    def parts(self) -> Parts:
        """Players and their signatures, as the transcript has them."""
        return tuple((word.author, word.sig) for word in self.words)

    @property
    def without(self) -> Without:
        """How the log goes on: under a name of its own, so that nothing signed for these places
        before contradicts what is signed there since."""
        where = self.where
        name = digest(b"p2p304 played out", encode(where.to_value()))
        return Without(where.seq, where.absent, self.parts, name)

    def encode(self) -> bytes:
        return encode([word.encode() for word in self.words])


def _is_whole(holds: bool) -> None:
    """E02: everybody's part but the absent one's is there, once, in the players' order."""
    if not holds:
        raise Refused("E02", "the table's end lacks somebody's part")


def certified(terms: Terms, seq: int, head: bytes, parts: Sequence[tuple[int, bytes]]
              ) -> Certificate:  # fmt: skip
    """The certificate of a transcript's last block, whose entry has the link ``head`` at place
    ``seq`` - 1. Raises Refused: E02 if somebody's part is missing, L03 for a false signature."""
    authors = [author for author, _ in parts]
    left = set(range(len(terms.keys))) - set(authors)
    _is_whole(authors == sorted(set(authors)) and len(left) == 1 and max(authors) < len(terms.keys))
    where = Where(terms.table, seq, head, left.pop())
    words = tuple(Word(PART, where, author, sig) for author, sig in parts)
    for word in words:
        check_word(word, terms)
    return Certificate(words)


def read_certificate(raw: bytes, terms: Terms) -> Certificate:
    """A certificate as it is persisted; raises Refused (W07, L01 to L03, and E02 if somebody's
    part is missing)."""
    try:
        value = decode(raw)
    except NotCanonical as error:
        raise _malformed("this certificate is not canonical") from error
    if not isinstance(value, list) or not all(isinstance(item, bytes) for item in value):
        raise _malformed("this certificate is malformed")
    words = [parse_word(item) for item in value if isinstance(item, bytes)]
    _is_whole({word.step for word in words} == {PART} and len({word.where for word in words}) == 1)
    where, parts = words[0].where, [(word.author, word.sig) for word in words]
    of_this_table(where.table == terms.table)
    return certified(terms, where.seq, where.head, parts)


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
        self.outbox = self._out = Outbox[Never]()

    @property
    def bound(self) -> bool:
        """Whether this node has signed its part, or knows that the others have ended the table:
        it signs nothing else here."""
        return self._part is not None or self.certificate is not None

    @property
    def place(self) -> int | None:
        """From this place on nothing is written any more; None while the table goes on."""
        where = self._mine if self.certificate is None else self.certificate.where
        return None if where is None or not self.bound else where.seq

    def restore(self, records: list[bytes]) -> None:
        """What was said, from disk; raises Refused."""
        for raw in records:
            if raw.startswith(_A_WORD):
                self._remember(parse_word(raw))
            else:
                self.certificate = read_certificate(raw, self._terms)

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
            self._out.keep(PARTING, word.encode())
        self._ready[where, self._me] = word
        self._send(word)
        self._go_on()

    def moved_on(self, seq: int) -> None:
        """Play went on, or the absent one is back: the wish is over, unless it is bound."""
        if self._mine is not None and self._mine.seq != seq and not self.bound:
            self._ready.pop((self._mine, self._me), None)
            self._mine = None

    def repeat(self) -> None:
        """Say again what has not had its effect; to be called now and then. Once all is agreed,
        everybody's part is told, so that whoever comes back learns of it from any one."""
        if self.certificate is not None:
            for part in self.certificate.words:
                self._send(part)
        elif self._part is not None:
            self._send(self._part)
        elif self._mine is not None:
            self._send(self._ready[self._mine, self._me])

    def receive(self, payload: bytes) -> Word:
        """Take one word; raises Refused."""
        word = parse_word(payload)
        check_word(word, self._terms)
        kept = self._ready if word.step == READY else self._parts
        if sum(author == word.author for _, author in kept) < MAX_PLAYERS:
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
        return self._out.effects()

    def _go_on(self) -> None:
        where = self._mine
        if where is not None and self._part is None:
            said = [(where, n) in self._ready or (where, n) in self._parts
                    for n in self._present(where)]  # fmt: skip
            if all(said):
                self._bind(where)
        self._complete()

    def _complete(self) -> None:
        """Everybody's part is here: for who signed, and for who was absent and has come back."""
        for where in {where for where, _ in self._parts}:
            present = self._present(where)
            if self.certificate is None and all((where, n) in self._parts for n in present):
                self.certificate = Certificate(tuple(self._parts[where, n] for n in present))
                self._out.keep(PARTING, self.certificate.encode())

    def _present(self, where: Where) -> list[int]:
        return [n for n in range(len(self._terms.keys)) if n != where.absent]

    def _bind(self, where: Where) -> None:
        self._part = say(self._key, PART, where, self._me)
        self._parts[where, self._me] = self._part
        self._out.keep(PARTING, self._part.encode())
        self._send(self._part)

    def _send(self, word: Word) -> None:
        self._out.send_to(None, FrameKind.PART, word.encode())
