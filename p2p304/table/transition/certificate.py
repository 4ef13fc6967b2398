"""The certificate: everybody's part but the absent one's, which ends a transcript.

Owns which words of parting a table takes, and when they are a whole certificate (SPEC.md, "Leaving
for good"). Who says what when is parting.py's; what becomes of the hand, ending.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p304.log.absence_vote import PART, STAY, AbsenceWord, PartingPlace, malformed, parse_word
from p2p304.log.chain import (
    Parts,
    Without,
    check_author_is_seated,
    check_is_of_this_table,
    check_is_signed_by_author,
)
from p2p304.log.faults import Refused
from p2p304.rules.variants.absence import WAIT
from p2p304.rules.variants.options import Options
from p2p304.table.agreement.terms import Terms, digest
from p2p304.wire.canonical import FEW_ITEMS, NotCanonical, decode, encode


def check_may_end(rules: Options, over: bool = False) -> None:
    """E03: the rules let players end the table without one who is gone, and it goes on."""
    if rules.away == WAIT or over:
        raise Refused("E03", "this table's rules are to wait for whoever is gone, or it is over")


def check_part(word: AbsenceWord, terms: Terms) -> None:
    """Raises Refused: L01 another table, L02 nobody here, L03 not signed by its author, E03 where
    the table's rules are to wait. What a part carries is not looked at."""
    check_is_of_this_table(word.where.table == terms.table)
    check_author_is_seated(max(word.author, word.where.absent) < len(terms.keys))
    present = word.author != word.where.absent or word.step == STAY
    check_is_signed_by_author(present and word.is_signed_by(terms.keys[word.author]))
    check_may_end(terms.rules)


def check_word(word: AbsenceWord, terms: Terms) -> None:
    """The same, and E05: a part carries everybody's *ready* but the absent one's."""
    check_part(word, terms)
    if word.step != PART:
        return
    whole = len(word.readies) == len(terms.keys) - 1
    if not whole or not all(one.is_signed_by(terms.keys[one.author]) for one in word.ready_words):
        raise Refused("E05", "this part does not carry everybody's ready")


@dataclass(frozen=True, slots=True)
class Certificate:
    """Everybody's part but the absent one's: the table's end, for anybody who has the terms. (As
    read from a transcript, its words carry no *ready*.)"""

    words: tuple[AbsenceWord, ...]

    @property
    def where(self) -> PartingPlace:
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


def _check_is_whole(holds: bool) -> None:
    """E02: everybody's part but the absent one's is there, once, in the players' order."""
    if not holds:
        raise Refused("E02", "the table's end lacks somebody's part")


def check_certificate(
    terms: Terms, seq: int, head: bytes, parts: Sequence[tuple[int, bytes]]
) -> Certificate:
    """The certificate of a transcript's last block, whose entry has the link ``head`` at place
    ``seq`` - 1. Raises Refused: E02 if somebody's part is missing, L03 for a false signature."""
    authors = [author for author, _ in parts]
    left = set(range(len(terms.keys))) - set(authors)
    _check_is_whole(
        authors == sorted(set(authors)) and len(left) == 1 and max(authors) < len(terms.keys)
    )
    where = PartingPlace(terms.table, seq, head, left.pop())
    words = tuple(AbsenceWord(PART, where, author, sig) for author, sig in parts)
    for word in words:
        check_part(word, terms)
    return Certificate(words)


def parse_certificate(raw: bytes, terms: Terms) -> Certificate:
    """A certificate as it is persisted; raises Refused (W07, L01 to L03, E05, and E02 if
    somebody's part is missing)."""
    try:
        value = decode(raw, FEW_ITEMS)
    except NotCanonical as error:
        raise malformed("this certificate is not canonical") from error
    if not isinstance(value, list) or not all(isinstance(item, bytes) for item in value):
        raise malformed("this certificate is malformed")
    words = tuple(parse_word(item) for item in value if isinstance(item, bytes))
    _check_is_whole(
        {word.step for word in words} == {PART} and len({word.where for word in words}) == 1
    )
    for word in words:
        check_word(word, terms)
    where = words[0].where
    check_certificate(terms, where.seq, where.head, [(word.author, word.sig) for word in words])
    return Certificate(words)
