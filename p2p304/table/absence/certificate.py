"""The certificate that ends a table: the *part* words of all players but the absent one.

Responsible for which words of an absence vote a table accepts, and when they are a complete
certificate (SPEC.md, "Leaving for good"). When a player says which word is absence_voter.py's;
the state after the end is table/transition/ending.py's.
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
from p2p304.wire.canonical import FEW_ITEMS, encode
from p2p304.wire.forms import Malformed, many, octets


def check_may_part(rules: Options, have_parted: bool = False) -> None:
    """E03: the rules let players go on without an absent player, and they have not done so
    already."""
    if rules.away == WAIT or have_parted:
        raise Refused(
            "E03",
            "the rules of this table are to wait for absent players, or one seat is empty already",
        )


def check_part(word: AbsenceWord, terms: Terms) -> None:
    """Check a word but not the *ready* signatures that it carries. Raises Refused: L01 for another
    table, L02 for an author who does not sit here, L03 for a false signature, E03 where the rules
    are to wait."""
    check_is_of_this_table(word.place.table == terms.table)
    check_author_is_seated(max(word.author, word.place.absent) < len(terms.keys))
    present = word.author != word.place.absent or word.step == STAY
    check_is_signed_by_author(present and word.is_signed_by(terms.keys[word.author]))
    check_may_part(terms.rules)


def check_word(word: AbsenceWord, terms: Terms) -> None:
    """Check a word as `check_part` does, and E05: a *part* carries the *ready* of every player but
    the absent one."""
    check_part(word, terms)
    if word.step != PART:
        return
    whole = len(word.readies) == len(terms.keys) - 1
    if not whole or not all(one.is_signed_by(terms.keys[one.author]) for one in word.ready_words):
        raise Refused("E05", "this vote does not include the agreement of all other players")


@dataclass(frozen=True, slots=True)
class Certificate:
    """The *part* words of all players but the absent one. They prove the table's end to everybody
    who has the terms. Words read from a transcript carry no *ready*."""

    words: tuple[AbsenceWord, ...]

    @property
    def place(self) -> PartingPlace:
        return self.words[0].place

    @property
    def parts(self) -> Parts:
        """The players and their signatures, as the transcript has them."""
        return tuple((word.author, word.sig) for word in self.words)

    @property
    def without(self) -> Without:
        """How the log goes on: under another table identifier, so that nothing signed for these
        places before contradicts what is signed after."""
        place = self.place
        name = digest(b"p2p304 played out", encode(place.to_value()))
        return Without(place.seq, place.absent, self.parts, name)

    def encode(self) -> bytes:
        """Return the canonical list of the encoded words."""
        return encode([word.encode() for word in self.words])


def _check_is_whole(holds: bool) -> None:
    """E02: the part of every player but the absent one is there, once, in the players' order."""
    if not holds:
        raise Refused("E02", "the end of the table lacks the vote of a player")


def check_certificate(
    terms: Terms, seq: int, head: bytes, parts: Sequence[tuple[int, bytes]]
) -> Certificate:
    """Return the certificate of a transcript's last block. The entry of that block has the link
    ``head`` and the place ``seq`` - 1. Raises Refused: E02 if a player's part is missing, L03 for a
    false signature."""
    authors = [author for author, _ in parts]
    left = set(range(len(terms.keys))) - set(authors)
    _check_is_whole(
        authors == sorted(set(authors)) and len(left) == 1 and max(authors) < len(terms.keys)
    )
    place = PartingPlace(terms.table, seq, head, left.pop())
    words = tuple(AbsenceWord(PART, place, author, sig) for author, sig in parts)
    for word in words:
        check_part(word, terms)
    return Certificate(words)


def parse_certificate(raw: bytes, terms: Terms) -> Certificate:
    """Read a persisted certificate. Raises Refused: W07, L01 to L03, E05, and E02 if a player's
    part is missing."""
    try:
        items = many(octets()).decode(raw, FEW_ITEMS)
    except Malformed as error:
        raise malformed(f"this certificate is malformed: {error}") from error
    words = tuple(parse_word(item) for item in items)
    _check_is_whole(
        {word.step for word in words} == {PART} and len({word.place for word in words}) == 1
    )
    for word in words:
        check_word(word, terms)
    place = words[0].place
    check_certificate(terms, place.seq, place.head, [(word.author, word.sig) for word in words])
    return Certificate(words)
