"""Signed words of the vote to go on without a player: *ready*, *stay* and *part*.

Responsible for their bytes and signatures, and for which two signatures of one player contradict
each other (SPEC.md, "Leaving for good"). When a node says which word is
table/absence/absence_voter.py's; evidence files are log/evidence.py's.

A word is the canonical map ``{absent, author, head, readies, round, seq, sig, t, table}``. The
signature of a *ready* or *stay* covers ``p2p304 ready`` or ``p2p304 stay``, the byte 00 and the
canonical ``{absent, head, round, seq, table}``. That of a *part* covers ``p2p304 part``, 00 and the
canonical ``{absent, head, seq, table}``, so that all parts for a place sign the same bytes.
``readies`` is empty except in a *part*: there it holds the *ready* signatures of that round of all
players but ``absent``, in their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from p2p304.crypto.signing import SigningKey, verify
from p2p304.log.entry import (
    DIGEST_FORM,
    MAX_PLAYERS,
    PLACE_FORM,
    PLAYER_FORM,
    SIGNATURE_FORM,
    Entry,
    Receipt,
)
from p2p304.log.faults import Finding, Refused
from p2p304.wire.canonical import FEW_ITEMS, Value, encode
from p2p304.wire.forms import Malformed, exactly, forms_of, many, number, of, one_of, record

READY, STAY, PART = "ready", "stay", "part"
MAX_ROUND = 16
"""Attempts to part from one player at one place."""
_LABELS = {READY: b"p2p304 ready\x00", STAY: b"p2p304 stay\x00", PART: b"p2p304 part\x00"}


@dataclass(frozen=True, slots=True)
class PartingPlace:
    """What a word is about: going on without the player ``absent`` from place ``seq`` on, after the
    entry with the link ``head`` (32 bytes)."""

    table: bytes = of(DIGEST_FORM)
    seq: int = of(PLACE_FORM)
    head: bytes = of(DIGEST_FORM)
    absent: int = of(PLAYER_FORM)

    def to_value(self) -> dict[str, Value]:
        fields: dict[str, Value] = _PLACE.write(self)
        return fields

    @property
    def at(self) -> tuple[int, bytes]:
        """The place of the log, and the link of the entry before it."""
        return self.seq, self.head


_PLACE = record(PartingPlace)
_WORD = exactly(
    {
        **forms_of(PartingPlace),
        "t": one_of(*_LABELS),
        "author": PLAYER_FORM,
        "sig": SIGNATURE_FORM,
        "round": number(0, MAX_ROUND - 1),
        "readies": many(SIGNATURE_FORM, 0, MAX_PLAYERS - 1),
    }
)


class Ballot(NamedTuple):
    """One attempt to part: the place, and the number of the attempt."""

    place: PartingPlace
    round: int


@dataclass(frozen=True, slots=True)
class AbsenceWord:
    """One player's signed word. Only a *part* carries ``readies``, which are signatures (64 bytes
    each)."""

    step: str
    place: PartingPlace
    author: int
    sig: bytes
    round: int = 0
    readies: tuple[bytes, ...] = ()

    @property
    def ballot(self) -> Ballot:
        return Ballot(self.place, self.round)

    def encode(self) -> bytes:
        """Return the canonical bytes of the word."""
        return encode(
            {
                **self.place.to_value(),
                "author": self.author,
                "readies": list(self.readies),
                "round": self.round,
                "sig": self.sig,
                "t": self.step,
            }
        )

    def is_signed_by(self, key: bytes) -> bool:
        """Return whether the word carries the signature of the holder of this key (32 bytes)."""
        return verify(key, _signed_bytes(self.step, self.place, self.round), self.sig)

    @property
    def ready_words(self) -> tuple[AbsenceWord, ...]:
        """The *ready* words that a *part* carries, of all players but the absent one, in their
        order."""
        authors = [n for n in range(len(self.readies) + 1) if n != self.place.absent]
        return tuple(
            AbsenceWord(READY, self.place, author, sig, self.round)
            for author, sig in zip(authors, self.readies, strict=True)
        )


def _signed_bytes(step: str, place: PartingPlace, round_: int) -> bytes:
    fields = place.to_value() if step == PART else {**place.to_value(), "round": round_}
    return _LABELS[step] + encode(fields)


def say(
    key: SigningKey,
    step: str,
    place: PartingPlace,
    author: int,
    round_: int = 0,
    readies: tuple[bytes, ...] = (),
) -> AbsenceWord:
    """Sign a word."""
    sig = key.sign(_signed_bytes(step, place, round_))
    return AbsenceWord(step, place, author, sig, round_, readies)


def malformed(why: str) -> Refused:
    """W07: a word of an absence vote, or a certificate of them, is malformed."""
    return Refused("W07", why)


def parse_word(raw: bytes) -> AbsenceWord:
    """Read a word strictly; raises Refused W07."""
    try:
        fields = _WORD.decode(raw, FEW_ITEMS)
    except Malformed as error:
        raise malformed(f"this word of parting is malformed: {error}") from error
    place = PartingPlace(**{name: fields.pop(name) for name in forms_of(PartingPlace)})
    word = AbsenceWord(fields.pop("t"), place, **fields)
    if bool(word.readies) != (word.step == PART):
        raise malformed("a part must include the ready of all others, and no other vote may")
    return word


# Contradictions


def contradict(one: AbsenceWord, other: AbsenceWord) -> bool:
    """Return whether no honest player signs both words: two parts of one table for different places
    or absent players, or *ready* and *stay* in one round."""
    if one.author != other.author or one.place.table != other.place.table:
        return False
    if one.step == PART == other.step:
        return one.place != other.place
    return one.ballot == other.ballot and {one.step, other.step} == {READY, STAY}


def contradicts_log(word: AbsenceWord, signed: Entry | Receipt) -> bool:
    """Return whether no honest player signs both: a *part*, and an entry or receipt for its place
    or a later one."""
    same = (word.author, word.place.table) == (signed.author, signed.table)
    return same and word.step == PART and signed.seq >= word.place.seq


def broken_part(word: AbsenceWord, seq: int) -> Finding:
    """E06: the author signed a *part*, and an entry or receipt for its place or a later one."""
    return Finding(
        "E06",
        f"agreed to end the table before place {word.place.seq}, and signed place {seq}",
        word.author,
    )


def two_words(one: AbsenceWord, other: AbsenceWord) -> Finding:
    """E07: the author signed two words of absence votes that contradict each other."""
    said = f"{one.step} for place {one.place.seq} and {other.step} for place {other.place.seq}"
    return Finding("E07", f"signed contradictory votes: {said}", one.author)
